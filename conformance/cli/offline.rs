//! `card take-offline`, `card list`: and what visitors, the family and the partner see of the card.

use card_service::model::{Mail, MailState};
use card_service::operation::invitee::{self, NewInvitee};
use card_service::store::Invitation;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::app::family::{Browser, customizer};
use crate::app::{TestApp, card_id, picture, wait_for};

/// The path of the portrait that a card's page shows, if it shows one.
async fn portrait(app: &TestApp, page: &str) -> Option<String> {
    let text = app.get(page).await.text();
    let at = text.find("/media/rendition/")?;
    text[at..].split('"').next().map(str::to_owned)
}

/// Invites a guest by mail; returns the path of the personal link.
async fn invite(app: &TestApp, gid: &str) -> String {
    let person = NewInvitee { name: "Els".to_owned(), email: Some("els@voorbeeld.nl".to_owned()) };
    invitee::add(app.services(), card_id(gid), vec![person]).await.expect("the store answers");
    let guest = app.store().invitees_of(card_id(gid)).await.expect("the store answers").remove(0);
    assert_eq!(
        invitee::invite(app.services(), card_id(gid), guest.id).await.expect("the store answers"),
        Invitation::Queued
    );
    format!("/kaart/voor/{}", guest.token)
}

/// The dossiers of a list of cards.
fn dossiers(listed: &Value) -> Vec<&str> {
    let cards = listed["cards"].as_array().unwrap_or_else(|| panic!("{listed}"));
    cards.iter().map(|card| card["externalDossierId"].as_str().expect("a text")).collect()
}

on_both_databases! {
    async fn card_that_is_offline_cannot_be_seen_and_comes_back(app: TestApp) {
        let theme = app.theme("zee", 1).await.number.to_string();
        let caller = app.live().await;
        let photo = app.mock_server().photo("/anna.jpeg", "image/jpeg", picture::photo("jpeg"));
        let gid = caller.create(json!({
            "externalDossierId": "1", "themeId": theme, "deceased": { "lastName": "Meer", "photoUrl": photo },
            "familyContact": { "email": "pieter@voorbeeld.nl" },
        })).await.gid();
        let operator = app.operator();
        assert!(operator.expect_failure(&["card", "take-offline", &gid]).starts_with("The card was never online"));
        let mut family = Browser::at_customizer(&caller, &gid).await;
        family.submit(&customizer(&gid, "bestellen"), &[("agree", "ja")]).await;
        app.until(&gid, "ACTIVE").await;
        app.mails_done(&[&gid]).await;
        let page = format!("/kaart/{}", app.row(&gid).await.slug.expect("it is online"));
        let shown = wait_for("the portrait is rendered", || portrait(&app, &page)).await;
        assert_eq!(app.get(&shown).await.status, 200);
        let as_the_partner_saw_it = caller.card(&gid).await;

        let offline = operator.json(&["card", "take-offline", &gid]);
        assert!(offline["card"]["offlineSince"].is_string() && offline["card"]["status"] == "ACTIVE", "{offline}");
        let said = app.get(&page).await;
        assert_eq!(said.status, 404);
        assert!(said.text().contains("Deze kaart is nu even niet te zien") && !said.text().contains("Meer"), "{}", said.text());
        assert_eq!(app.get(&shown).await.status, 404, "its portrait is gone, too");
        assert_eq!(caller.card(&gid).await, as_the_partner_saw_it, "the API says what it said");
        let overview = family.get(&customizer(&gid, "")).await.text();
        assert!(overview.contains("De kaart is tijdelijk offline"), "{overview}");
        let ordered = family.get(&customizer(&gid, "besteld")).await.text();
        assert!(!ordered.contains(&page), "no link that leads nowhere: {ordered}");
        // An invitation waits until its link works.
        let sent = app.queued_mails(&gid).await.len();
        app.pass(chrono::Duration::seconds(1)); // mails of one millisecond are in no order
        let guest = invite(&app, &gid).await;
        assert_eq!(app.get(&guest).await.status, 404);
        let tried = |queued: &[Mail]| queued.len() > sent && matches!(queued[sent].state, MailState::Due(at) if at > app.now());
        app.queued_until(&gid, tried).await;
        assert_eq!(dossiers(&operator.json(&["card", "list", "--offline"])), ["1"]);
        operator.json(&["card", "take-offline", &gid]); // once more changes nothing

        let online = operator.json(&["card", "take-offline", &gid, "--undo"]);
        assert_eq!((&online["card"]["offlineSince"], &online["card"]["cardUrl"]), (&Value::Null, &offline["card"]["cardUrl"]));
        assert_eq!(app.get(&page).await.status, 200);
        // The command made the portrait due at the time of the system.
        let commanded = offline["card"]["offlineSince"].as_str().and_then(|at| at.parse::<DateTime<Utc>>().ok()).expect("a time");
        app.pass(commanded - app.now().utc() + chrono::Duration::minutes(10));
        assert_eq!(wait_for("the portrait is rendered again", || portrait(&app, &page)).await, shown);
        assert_eq!(app.get(&shown).await.status, 200);
        assert_eq!(app.get(&guest).await.status, 200);
        app.mails_done(&[&gid]).await;
        assert!(matches!(app.queued_mails(&gid).await[sent].state, MailState::Sent(_)), "the invitation");
        assert_eq!(caller.card(&gid).await, as_the_partner_saw_it);
        assert!(dossiers(&operator.json(&["card", "list", "--offline"])).is_empty());
        let events = app.store().events_of(card_id(&gid)).await.expect("the store answers");
        assert_eq!(events.len(), 3, "created, ordered, activated: {events:?}");
    }

    async fn cards_are_listed_by_partner_mode_status_and_age(app: TestApp) {
        let (noord, zuid) = (app.partner("Noord").await, app.partner("Zuid").await);
        let (live, test, other) = (noord.live().await, noord.test().await, zuid.live().await);
        for (caller, dossier) in [(&live, "a"), (&test, "b"), (&other, "c")] {
            caller.draft(dossier).await;
            app.pass(chrono::Duration::milliseconds(1)); // ids of one millisecond are in no order
        }
        app.pass(chrono::Duration::days(2));
        live.draft("d").await;
        let operator = app.operator();
        let since = app.now().utc().checked_sub_days(chrono::Days::new(1)).expect("a day").date_naive().to_string();
        for (options, expected) in [
            (&[][..], &["d", "c", "b", "a"][..]),
            (&["--limit", "2"], &["d", "c"]),
            (&["--partner", "Noord"], &["d", "b", "a"]),
            (&["--partner", "Noord", "--mode", "live"], &["d", "a"]),
            (&["--mode", "test"], &["b"]),
            (&["--since", &since], &["d"]),
            (&["--status", "draft", "--limit", "1"], &["d"]),
            (&["--status", "active"], &[]),
        ] {
            let listed = operator.json(&[&["card", "list"], options].concat());
            assert_eq!(dossiers(&listed), expected, "{options:?}");
        }
        let table = operator.text(&["card", "list", "--partner", "Zuid"]);
        assert!(table.lines().count() == 2 && table.contains("Zuid     c"), "{table}");
        assert_eq!(operator.text(&["card", "list", "--status", "ordered"]), "There are no such cards.\n");
        operator.expect_failure(&["card", "list", "--partner", "West"]);
    }
}
