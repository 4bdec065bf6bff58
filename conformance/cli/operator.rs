//! Blocking, rotating, retiring, reporting, exporting, finding, and the audit record of each change.

use card_service::base::limits::THEMES_CACHED;
use card_service::model::DeliveryState;
use card_service::operation::invitee::{self, NoteChange};
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, FreshDatabase, Program, TestApp, card_id, picture};

on_both_databases! {
    async fn change_is_noted_once_and_what_reads_or_fails_is_not(database: FreshDatabase) {
        let program = Program::new(&database).set("USER", "piet");
        program.json(&["partner", "add", "Noord"]);
        program.expect_failure(&["partner", "add", "Noord"]);
        program.json(&["partner", "set", "Noord", "test-address=geheim@noord.example"]);
        program.expect_failure(&["partner", "set", "Noord", "price=veel"]);
        program.json(&["partner", "set", "Noord", "price=61,00"]);
        let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "test", "--label", "kas"]);
        let key = issued["key"]["id"].as_str().expect("an id");
        program.json(&["key", "revoke", key]);
        program.json(&["key", "list", "--partner", "Noord"]);
        program.json(&["partner", "show", "Noord"]);
        let issued_secret = program.json(&["webhook", "secret", "issue", "--partner", "Noord"]);
        let secret = issued_secret["webhookSecret"]["id"].as_str().expect("an id");
        program.import_themes();
        for _ in 0..2 {
            program.json(&["partner", "block", "Noord", "--yes"]);
            program.json(&["webhook", "secret", "revoke", secret]);
            program.json(&["theme", "retire", "1"]);
        }
        let commands: Vec<_> = program.audit_records().into_iter().map(|(command, subject, _)| (command, subject)).collect();
        let expected = [
            ("init", "the database"),
            ("partner add", "Noord"),
            ("partner set", "Noord"),
            ("partner set", "Noord"),
            ("key issue", "Noord"),
            ("key revoke", key),
            ("webhook secret issue", "Noord"),
            ("theme import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")),
            ("partner block", "Noord"),
            ("webhook secret revoke", secret),
            ("theme retire", "1"),
        ];
        assert_eq!(commands, expected.map(|(command, subject)| (command.to_owned(), subject.to_owned())));
        let all = program.json(&["audit", "list"]).to_string();
        // The price is looked for among the fields alone: moments and ids have its digits too.
        let fields = format!("{:?}", program.audit_records().into_iter().map(|(_, _, fields)| fields).collect::<Vec<_>>());
        for value in ["geheim@noord.example", "kas", issued["token"].as_str().expect("a token")] {
            assert!(!all.contains(value), "{value} is a value: {all}");
        }
        assert!(fields.contains("price") && !fields.contains("61"), "{fields}");
        assert!(all.contains("testAddress"), "{all}");
        let table = program.text(&["audit", "list", "--limit", "2"]);
        assert_eq!(table.lines().count(), 3, "{table}");
        assert_eq!(program.json(&["audit", "list", "--since", "2099-01-01"])["audit"], json!([]));
    }

    async fn blocked_partner_is_refused_and_its_notifications_wait(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_ORDERED", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let (first, second) = (caller.draft("1").await, caller.draft("2").await);
        app.order(&first).await;
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        app.operator().expect_failure(&["partner", "block", "Uitvaart Noord"]); // --yes is missing
        let blocked = app.operator().json(&["partner", "block", "Uitvaart Noord", "--yes"]);
        assert_eq!(blocked["partner"]["blocked"], true);
        // The family orders all the same: its card is not the partner's quarrel.
        app.order(&second).await;
        app.assert_quiet("/hook", 1).await;
        app.pass(chrono::Duration::seconds(5)); // the server caches a key for at most 4 s
        caller.graphql("{ __typename }", json!({})).await.expect_error(403, "ACCESS_DENIED");
        app.operator().json(&["partner", "block", "Uitvaart Noord", "--undo"]);
        app.pass(chrono::Duration::seconds(5));
        assert_eq!(app.arrive("/hook", 2).await[1].card(), second);
        assert_eq!(caller.graphql("{ __typename }", json!({})).await.status, 200);
    }

    async fn rotated_key_and_old_key_work_until_the_overlap_ends(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let (id, old) = account.caller(card_service::model::KeyMode::Test, None).await;
        // The command's clock is the machine's; the overlap is counted from it.
        let rotated = app.operator().json(&["key", "rotate", &id.to_string(), "--overlap", "24h"]);
        let new = Caller::new(app.clone(), rotated["token"].as_str().expect("a token"));
        assert_eq!((&rotated["key"]["mode"], &rotated["previous"]["id"]), (&json!("test"), &json!(id.to_string())));
        for caller in [&old, &new] {
            assert_eq!(caller.graphql("{ __typename }", json!({})).await.status, 200);
        }
        app.pass(chrono::Duration::days(365));
        old.graphql("{ __typename }", json!({})).await.expect_error(401, "UNAUTHENTICATED");
        assert_eq!(new.graphql("{ __typename }", json!({})).await.status, 200);
        app.operator().json(&["key", "revoke", &id.to_string()]);
        app.operator().expect_failure(&["key", "rotate", &id.to_string()]); // it has expired
    }

    async fn theme_retired_cannot_be_chosen_and_stays_on_its_cards(app: TestApp) {
        let (zee, bos) = (app.theme("zee", 1).await, app.theme("bos", 2).await);
        let live = app.live().await;
        let number = zee.number.to_string();
        let card = live.create(json!({ "externalDossierId": "1", "themeId": number })).await.gid();
        assert_eq!(app.operator().json(&["theme", "retire", &number])["theme"]["handle"], "zee");
        app.pass(chrono::Duration::from_std(THEMES_CACHED).expect("a second"));
        let listed = live.data("{ themes(first: 1) { nodes { handle } pageInfo { hasNextPage } } }", json!({})).await;
        let page = json!({ "nodes": [{ "handle": "bos" }], "pageInfo": { "hasNextPage": false } });
        assert_eq!(listed["themes"], page);
        live.create(json!({ "externalDossierId": "2", "themeId": number })).await.fault("NOT_FOUND", "input.themeId");
        assert_eq!(live.card(&card).await["theme"]["handle"], "zee");
        let own = json!({ "themeId": number, "livestreamUrl": "https://live.example/zee" });
        let updated = live.update(&card, own).await;
        assert_eq!((updated.gid(), &updated.card["theme"]["handle"]), (card.clone(), &json!("zee")));
        let other = live.create(json!({ "externalDossierId": "3", "themeId": bos.number.to_string() })).await.gid();
        live.update(&other, json!({ "themeId": number })).await.fault("NOT_FOUND", "input.themeId");
        let operators = app.operator().json(&["theme", "list"]);
        let retired: Vec<_> = operators["themes"].as_array().expect("a list").iter().map(|t| !t["retiredAt"].is_null()).collect();
        assert_eq!(retired, [true, false], "{operators}");
        app.operator().json(&["theme", "retire", "zee", "--undo"]);
        live.create(json!({ "externalDossierId": "2", "themeId": number })).await.gid();
        app.operator().expect_failure(&["theme", "retire", "99"]);
        live.update(&other, json!({ "themeId": number })).await.gid();
    }

    async fn report_counts_live_orders_by_month_and_partner(app: TestApp) {
        let (noord, zuid) = (app.partner("Noord, en Co").await, app.partner("Zuid").await);
        let (live, test, other) = (noord.live().await, noord.test().await, zuid.live().await);
        for (caller, dossier) in [(&live, "1"), (&live, "2"), (&test, "t"), (&other, "3")] {
            let gid = caller.draft(dossier).await;
            app.order(&gid).await;
        }
        app.pass(chrono::Duration::days(30));
        let december = live.draft("4").await;
        app.order(&december).await;
        let line = |month: &str, partner: &str, orders: u64, cents: i64| {
            json!({ "month": month, "partner": partner, "orders": orders, "cents": cents })
        };
        let report = |more: &[&str]| app.operator().json(&[&["report", "orders"], more].concat())["orders"].clone();
        let november = [line("2026-11", "Noord, en Co", 2, 9_900), line("2026-11", "Zuid", 1, 4_950)];
        assert_eq!(report(&["--from", "2026-11"]), json!(november));
        let both = [&november[..], &[line("2026-12", "Noord, en Co", 1, 4_950)]].concat();
        assert_eq!(report(&["--from", "2026-11", "--to", "2026-12"]), json!(both));
        assert_eq!(report(&["--from", "2026-12", "--partner", "Zuid"]), json!([]));
        // A partner checks its invoice by the dossier numbers.
        let lines = app.operator().json(&["report", "orders", "--from", "2026-11", "--lines", "--partner", "Noord, en Co"]);
        let mut lines: Vec<_> = lines["lines"].as_array().expect("a list").iter()
            .map(|line| (line["day"].clone(), line["externalDossierId"].clone(), line["cents"].clone())).collect();
        lines.sort_by_key(|(_, dossier, _)| dossier.to_string()); // both were ordered in one millisecond
        assert_eq!(lines, [(json!("2026-11-10"), json!("1"), json!(4_950)), (json!("2026-11-10"), json!("2"), json!(4_950))]);
        let csv = app.operator().text(&["report", "orders", "--from", "2026-12", "--lines", "--csv"]);
        assert!(csv.starts_with("day,partner,order,dossier,euros\r\n2026-12-10,\"Noord, en Co\","), "{csv}");
        assert!(csv.trim_end().ends_with(",4,49.50"), "{csv}");
        // An order outlives its card.
        app.operator().json(&["card", "delete", &december, "--yes"]);
        assert_eq!(report(&["--from", "2026-12"]), json!([both[2]]));
        let lines = app.operator().json(&["report", "orders", "--from", "2026-12", "--lines"]);
        assert_eq!(lines["lines"][0]["externalDossierId"], json!(null), "{lines}");
        assert_eq!(
            app.operator().text(&["report", "orders", "--from", "2026-11", "--csv"]).replace("\r\n", "\n"),
            "month,partner,orders,euros\n2026-11,\"Noord, en Co\",2,99.00\n2026-11,Zuid,1,49.50\n"
        );
    }

    async fn card_is_found_by_what_people_call_it(app: TestApp) {
        let (live, gid) = app.live_draft("2026 / 0142").await;
        live.draft("andere").await;
        app.order(&gid).await;
        app.activate(&gid).await;
        let card = live.card(&gid).await;
        let order = app.store().order_of(card_id(&gid)).await.expect("the store answers").expect("an order");
        let url = card["cardUrl"].as_str().expect("an address");
        for what in [gid.as_str(), &card_id(&gid).to_string(), "2026 / 0142", &order.number.as_str().to_lowercase(), url] {
            let found = app.operator().json(&["card", "list", what]);
            let ids: Vec<_> = found["cards"].as_array().expect("a list").iter().map(|card| &card["id"]).collect();
            assert_eq!(ids, [&json!(gid)], "{what}");
        }
        assert!(app.operator().expect_failure(&["card", "list", "Johanna"]).contains("No card is known by"), "a name finds nothing");
    }

    async fn export_holds_everything_about_a_card_and_is_noted(app: TestApp) {
        let live = app.live().await;
        let bytes = picture::photo("png");
        let photo = app.mock_server().photo("/portret", "image/png", bytes.clone());
        let created = live.create(json!({
            "externalDossierId": "1", "deceased": { "firstName": "Johanna", "photoUrl": photo },
            "familyContact": { "email": "pieter@voorbeeld.nl" },
        }));
        let gid = created.await.gid();
        app.order(&gid).await;
        let written = invitee::change_note(app.services(), card_id(&gid), "Tot ziens", false, None).await.expect("the store answers");
        assert_eq!(written, NoteChange::Stored);
        let folder = app.folder().join("uitvoer");
        let path = folder.to_str().expect("UTF-8");
        let shown = app.operator().json(&["card", "export", &gid, path]);
        assert_eq!(shown["files"].as_array().expect("a list").len(), 3, "{shown}");
        let card: Value = serde_json::from_slice(&std::fs::read(folder.join("card.json")).expect("a file")).expect("JSON");
        assert_eq!((&card["id"], &card["deceased"]["firstName"]), (&json!(gid), &json!("Johanna")));
        assert_eq!(card["order"]["customer"]["email"], "pieter@voorbeeld.nl");
        assert_eq!(card["invitationNote"], json!({ "note": "Tot ziens", "answers": false, "changedAt": app.now().to_string() }));
        assert_eq!(card["events"].as_array().map(Vec::len), Some(2));
        assert_eq!(std::fs::read(folder.join("portrait.png")).expect("a file"), bytes);
        let csv = std::fs::read_to_string(folder.join("invitees.csv")).expect("a file");
        assert_eq!(csv, "name,email,link,added,mails,first seen\r\n");
        app.operator().expect_failure(&["card", "export", &gid, path]); // nothing is overwritten
        let notes: Vec<_> = app.operator().audit_records().into_iter().map(|(command, ..)| command).collect();
        assert_eq!(notes, ["card export"]);
    }
}
