//! A value that is allowed and is often a mistake, such as a farewell at 2.00, is asked about once when it is saved, and again before the
//! order.

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{TestApp, card_id};

/// A step, the fields that are typed, and the question about them.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);

const CASES: [Case<'_>; 4] = [
    (
        "afscheid",
        &[("farewell_day", "2"), ("farewell_month", "12"), ("farewell_year", "2030"), ("farewell_time", "2 uur")],
        "Bedoelt u 14.00 uur?",
    ),
    (
        "afscheid",
        &[("farewell_day", "2"), ("farewell_month", "12"), ("farewell_year", "2020"), ("farewell_time", "11.00")],
        "De datum van het afscheid is al voorbij. Klopt dat?",
    ),
    ("contact", &[("email", "els@gmial.com")], "Bedoelt u els@gmail.com?"),
    ("contact", &[("email", "els@hotmail.cm")], "Bedoelt u els@hotmail.com?"),
];

on_both_databases! {
    async fn likely_mistake_is_asked_about_once_and_before_the_order(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        app.complete(&gid).await;
        for (step, fields, question) in CASES {
            let path = customizer(&gid, step);
            let next = customizer(&gid, if step == "contact" { "bestellen" } else { "contact" });
            let saved = browser.submit(&path, fields).await;
            let same = format!("{path}?opgeslagen");
            assert_eq!(saved.header("location"), Some(same.as_str()), "{question}");
            let asked = browser.get(&same).await;
            assert!(asked.text().contains(question), "{question}: {}", asked.text());
            let order = browser.get(&customizer(&gid, "bestellen")).await.text();
            assert!(order.contains(question), "{question}: {order}");
            // It is so: sent again as it is.
            let on = browser.post(&path, &asked.hidden_fields(), fields).await;
            assert_eq!(on.header("location"), Some(next.as_str()), "{question}");
        }
        for (step, fields) in [("afscheid", [("farewell_time", "14.00"), ("farewell_year", "2030")]), ("contact", [("email", "els@gmail.com"), ("contact_name", "")])] {
            let saved = browser.submit(&customizer(&gid, step), &fields).await;
            assert!(saved.header("location").is_some_and(|path| !path.contains('?')), "{step}");
        }
    }

    async fn order_page_repeats_everything_that_guests_read(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        app.complete(&gid).await;
        let text = "Lieve mama. ".repeat(40);
        browser.submit(&customizer(&gid, "tekst"), &[("text", &text)]).await;
        let farewell = [
            ("farewell_day", "2"), ("farewell_month", "12"), ("farewell_year", "2026"), ("farewell_time", "11.30"),
            ("farewell_place", "Aula De Linden"), ("farewell_address", "Dorpsweg 1"), ("farewell_note", "Geen bloemen"),
            ("livestream", "https://kerk.example/live"),
        ];
        assert_eq!(browser.submit(&customizer(&gid, "afscheid"), &farewell).await.status, 303);
        let page = browser.get(&customizer(&gid, "bestellen")).await.text();
        let facts = page.split_once("<dl class=\"summary\">").expect("the facts").1;
        let (farewell, rest) = facts.split_once("</div>").expect("a row");
        for words in [
            "woensdag 2 december 2026 om 11.30 uur\n", "Aula De Linden\n", "Dorpsweg 1\n", "Geen bloemen\n",
            "https://kerk.example/live", &format!("href=\"{}\"", customizer(&gid, "afscheid")),
        ] {
            assert!(farewell.contains(words), "{words}: {farewell}");
        }
        assert!(rest.contains(text.trim()) && rest.contains("Iedereen met de link"), "{rest}");
    }

    async fn whole_date_in_one_field_is_a_date(app: TestApp) {
        let (live, gid, mut browser) = app.draft_in_customizer("1").await;
        for (field, whole) in [("birth_day", "12-04-1938"), ("birth_month", "12 april 1938"), ("birth_year", "1938-04-12")] {
            let parts = ["birth_day", "birth_month", "birth_year"].map(|name| (name, if name == field { whole } else { "" }));
            assert_eq!(browser.submit(&customizer(&gid, "overledene"), &parts).await.status, 303, "{whole}");
            assert_eq!(live.card(&gid).await["deceased"]["dateOfBirth"], "1938-04-12", "{whole}");
        }
    }

    async fn mistyped_mailbox_of_a_guest_is_asked_about_in_the_list(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let mut browser = Browser::new(&app);
        browser.open(&path_of(&live.link(&gid, "INVITEE_LIST").await)).await;
        let list = format!("/gasten/{}", card_id(&gid));
        for (name, email, asked) in [("Els", "els@gmial.com", true), ("Jan", "jan@gmail.com", false)] {
            let hidden = browser.get(&list).await.hidden_fields_of("/toevoegen");
            let added = browser.post(&format!("{list}/toevoegen"), &hidden, &[("naam", name), ("email", email)]).await;
            assert_eq!(added.status, 303, "{}", added.text());
            let question = format!("Bedoelt u {}@gmail.com?", name.to_lowercase());
            assert_eq!(browser.get(&list).await.text().contains(&question), asked, "{email}");
        }
    }
}
