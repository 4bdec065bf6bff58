//! `card order`, `card activate`: with the events of each step (specification, section 3).

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving};

const THEMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/themes");
const READ: &str = "query ($id: ID!) { card(id: $id) { status cardUrl } }";

/// A server with the shipped themes, and the token of a new partner's key.
fn ready(program: &Program, mode: &str) -> (Serving, String) {
    program.json(&["partner", "add", "Noord"]);
    program.json(&["theme", "import", THEMES]);
    let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", mode]);
    (program.serve(), issued["token"].as_str().expect("a token").to_owned())
}

/// What an order needs.
fn whole() -> Value {
    json!({
        "externalDossierId": "1", "themeId": "1", "deceased": { "lastName": "van der Meer" },
        "familyContact": { "email": "pieter@voorbeeld.nl" },
    })
}

async fn create(serving: &Serving, token: &str, input: Value) -> String {
    let document =
        "mutation ($input: CardCreateInput!) { cardCreate(input: $input) { card { id } userErrors { message } } }";
    let data = serving.data(token, document, json!({ "input": input })).await;
    data["cardCreate"]["card"]["id"].as_str().unwrap_or_else(|| panic!("{data}")).to_owned()
}

/// Runs a command that is refused; returns its message.
fn refused(program: &Program, arguments: &[&str]) -> String {
    let output = program.run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?} is refused");
    assert!(output.stdout.is_empty(), "{arguments:?} prints nothing");
    String::from_utf8(output.stderr).expect("UTF-8")
}

on_both_databases! {
    async fn card_is_ordered_and_activated_with_a_running_server(database: FreshDatabase) {
        let program = Program::on(&database);
        let (serving, token) = ready(&program, "live");
        let id = create(&serving, &token, whole()).await;

        let early = program.run(&["card", "activate", &id]);
        assert!(!early.status.success(), "a draft cannot be activated");

        let ordered = program.json(&["card", "order", &id]);
        assert_eq!(ordered["card"]["status"], "ORDERED", "{ordered}");
        let data = serving.data(&token, READ, json!({ "id": id })).await;
        assert_eq!(data["card"], json!({ "status": "ORDERED", "cardUrl": null }));
        assert!(!program.run(&["card", "order", &id]).status.success(), "it is ordered once");

        let activated = program.json(&["card", "activate", &id]);
        assert_eq!(activated["card"]["status"], "ACTIVE", "{activated}");
        let data = serving.data(&token, READ, json!({ "id": id })).await;
        assert_eq!(data["card"]["status"], "ACTIVE");
        assert_eq!(data["card"]["cardUrl"], activated["card"]["cardUrl"]);
        assert!(!program.run(&["card", "activate", &id]).status.success(), "ACTIVE is final");

        let events = activated["card"]["events"].as_array().expect("events");
        let told: Vec<_> = events.iter().map(|event| (&event["sequence"], &event["topic"], &event["actor"])).collect();
        assert_eq!(told, [
            (&json!(1), &json!("CARDS_CREATE"), &json!("PARTNER")),
            (&json!(2), &json!("CARDS_ORDERED"), &json!("OPERATOR")),
            (&json!(3), &json!("CARDS_ACTIVATED"), &json!("OPERATOR")),
        ]);
    }

    async fn card_that_lacks_what_an_order_needs_is_not_ordered(database: FreshDatabase) {
        let program = Program::on(&database);
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
            let id = create(&serving, &token, input).await;
            let said = refused(&program, &["card", "order", &id]);
            assert_eq!(said, format!("The card lacks what an order needs: {named}.\n"));
            let data = serving.data(&token, READ, json!({ "id": id })).await;
            assert_eq!(data["card"]["status"], "DRAFT", "{missing:?}");
            let shown = program.json(&["card", "show", &id]);
            assert_eq!(shown["card"]["events"].as_array().map(Vec::len), Some(1), "{shown}");
        }
    }

    async fn test_card_is_ordered_only_with_a_test_address(database: FreshDatabase) {
        let program = Program::on(&database);
        let (serving, token) = ready(&program, "test");
        let id = create(&serving, &token, whole()).await;
        let said = refused(&program, &["card", "order", &id]);
        assert_eq!(said, "A test card cannot be ordered while the partner has no test address.\n");
        let data = serving.data(&token, READ, json!({ "id": id })).await;
        assert_eq!(data["card"]["status"], "DRAFT");

        program.json(&["partner", "test-address", "Noord", "test@noord.example"]);
        assert_eq!(program.json(&["card", "order", &id])["card"]["status"], "ORDERED");
        let folder = database.folder.path().join("export");
        program.json(&["card", "export", &id, folder.to_str().expect("UTF-8")]);
        let card: Value = serde_json::from_slice(&std::fs::read(folder.join("card.json")).expect("a file")).expect("JSON");
        assert_eq!(card["order"]["customer"]["email"], "test@noord.example", "the family is no customer");
    }

    async fn card_that_is_not_there_is_refused(database: FreshDatabase) {
        let program = Program::on(&database);
        for command in ["order", "activate"] {
            for gid in ["", "1", "gid://service/Theme/00000000-0000-7000-8000-000000000000",
                "gid://service/Card/00000000-0000-7000-8000-000000000000", "gid://service/Card/é"] {
                let refused = program.run(&["card", command, gid]);
                let said = String::from_utf8(refused.stderr).expect("UTF-8");
                assert!(!refused.status.success(), "{command} {gid}");
                assert!(!said.is_empty() && !said.contains("panicked"), "{command} {gid}: {said}");
            }
        }
    }
}
