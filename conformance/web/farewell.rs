//! The farewell: the family fills it in, the card shows it, and guests take it into their calendar (decisions S5, S7).

use card_service::base::limits::{FAREWELL_ADDRESS_CHARS_MAX, FAREWELL_NOTE_CHARS_MAX, FAREWELL_PLACE_CHARS_MAX};
use card_service::operation::invitee::{self, NewInvitee};

use crate::app::family::{Browser, Field, customizer, path_of};
use crate::app::{Answer, TestApp, card_id, tamper};

const WHOLE: [Field<'_>; 8] = [
    ("farewell_day", "14"),
    ("farewell_month", "november"),
    ("farewell_year", "2026"),
    ("farewell_time", "11.00 uur"),
    ("farewell_until", "12u15"),
    ("farewell_place", "De Nieuwe Ooster"),
    ("farewell_address", "Kruislaan 126, 1097 GA Amsterdam"),
    ("farewell_note", "Geen bloemen; wel graag een herinnering.\nTot dan."),
];

/// The form with other values of some fields.
fn with<'a>(changes: &[Field<'a>]) -> Vec<Field<'a>> {
    let changed = |name: &str| changes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    WHOLE.iter().map(|(name, value)| (*name, changed(name).unwrap_or(value))).collect()
}

fn assert_event(file: &Answer) {
    assert_eq!((file.status, file.header("content-type")), (200, Some("text/calendar; charset=utf-8")));
    assert_eq!(file.header("cache-control"), Some("no-store"));
    let text = file.text();
    for line in [
        "DTSTART;TZID=Europe/Amsterdam:20261114T110000",
        "DTEND;TZID=Europe/Amsterdam:20261114T121500",
        "SUMMARY:Afscheid van Johanna",
        "LOCATION:De Nieuwe Ooster\\, Kruislaan 126\\, 1097 GA Amsterdam",
        "DESCRIPTION:Geen bloemen\\; wel graag een herinnering.\\nTot dan.",
    ] {
        assert!(text.split("\r\n").any(|found| found == line), "{line}: {text}");
    }
}

