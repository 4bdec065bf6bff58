//! The customizer: every step shows, saves, checks, and leads on (decisions S5, W4).

use card_service::base::limits::{PHOTO_BYTES_MAX, THEMES_CACHED};
use card_service::model::{Layout, Visibility};
use serde_json::json;

use crate::app::TestApp;
use crate::app::family::{Browser, customizer};
use crate::app::picture::{noisy_png, photo};

const STEPS: [&str; 6] = ["thema", "overledene", "tekst", "afscheid", "contact", "bestellen"];

/// A step, its input, the wrong field, and the message on the page.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str, &'a str);

on_both_databases! {
    async fn card_without_theme_opens_the_wizard_and_others_the_overview(app: TestApp) {
        let live = app.live().await;
        let theme = app.theme("zee", 1).await;
        let bare = live.draft("1").await;
        let mut browser = Browser::at_customizer(&live, &bare).await;
        let start = browser.get(&customizer(&bare, "")).await;
        assert_eq!((start.status, start.header("location")), (303, Some(customizer(&bare, "thema").as_str())));
        let page = browser.open(&customizer(&bare, "")).await.text();
        assert!(page.contains("Thema zee") && page.contains("Wie mag de kaart zien?") && !page.contains("name=\"visibility\" value=\"OPEN\" checked"), "{page}");

        let themed = live.create(json!({
            "externalDossierId": "2", "themeId": theme.number.to_string(), "deceased": { "firstName": "Johanna" },
        })).await.gid();
        let mut browser = Browser::at_customizer(&live, &themed).await;
        let overview = browser.get(&customizer(&themed, "")).await;
        assert!(overview.text().contains("De kaart voor Johanna"), "{}", overview.text());
    }

    async fn retired_theme_of_the_card_is_shown_and_can_be_saved(app: TestApp) {
        let live = app.live().await;
        let [_, own, other] = [app.theme("bos", 1).await, app.theme("zee", 2).await, app.theme("eik", 3).await];
        let input = json!({ "externalDossierId": "1", "themeId": own.number.to_string() });
        let gid = live.create(input).await.gid();
        for theme in [&own, &other] {
            app.operator().json(&["theme", "retire", &theme.handle]);
        }
        app.pass(chrono::Duration::from_std(THEMES_CACHED).expect("a second"));
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let page = browser.get(&customizer(&gid, "thema")).await.text();
        let chosen = format!("value=\"gid://service/Theme/{}\" checked", own.id);
        assert!(page.contains(&chosen) && page.contains("Thema bos") && !page.contains("Thema eik"), "{page}");
        let theme = format!("gid://service/Theme/{}", own.id);
        let saved = browser.submit(&customizer(&gid, "thema"), &[("theme", &theme)]).await;
        assert_eq!((saved.status, saved.header("location")), (303, Some(customizer(&gid, "overledene").as_str())));
        assert_eq!(app.row(&gid).await.theme_id, Some(own.id));
    }

    async fn every_step_saves_what_is_filled_in_and_leads_to_the_next(app: TestApp) {
        let live = app.live().await;
        let theme = app.theme("zee", 1).await;
        let gid = live.draft("1").await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let theme_gid = format!("gid://service/Theme/{}", theme.id);
        let fields: [&[(&str, &str)]; 5] = [
            &[("theme", &theme_gid), ("layout", "BESIDE"), ("visibility", "INVITATION")],
            &[("first_name", " Johanna\u{200b} "), ("last_name", "van\u{202e}  der\tMeer"), ("birth_day", "12"),
              ("birth_month", "mrt"), ("birth_year", "1938"), ("death_day", "7"), ("death_month", "Nov"), ("death_year", "2026")],
            &[("text", "Eerste regel\r\n\r\nTweede regel")],
            &[("farewell_place", "De Nieuwe Ooster"), ("livestream", "uitvaart.example/live")],
            &[("contact_name", "Pieter"), ("email", "pieter@voorbeeld.nl ")],
        ];
        for (pair, fields) in STEPS.windows(2).zip(fields) {
            let saved = browser.submit(&customizer(&gid, pair[0]), fields).await;
            assert_eq!(saved.status, 303, "{}: {}", pair[0], saved.text());
            assert_eq!(saved.header("location"), Some(customizer(&gid, pair[1]).as_str()));
        }
        let photo = browser.upload(&customizer(&gid, "overledene"), "photo", "oma.png", &noisy_png(400)).await;
        let again = format!("{}?opgeslagen", customizer(&gid, "overledene"));
        assert_eq!(photo.header("location"), Some(again.as_str()), "{}", photo.text());

        let card = app.row(&gid).await;
        assert_eq!((card.theme_id, card.layout, card.visibility), (Some(theme.id), Layout::SideBySide, Visibility::Invitation));
        assert_eq!(card.text.as_deref(), Some("Eerste regel\n\nTweede regel"));
        assert_eq!(card.farewell.place.as_deref(), Some("De Nieuwe Ooster"));
        let shown = live.card(&gid).await;
        assert_eq!((&shown["deceased"]["firstName"], &shown["deceased"]["lastName"]), (&json!("Johanna"), &json!("van der Meer")));
        assert_eq!(shown["deceased"]["dateOfBirth"], "1938-03-12");
        assert_eq!(shown["deceased"]["dateOfDeath"], "2026-11-07");
        assert_eq!(shown["livestreamUrl"], "https://uitvaart.example/live");
        assert_eq!(shown["familyContact"], json!({ "name": "Pieter", "email": "pieter@voorbeeld.nl" }));

        let events = app.events(&gid).await;
        let changes: Vec<_> = events[1..].iter().map(|event| (event.topic.as_str(), event.actor.as_str())).collect();
        assert!(changes.iter().all(|change| *change == ("CARDS_UPDATE", "FAMILY")), "{changes:?}");
        let fields: Vec<_> = events[1..].iter().map(|event| event.changed_fields.join(",")).collect();
        // Layout, visibility and text are no fields of Card: their changes are no events.
        assert_eq!(fields, [
            "theme", "deceased.firstName,deceased.lastName,deceased.dateOfBirth,deceased.dateOfDeath",
            "livestreamUrl", "familyContact.name,familyContact.email", "deceased.photoUrl",
        ]);
        for (step, value) in [("overledene", "value=\"Johanna\""), ("overledene", "value=\"1938\""),
            ("overledene", "<details class=\"known\">"), ("overledene", "/media/rendition/"),
            ("tekst", "Eerste regel\n\nTweede regel</textarea>"), ("thema", "value=\"BESIDE\" checked"),
            ("contact", "value=\"pieter@voorbeeld.nl\"")] {
            let page = browser.get(&customizer(&gid, step)).await.text();
            assert!(page.contains(value), "{step}: {page}");
        }
    }

    async fn input_error_is_shown_at_its_field_and_saves_nothing(app: TestApp) {
        let live = app.live().await;
        app.theme("zee", 1).await;
        let gid = live.draft("1").await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let before = app.row(&gid).await;
        let long = "x".repeat(5_001);
        let name = "x".repeat(256);
        let cases: [Case<'_>; 19] = [
            ("thema", &[], "theme", "Kies een thema om verder te gaan."),
            ("thema", &[("theme", "x")], "visibility", "Kies wie de kaart mag zien."),
            ("thema", &[("theme", "gid://service/Theme/00000000-0000-7000-8000-000000000000"), ("visibility", "OPEN")], "theme", "Dit thema is niet gevonden."),
            ("overledene", &[("first_name", &name)], "first_name", "Deze tekst is te lang. Gebruik hoogstens 255 tekens."),
            ("overledene", &[("birth_day", "31"), ("birth_month", "2"), ("birth_year", "1938")], "birth_day", "Geboortedatum: 31 februari bestaat niet in dat jaar."),
            ("overledene", &[("birth_day", "12"), ("birth_month", "4")], "birth_year", "Geboortedatum: vul ook het jaar in."),
            ("overledene", &[("birth_day", "12"), ("birth_month", "13"), ("birth_year", "1938")], "birth_month", "Geboortedatum: vul een bestaande datum in"),
            ("overledene", &[("birth_day", "12"), ("birth_month", "4"), ("birth_year", "38")], "birth_year", "Geboortedatum: vul een bestaande datum in"),
            ("overledene", &[("birth_day", "123"), ("birth_month", "4"), ("birth_year", "1938")], "birth_day", "Geboortedatum: vul een bestaande datum in"),
            ("overledene", &[("birth_day", "12"), ("birth_month", "ap"), ("birth_year", "1938")], "birth_month", "Geboortedatum: vul een bestaande datum in, met het jaar in vier cijfers. Bijvoorbeeld 12 4 1938."),
            ("overledene", &[("death_day", "1"), ("death_month", "1"), ("death_year", "2027")], "death", "De overlijdensdatum ligt in de toekomst."),
            ("overledene", &[("birth_day", "2"), ("birth_month", "1"), ("birth_year", "2020"), ("death_day", "1"), ("death_month", "1"), ("death_year", "2020")], "death", "De overlijdensdatum ligt vóór de geboortedatum."),
            ("tekst", &[("text", &long)], "text", "Deze tekst is te lang. Gebruik hoogstens 5000 tekens."),
            ("afscheid", &[("livestream", "morgen om tien uur")], "livestream", "Vul een geldig webadres in"),
            ("contact", &[("email", "naam@")], "email", "Vul een geldig e-mailadres in, bijvoorbeeld naam@voorbeeld.nl."),
            ("contact", &[("contact_name", &name), ("email", "a@b.nl")], "contact_name", "Deze tekst is te lang."),
            ("contact", &[("contact_name", "Jan (jan.nl)")], "contact_name", "Een naam mag geen webadres bevatten."),
            ("overledene", &[("birth_day", "29"), ("birth_month", "2"), ("birth_year", "0000")], "birth", "Vul een datum in vanaf het jaar 1000."),
            ("overledene", &[("last_name", "via https://betaal.example")], "last_name", "Een naam mag geen webadres bevatten."),
        ];
        for (step, fields, field, message) in cases {
            let refused = browser.submit(&customizer(&gid, step), fields).await;
            let page = refused.text();
            assert_eq!(refused.status, 422, "{step}: {page}");
            let summary = page.find(&format!("<a href=\"#{field}\">{message}")).unwrap_or_else(|| panic!("{step}: {page}"));
            let marked = page.split_once("aria-invalid=\"true\"").and_then(|(before, _)| before.rsplit_once("id=\"")).map(|(_, id)| id);
            assert!(marked.is_none_or(|id| id.starts_with(field)), "{step}: the wrong input is marked: {marked:?}");
            let field = ["_day", "_month", "_year"].into_iter().find_map(|part| field.strip_suffix(part)).unwrap_or(field);
            let at_field = page.find(&format!("id=\"{field}-error\"")).unwrap_or_else(|| panic!("{step}: {page}"));
            assert!(summary < at_field && page.contains("autofocus"), "{step}");
            assert!(page.contains(&format!("{field}-error\"")) && page.contains("<title>Let op: "), "{step}: {page}");
            for (_, value) in fields.iter().filter(|(name, _)| !["theme"].contains(name)) {
                assert!(page.contains(value), "the input stays: {value}");
            }
        }
        assert_eq!(app.row(&gid).await, before);
    }

    async fn empty_field_clears_what_was_there(app: TestApp) {
        let live = app.live().await;
        let gid = live.create(json!({
            "externalDossierId": "1",
            "deceased": { "firstName": "Aal", "lastName": "B", "dateOfBirth": "1938-04-12" },
            "livestreamUrl": "https://a.example/", "familyContact": { "name": "P", "email": "p@voorbeeld.nl" },
        })).await.gid();
        let mut browser = Browser::at_customizer(&live, &gid).await;
        for (step, fields) in [
            ("overledene", &[("first_name", ""), ("last_name", "B")][..]),
            ("overledene", &[("birth_day", ""), ("birth_month", ""), ("birth_year", "")]),
            ("afscheid", &[("livestream", " ")]), ("contact", &[("contact_name", ""), ("email", "")]),
        ] {
            assert_eq!(browser.submit(&customizer(&gid, step), fields).await.status, 303, "{step}");
        }
        let card = live.card(&gid).await;
        let none = json!(null);
        assert_eq!((&card["deceased"]["firstName"], &card["deceased"]["lastName"]), (&none, &json!("B")));
        assert_eq!((&card["deceased"]["dateOfBirth"], &card["livestreamUrl"]), (&none, &none));
        assert_eq!(card["familyContact"], json!({ "name": null, "email": null }));
    }

    async fn portrait_of_each_format_is_kept_and_others_are_refused(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        for format in ["jpeg", "png", "webp", "gif", "heic"] {
            let saved = browser.upload(&path, "photo", "naam.txt", &photo(format)).await;
            assert_eq!(saved.status, 303, "{format}: {}", saved.text());
            let key = app.row(&gid).await.deceased.photo.expect("a photo");
            // The stored picture is re-encoded from any format.
            assert!(key.as_str().ends_with(".jpeg"), "{}", key.as_str());
            let kept = app.services().media.get(&format!("photo/{}", key.as_str())).await.expect("the object store works");
            assert!(kept.is_some_and(|kept| kept.starts_with(b"\xFF\xD8\xFF")), "{format}");
        }
        let mut largest = photo("jpeg");
        largest.resize(PHOTO_BYTES_MAX, 0);
        assert_eq!(browser.upload(&path, "photo", "oma.jpg", &largest).await.status, 303);
        let before = app.row(&gid).await;
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
        for (bytes, message) in [
            (&svg[..], "Dit bestand heeft geen bruikbaar formaat."),
            (b"<!doctype html>", "Dit bestand heeft geen bruikbaar formaat."),
            (b"\0\0", "Dit bestand heeft geen bruikbaar formaat."),
            (&[&largest[..], b"\0"].concat(), "De foto is te groot."),
        ] {
            let refused = browser.upload(&path, "photo", "oma.jpg", bytes).await;
            assert_eq!(refused.status, 422);
            assert!(refused.text().contains(message) && refused.text().contains("photo-error"), "{}", refused.text());
        }
        assert_eq!(app.row(&gid).await, before);
        // No file and no tick: the photo stays. A tick takes it away.
        assert_eq!(browser.submit(&path, &[]).await.status, 303);
        assert_eq!(app.row(&gid).await, before);
        assert_eq!(browser.submit(&path, &[("photo_remove", "ja")]).await.status, 303);
        assert_eq!(app.row(&gid).await.deceased.photo, None);
    }

    async fn page_that_is_not_there_is_not_found(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        for page in ["onbekend", "thema/", "thema/a", "..", "THEMA"] {
            assert_eq!(browser.get(&customizer(&gid, page)).await.status, 404, "{page}");
        }
        for path in ["/bewerken", "/bewerken/", "/bewerken/1", "/bewerken/00000000-0000-7000-8000-00000000000G", "/web/a.css"] {
            assert_eq!(browser.get(path).await.status, 404, "{path}");
        }
        let foreign = browser.get("/bewerken/00000000-0000-7000-8000-000000000000").await;
        assert_eq!(foreign.status, 403);
        assert!(foreign.text().contains("Deze pagina is beschermd. Open de pagina met de link die u"), "{}", foreign.text());
        let page = customizer(&gid, "voorbeeld");
        assert_eq!(browser.post(&page, &[], &[]).await.status, 405);
    }
}
