//! Retention: the rows that the worker deletes after their time, and the output of `retention show`.

use card_service::model::AuditEntry;
use card_service::operation::invitee::{self, NewInvitee};
use card_service::operation::retention::{self, Expired};
use chrono::Duration;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::family::{Browser, path_of};
use crate::app::mock_server::JPEG;
use crate::app::{Caller, FreshDatabase, Program, TestApp, card_id};

/// Runs the worker until it has come to the end of the cards; returns what it deleted.
async fn delete_expired(app: &TestApp) -> Expired {
    let (deleted, last) = retention::step(app.services(), Uuid::nil()).await.expect("a step");
    assert_eq!(last, Uuid::nil(), "a few cards are one batch");
    deleted
}

/// Returns the rows that the worker would delete, as `retention show --dry-run` counts them.
async fn due(app: &TestApp) -> Expired {
    retention::count_due(app.services()).await.expect("the store answers")
}

/// The subjects of the audit records that deletions left, oldest first.
async fn retained(app: &TestApp) -> Vec<String> {
    let records = app
        .audit_records()
        .await
        .into_iter()
        .filter(|(actor, command, ..)| (&**actor, &**command) == ("card-service", "retention"));
    records.map(|(_, _, subject, _)| subject).collect()
}

/// Settings of an operator who deletes data.
const AGES: [(&str, &str); 3] =
    [("RETENTION_DRAFTS", "180d"), ("RETENTION_INVITEES", "365d"), ("RETENTION_EVENTS", "365d")];

/// The number of mails in the data folder.
fn mail_files(app: &TestApp) -> usize {
    std::fs::read_dir(app.folder().join("mail")).expect("a folder").count()
}

/// A card that is online, with a guest.
async fn online(caller: &Caller, dossier: &str) -> String {
    let app = &caller.app;
    let theme = app.theme("zee", 1).await.number.to_string();
    let gid = caller
        .create(json!({
            "externalDossierId": dossier, "themeId": theme, "deceased": { "lastName": "Meer" },
            "familyContact": { "email": "pieter@voorbeeld.nl" },
        }))
        .await
        .gid();
    app.online(&gid).await;
    let guest = NewInvitee { name: "Els".to_owned(), email: None };
    invitee::add(app.services(), card_id(&gid), vec![guest]).await.expect("the store answers");
    invitee::change_note(app.services(), card_id(&gid), "Tot ziens", false, None).await.expect("the store answers");
    gid
}