on_both_databases! {
    async fn farewell_is_saved_shown_and_taken_into_a_calendar(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        app.complete(&gid).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let path = customizer(&gid, "afscheid");
        let events = app.events(&gid).await.len();
        let saved = browser.submit(&path, &WHOLE).await;
        assert_eq!(saved.header("location"), Some(customizer(&gid, "contact").as_str()), "{}", saved.text());
        assert_eq!(app.events(&gid).await.len(), events, "no field of the partner API");
        let form = browser.get(&path).await.text();
        for value in ["value=\"14\"", "value=\"11.00\"", "value=\"De Nieuwe Ooster\"", "Tot dan.</textarea>"] {
            assert!(form.contains(value), "{value}: {form}");
        }
        let preview = browser.get(&customizer(&gid, "voorbeeld")).await.text();
        let shown = [
            "<time datetime=\"2026-11-14T11:00\"><span>zaterdag</span> <span>14 november 2026</span> <span>van 11.00 tot 12.15 uur</span></time>",
            "<p class=\"where\" dir=\"auto\">De Nieuwe Ooster</p>",
            "Kruislaan 126, 1097\u{a0}GA Amsterdam</p>",
            "Geen bloemen; wel graag een herinnering.<br>Tot dan.",
            "href=\"https://www.google.com/maps/dir/?api=1&amp;destination=De+Nieuwe+Ooster%2C+Kruislaan+126%2C+1097+GA+Amsterdam\"",
        ];
        for part in shown {
            assert!(preview.contains(part), "{part}: {preview}");
        }
        assert_event(&browser.get(&customizer(&gid, "afscheid.ics")).await);
        assert_eq!(app.get(&customizer(&gid, "afscheid.ics")).await.status, 403, "a browser without a session");

        app.advance(&gid, "ORDERED").await;
        app.activate(&gid).await;
        let card = path_of(live.card(&gid).await["cardUrl"].as_str().expect("an address"));
        let page = app.get(&card).await.text();
        for part in shown {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(page.contains(&format!("href=\"{card}/afscheid.ics\"")), "{page}");
        assert_event(&app.get(&format!("{card}/afscheid.ics")).await);

        // A date alone is enough, and everything can be removed again.
        let alone = with(&[("farewell_time", ""), ("farewell_until", ""), ("farewell_place", ""), ("farewell_address", ""), ("farewell_note", "")]);
        assert_eq!(browser.submit(&path, &alone).await.status, 303);
        let page = app.get(&card).await.text();
        assert!(page.contains("<span>14 november 2026</span></time>") && !page.contains("google.com"), "{page}");
        let event = app.get(&format!("{card}/afscheid.ics")).await.text();
        assert!(event.contains("DTSTART;VALUE=DATE:20261114\r\n") && !event.contains("TZID"), "{event}");
        let none: Vec<_> = WHOLE.iter().map(|(name, _)| (*name, "")).collect();
        assert_eq!(browser.submit(&path, &none).await.status, 303);
        assert!(app.row(&gid).await.farewell.is_empty());
        assert!(!app.get(&card).await.text().contains("Het afscheid"));
        assert_eq!(app.get(&format!("{card}/afscheid.ics")).await.status, 404);
    }

    async fn wrong_field_of_the_farewell_says_so_and_saves_nothing(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let (place, address, note) = (
            "p".repeat(FAREWELL_PLACE_CHARS_MAX + 1),
            "a".repeat(FAREWELL_ADDRESS_CHARS_MAX + 1),
            "n".repeat(FAREWELL_NOTE_CHARS_MAX + 1),
        );
        for (name, value, field, message) in [
            ("farewell_day", "31", "farewell_day", "Datum van het afscheid: 31 november bestaat niet in dat jaar."),
            ("farewell_year", "0202", "farewell", "Vul een datum in vanaf het jaar 1000."),
            ("farewell_year", "", "farewell_year", "Datum van het afscheid: vul ook het jaar in."),
            ("farewell_time", "25.00", "farewell_time", "Vul een geldige tijd in, bijvoorbeeld 11.00."),
            ("farewell_until", "11.00", "farewell_until", "Vul een eindtijd in die na de begintijd ligt"),
            ("farewell_place", &place, "farewell_place", "Gebruik hoogstens 200 tekens."),
            ("farewell_address", &address, "farewell_address", "Gebruik hoogstens 300 tekens."),
            ("farewell_note", &note, "farewell_note", "Gebruik hoogstens 1000 tekens."),
        ] {
            let refused = browser.submit(&customizer(&gid, "afscheid"), &with(&[(name, value)])).await;
            let page = refused.text();
            assert_eq!(refused.status, 422, "{name}: {page}");
            assert!(page.contains(&format!("<a href=\"#{field}\">")) && page.contains(message), "{name}: {page}");
        }
        let undated = with(&[("farewell_day", ""), ("farewell_month", ""), ("farewell_year", "")]);
        let refused = browser.submit(&customizer(&gid, "afscheid"), &undated).await;
        assert!(refused.status == 422 && refused.text().contains("Vul ook de datum van het afscheid in"), "{}", refused.text());
        assert!(app.row(&gid).await.farewell.is_empty());
        // The limits themselves are accepted.
        let longest = with(&[("farewell_place", &place[1..]), ("farewell_address", &address[1..]), ("farewell_note", &note[1..])]);
        assert_eq!(browser.submit(&customizer(&gid, "afscheid"), &longest).await.status, 303);
    }

    async fn farewell_by_invitation_is_behind_the_personal_link(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        app.complete(&gid).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        assert_eq!(browser.submit(&customizer(&gid, "afscheid"), &WHOLE).await.status, 303);
        let closed = browser.submit(&customizer(&gid, "thema"), &[("visibility", "INVITATION")]).await;
        assert_eq!(closed.status, 303, "{}", closed.text());
        app.advance(&gid, "ORDERED").await;
        app.activate(&gid).await;
        let card = path_of(live.card(&gid).await["cardUrl"].as_str().expect("an address"));
        let page = app.get(&card).await.text();
        assert!(!page.contains("Nieuwe Ooster") && !page.contains("afscheid.ics"), "{page}");
        assert_eq!(app.get(&format!("{card}/afscheid.ics")).await.status, 404);
        assert_event(&browser.get(&format!("{card}/afscheid.ics")).await);

        let person = NewInvitee { name: "Jan".to_owned(), email: None };
        invitee::add(app.services(), card_id(&gid), vec![person]).await.expect("the store answers");
        let token = app.store().invitees_of(card_id(&gid)).await.expect("the store answers").remove(0).token;
        let personal = format!("/kaart/voor/{token}");
        assert!(app.get(&personal).await.text().contains(&format!("href=\"{personal}/afscheid.ics\"")));
        assert_event(&app.get(&format!("{personal}/afscheid.ics")).await);
        assert_eq!(app.get("/kaart/voor/onbekend/afscheid.ics").await.status, 404);
        tamper(app.database_url(), "UPDATE cards SET offline_since = created_at").await;
        for path in [&card, &personal] {
            assert_eq!(app.get(&format!("{path}/afscheid.ics")).await.status, 404, "{path}");
        }
    }
}
