//! `card order`, `card activate`: the operator's hand, with the events of each step (specification, section 3).

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving};

async fn create(serving: &Serving, token: &str) -> String {
    let document =
        "mutation { cardCreate(input: { externalDossierId: \"1\" }) { card { id } userErrors { message } } }";
    let data = serving.data(token, document, Value::Null).await;
    data["cardCreate"]["card"]["id"].as_str().unwrap_or_else(|| panic!("{data}")).to_owned()
}

on_both_databases! {
    async fn card_is_ordered_and_activated_beside_a_running_server(database: FreshDatabase) {
        let program = Program::on(&database);
        program.json(&["partner", "add", "Noord"]);
        let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let token = issued["token"].as_str().expect("a token");
        let serving = program.serve();
        let id = create(&serving, token).await;
        let read = "query ($id: ID!) { card(id: $id) { status cardUrl } }";

        let early = program.run(&["card", "activate", &id]);
        assert!(!early.status.success(), "a draft cannot be activated");

        let ordered = program.json(&["card", "order", &id]);
        assert_eq!(ordered["card"]["status"], "ORDERED", "{ordered}");
        let data = serving.data(token, read, json!({ "id": id })).await;
        assert_eq!(data["card"], json!({ "status": "ORDERED", "cardUrl": null }));
        assert!(!program.run(&["card", "order", &id]).status.success(), "it is ordered once");

        let activated = program.json(&["card", "activate", &id]);
        assert_eq!(activated["card"]["status"], "ACTIVE", "{activated}");
        let data = serving.data(token, read, json!({ "id": id })).await;
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