on_both_databases! {
    async fn default_settings_keep_cards_personal_links_and_portraits_for_ten_years(app: TestApp) {
        let partner = app.partner("noord").await;
        let (live, test) = (partner.live().await, partner.test().await);
        let photo = app.mock_server().photo("/portret.jpg", "image/jpeg", JPEG);
        let with_portrait = |dossier: &str| json!({ "externalDossierId": dossier, "deceased": { "photoUrl": photo } });
        let draft = live.create(with_portrait("draft")).await.gid();
        let test_draft = test.create(with_portrait("test draft")).await.gid();
        let ordered = live.create(with_portrait("ordered")).await.gid();
        app.order(&ordered).await;
        let online = online(&live, "online").await;
        let guest = app.store().invitees_of(card_id(&online)).await.expect("the store answers").remove(0);
        let events = app.events(&online).await.len();

        for _ in 0..10 {
            app.pass(Duration::days(366));
            delete_expired(&app).await;
            card_service::worker::housekeeping::step(app.services()).await.expect("a round");
        }
        for (caller, gid, status) in [
            (&live, &draft, "DRAFT"),
            (&test, &test_draft, "DRAFT"),
            (&live, &test_draft, "DRAFT"),
            (&live, &ordered, "ORDERED"),
            (&live, &online, "ACTIVE"),
        ] {
            let card = caller.card(gid).await;
            assert_eq!(card["status"], status, "{gid}: {card}");
            if let Some(portrait) = card["deceased"]["photoUrl"].as_str() {
                let served = app.get(&path_of(portrait)).await;
                assert_eq!((served.status, served.body.as_slice()), (200, JPEG), "{portrait}");
            }
            let page = Browser::new(&app).open(&path_of(&caller.link(gid, "CUSTOMIZER").await)).await;
            assert_eq!(page.status, 200, "{}", page.text());
            assert!(!page.text().contains("erwijderen wij") && !page.text().contains("Wij verwijderen"), "{}", page.text());
        }
        assert_eq!(retained(&app).await, Vec::<String>::new());
        let page = app.get(&format!("/kaart/voor/{}", guest.token)).await;
        assert_eq!(page.status, 200, "{}", page.text());
        assert!(page.text().contains("Meer"), "{}", page.text());
        assert_eq!(app.events(&online).await.len(), events);
    }

    async fn data_is_deleted_when_it_was_kept_long_enough_and_no_day_earlier(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "retention", &AGES).await;
        let caller = app.live().await;
        let (kept, forgotten) = (online(&caller, "online").await, caller.draft("forgotten").await);
        let ordered = app.row(&kept).await;
        caller.link(&forgotten, "CUSTOMIZER").await;
        Browser::at_administration(&app, "piet").await;
        let entry = AuditEntry {
            id: Uuid::from_u128(1), at: app.now(), actor: "piet".to_owned(), command: "card export", subject: kept.clone(), fields: &[],
        };
        app.store().with_audit(entry).record_command().await.expect("the store answers"); // a command would run at another time
        let edited = caller.draft("edited").await;
        let rows = async |table: &str| app.dump().await.iter().filter(|line| line.starts_with(&format!("{table}: "))).count();
        let (events, audit, mails) = (rows("events").await, rows("audit").await, mail_files(&app));
        assert!(events > 4 && audit > 0 && mails > 0, "{events} {audit} {mails}");
        assert_eq!(delete_expired(&app).await, Expired::default());

        app.pass(Duration::days(30) + Duration::hours(1));
        let expired = Expired { session_links: 2, mail_files: mails, ..Expired::default() };
        assert_eq!(due(&app).await, expired);
        assert_eq!(delete_expired(&app).await, expired);
        assert_eq!((rows("sessions").await, rows("admin_sessions").await, mail_files(&app)), (0, 0, 0));

        app.pass(Duration::days(100));
        caller.update(&edited, json!({ "deceased": { "firstName": "Anna" } })).await;
        app.pass(Duration::days(50) - Duration::hours(1));
        assert_eq!(delete_expired(&app).await, Expired::default(), "180 days");
        app.pass(Duration::milliseconds(1));
        assert_eq!(due(&app).await.drafts, 1);
        assert_eq!(delete_expired(&app).await, Expired { drafts: 1, ..Expired::default() });
        let there = async |gid: &str| app.store().any_card(card_id(gid)).await.expect("the store answers").is_some();
        assert_eq!((there(&forgotten).await, there(&edited).await, there(&kept).await), (false, true, true));
        app.pass(Duration::days(130) + Duration::hours(1) - Duration::milliseconds(1));
        assert_eq!(delete_expired(&app).await, Expired::default(), "180 days after its change");
        app.pass(Duration::milliseconds(1));
        assert_eq!(delete_expired(&app).await, Expired { drafts: 1, ..Expired::default() });

        assert_eq!((rows("invitees").await, rows("invitation_notes").await), (1, 1));
        app.pass(Duration::days(56));
        let counted = due(&app).await;
        let year = delete_expired(&app).await;
        assert_eq!(year, counted);
        assert_eq!((year.invitees, year.drafts, year.cards), (1, 0, 0), "{year:?}");
        assert!(year.events >= 3, "{year:?}");
        assert_eq!((rows("invitees").await, rows("invitation_notes").await), (0, 0));
        let subjects = retained(&app).await;
        assert_eq!(subjects[..2], [forgotten, edited], "each card has a record");
        for batch in ["invitees and notes before 20", "events before 20"] {
            assert_eq!(subjects.iter().filter(|subject| subject.starts_with(batch)).count(), 1, "{subjects:?}");
        }
        assert_eq!(subjects.len(), 4, "a step that deletes nothing leaves no record: {subjects:?}");
        app.pass(Duration::days(365));
        let counted = due(&app).await;
        assert_eq!((delete_expired(&app).await, counted.audit), (counted, audit));
        assert_eq!(rows("audit").await, retained(&app).await.len(), "the records of the deletions are younger");
        // A card that is online is kept unless the operator said otherwise, and works without its events.
        assert_eq!(app.row(&kept).await, ordered);
        caller.update(&kept, json!({ "deceased": { "firstName": "Anna" } })).await;
        assert_eq!(app.row(&kept).await.event_count, ordered.event_count + 1);
    }

    async fn operator_sees_how_long_data_is_kept_and_what_is_due(database: FreshDatabase) {
        let program = Program::new(&database);
        let rule = |shown: &Value, data: &str| {
            let rules = shown["retention"].as_array().unwrap_or_else(|| panic!("{shown}"));
            rules.iter().find(|rule| rule["data"] == data).unwrap_or_else(|| panic!("{shown}")).clone()
        };
        let shown = program.json(&["retention", "show"]);
        for data in ["cards never ordered", "cards online", "invitees", "events of cards"] {
            assert_eq!(rule(&shown, data)["kept"], "for ever");
        }
        assert_eq!(rule(&shown, "cards online"), json!({
            "data": "cards online", "kept": "for ever", "from": "the day they went online", "setting": "RETENTION_CARDS",
            "due": null,
        }));
        let program = program.set("RETENTION_DRAFTS", "180d").set("RETENTION_CARDS", "3650d").set("RETENTION_EVENTS", "31d");
        let counted = program.json(&["retention", "show", "--dry-run"]);
        assert_eq!(rule(&counted, "cards never ordered")["kept"], "180d");
        assert_eq!((&rule(&counted, "cards online")["kept"], &rule(&counted, "cards online")["due"]), (&json!("3650d"), &json!(0)));
        assert!(program.text(&["retention", "show"]).contains("RETENTION_EVENTS"));
        for (name, value) in [("RETENTION_EVENTS", "30d"), ("RETENTION_DRAFTS", "0d"), ("RETENTION_AUDIT", "36501d"), ("RETENTION_INVITEES", "1y")] {
            let said = program.clone().set(name, value).expect_failure(&["retention", "show"]);
            assert!(said.contains(&format!("{name}: must be off, or a number of days from")), "{said}");
        }
    }

    async fn family_reads_what_is_deleted_and_when(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "retention", &[AGES[0], AGES[1], ("RETENTION_CARDS", "1d")]).await;
        let (live, gid) = app.live_draft("1").await;
        for target in ["CUSTOMIZER", "INVITEE_LIST"] {
            let page = Browser::new(&app).open(&path_of(&live.link(&gid, target).await)).await.text();
            for sentence in [
                "Wordt een kaart niet besteld, dan verwijderen wij de kaart 180 dagen na de laatste wijziging.",
                "Wij verwijderen een kaart 1 dag nadat de kaart online is gekomen.",
                "Wij verwijderen genodigden 365 dagen nadat zij op de lijst zijn gezet. Hun persoonlijke link werkt dan niet meer.",
            ] {
                assert!(page.contains(sentence), "{sentence}: {page}");
            }
        }
    }

    async fn card_online_is_deleted_with_everything_but_its_order_where_the_operator_says_so(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "retention", &[("RETENTION_CARDS", "400d")]).await;
        let gid = online(&app.live().await, "1").await;
        let online_for = app.now().utc() - app.row(&gid).await.activated_at.expect("it is online").utc();
        app.pass(Duration::days(400) - online_for);
        assert_eq!(delete_expired(&app).await.cards, 0);
        app.pass(Duration::milliseconds(1));
        assert_eq!(delete_expired(&app).await.cards, 1);
        assert!(app.store().any_card(card_id(&gid)).await.expect("the store answers").is_none());
        assert!(app.store().order_of(card_id(&gid)).await.expect("the store answers").is_some(), "it is invoiced");
    }
}
