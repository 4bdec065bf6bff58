//! `card order`, `card activate`: with the events of each step (specification, section 3).

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving, wait_for};

const READ: &str = "query ($id: ID!) { card(id: $id) { status cardUrl } }";

/// A server with the shipped themes, and the token of a new partner's key.
fn ready(program: &Program, mode: &str) -> (Serving, String) {
    program.import_themes();
    (program.serve(), program.token(mode))
}

/// The fields that an order needs.
fn whole() -> Value {
    json!({
        "externalDossierId": "1", "themeId": "1", "deceased": { "lastName": "van der Meer" },
        "familyContact": { "email": "pieter@voorbeeld.nl" },
    })
}

on_both_databases! {
    async fn ordered_card_becomes_active_as_the_setting_says(database: FreshDatabase) {
        let program = Program::new(&database);
        let (serving, token) = ready(&program, "live");
        let id = serving.create(&token, whole()).await;
        assert_eq!(program.json(&["card", "order", &id])["card"]["status"], "ORDERED");
        let active = || async {
            let data = serving.data(&token, READ, json!({ "id": id })).await;
            (data["card"]["status"] == "ACTIVE" && data["card"]["cardUrl"].is_string()).then_some(())
        };
        wait_for("the server activates the card", active).await;
        let shown = program.json(&["card", "show", &id]);
        let actors: Vec<_> = shown["card"]["events"].as_array().expect("events").iter().map(|event| &event["actor"]).collect();
        assert_eq!(actors, ["PARTNER", "OPERATOR", "SERVICE"]);
    }

    async fn card_is_ordered_and_activated_with_a_running_server(database: FreshDatabase) {
        let program = Program::new(&database).set("CARD_ACTIVATION", "operator");
        let (serving, token) = ready(&program, "live");
        let id = serving.create(&token, whole()).await;

        program.expect_failure(&["card", "activate", &id]); // a draft
        let ordered = program.json(&["card", "order", &id]);
        assert_eq!(ordered["card"]["status"], "ORDERED", "{ordered}");
        let data = serving.data(&token, READ, json!({ "id": id })).await;
        assert_eq!(data["card"], json!({ "status": "ORDERED", "cardUrl": null }));
        program.expect_failure(&["card", "order", &id]); // it is ordered once
        let activated = program.json(&["card", "activate", &id]);
        assert_eq!(activated["card"]["status"], "ACTIVE", "{activated}");
        let data = serving.data(&token, READ, json!({ "id": id })).await;
        assert_eq!(data["card"]["status"], "ACTIVE");
        assert_eq!(data["card"]["cardUrl"], activated["card"]["cardUrl"]);
        program.expect_failure(&["card", "activate", &id]); // ACTIVE is final
        let events = activated["card"]["events"].as_array().expect("events");
        let report: Vec<_> = events.iter().map(|event| (&event["sequence"], &event["topic"], &event["actor"])).collect();
        assert_eq!(report, [
            (&json!(1), &json!("CARDS_CREATE"), &json!("PARTNER")),
            (&json!(2), &json!("CARDS_ORDERED"), &json!("OPERATOR")),
            (&json!(3), &json!("CARDS_ACTIVATED"), &json!("OPERATOR")),
        ]);
    }

    async fn card_that_lacks_what_an_order_needs_is_not_ordered(database: FreshDatabase) {
        let program = Program::new(&database);
        let (serving, token) = ready(&program, "live");
        for (dossier, missing, named) in [
            ("a", vec!["themeId"], "a theme"),
            ("b", vec!["deceased"], "a first or last name"),
            ("c", vec!["familyContact"], "the e-mail address of the family contact"),
            ("d", vec!["themeId", "familyContact"], "a theme, the e-mail address of the family contact"),
        ] {
            let mut input = whole();
            input["externalDossierId"] = json!(dossier);
            missing.iter().for_each(|field| input[*field] = Value::Null);
            let id = serving.create(&token, input).await;
            let said = program.expect_failure(&["card", "order", &id]);
            assert_eq!(said, format!("The card lacks what an order needs: {named}.\n"));
            let data = serving.data(&token, READ, json!({ "id": id })).await;
            assert_eq!(data["card"]["status"], "DRAFT", "{missing:?}");
            let shown = program.json(&["card", "show", &id]);
            assert_eq!(shown["card"]["events"].as_array().map(Vec::len), Some(1), "{shown}");
        }
        // A name that shows nothing is none.
        for (number, blank) in [" ", "\u{2800}", "\u{3164}\u{200d}"].into_iter().enumerate() {
            let mut input = whole();
            input["externalDossierId"] = json!(number.to_string());
            input["deceased"] = json!({ "firstName": blank, "lastName": blank });
            let id = serving.create(&token, input).await;
            let said = program.expect_failure(&["card", "order", &id]);
            assert_eq!(said, "The card lacks what an order needs: a first or last name.\n");
        }
    }

    async fn test_card_is_ordered_only_with_a_test_address(database: FreshDatabase) {
        let program = Program::new(&database);
        let (serving, token) = ready(&program, "test");
        let id = serving.create(&token, whole()).await;
        let said = program.expect_failure(&["card", "order", &id]);
        assert_eq!(said, "A test card cannot be ordered while the partner has no test address.\n");
        let data = serving.data(&token, READ, json!({ "id": id })).await;
        assert_eq!(data["card"]["status"], "DRAFT");

        program.json(&["partner", "set", "Noord", "test-address=test@noord.example"]);
        assert_eq!(program.json(&["card", "order", &id])["card"]["status"], "ORDERED");
        let folder = database.folder.path().join("export");
        program.json(&["card", "export", &id, folder.to_str().expect("UTF-8")]);
        let card: Value = serde_json::from_slice(&std::fs::read(folder.join("card.json")).expect("a file")).expect("JSON");
        assert_eq!(card["order"]["customer"]["email"], "test@noord.example", "the family is no customer");
    }

    async fn text_of_a_partner_does_nothing_to_the_terminal(database: FreshDatabase) {
        let program = Program::new(&database);
        let (serving, token) = ready(&program, "live");
        let dossier = "2026\u{1b}]0;x\u{7}\u{1b}[2K\r\nCard  gid://service/Card/FAKE\u{202e}\u{9b}\u{200b}é";
        let id = serving.create(&token, json!({ "externalDossierId": dossier })).await;
        let shown = "2026\\u{1b}]0;x\\u{7}\\u{1b}[2K\\u{d}\\u{a}Card  gid://service/Card/FAKE\\u{202e}\\u{9b}\\u{200b}é";
        let refused = program.expect_failure(&["card", "delete", &id]);
        for text in [program.text(&["card", "show", &id]), program.text(&["card", "list", dossier]), refused] {
            assert!(text.contains(shown) && !text.contains("\nCard  gid://service/Card/FAKE"), "{text:?}");
            assert!(!text.chars().any(|c| c != '\n' && card_service::base::is_hidden(c)), "{text:?}");
        }
        let json = program.run(&["card", "show", &id, "--json"]);
        let json = String::from_utf8(json.stdout).expect("UTF-8");
        assert!(!json.trim_end().chars().any(card_service::base::is_hidden), "{json:?}");
        let parsed: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(parsed["card"]["externalDossierId"], dossier);
        let unknown = program.expect_failure(&["card", "list", "\u{1b}[31mrood"]);
        assert_eq!(unknown, "No card is known by \"\\u{1b}[31mrood\".\n");
        assert!(program.expect_failure(&["card", "show", "\u{1b}[31m"]).starts_with("\"\\u{1b}[31m\" is not the global id"));
    }

    async fn card_that_is_not_there_is_refused(database: FreshDatabase) {
        let program = Program::new(&database);
        for command in ["order", "activate"] {
            for gid in ["", "1", "gid://service/Theme/00000000-0000-7000-8000-000000000000",
                "gid://service/Card/00000000-0000-7000-8000-000000000000", "gid://service/Card/é"] {
                program.expect_failure(&["card", command, gid]);
            }
        }
    }
}
