//! `serve`: one line, a database that is migrated first, a stop that loses nothing, settings that are wrong.

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program};

on_both_databases! {
    async fn server_started_again_keeps_what_it_was_given(database: FreshDatabase) {
        let program = Program::on(&database);
        // `serve` migrates an empty database by itself.
        let serving = program.serve();
        program.json(&["partner", "add", "Noord"]);
        let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let token = issued["token"].as_str().expect("a token");
        let create = "mutation { cardCreate(input: { externalDossierId: \"1\" }) { card { id } } }";
        let data = serving.data(token, create, Value::Null).await;
        let id = data["cardCreate"]["card"]["id"].clone();
        assert!(serving.terminate(), "a server that is told to stop ends well");

        let serving = program.serve();
        let read = "query ($id: ID!) { card(id: $id) { externalDossierId } }";
        let data = serving.data(token, read, json!({ "id": id })).await;
        assert_eq!(data["card"]["externalDossierId"], "1");
        // Killed: the next start finds everything all the same.
        serving.kill();
        let serving = program.serve();
        let data = serving.data(token, read, json!({ "id": id })).await;
        assert_eq!(data["card"]["externalDossierId"], "1");
    }

    async fn servers_on_one_database_see_each_others_cards(database: FreshDatabase) {
        let program = Program::on(&database);
        let [one, other] = [program.serve(), program.serve()];
        program.json(&["partner", "add", "Noord"]);
        let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
        let token = issued["token"].as_str().expect("a token");
        let create = "mutation { cardCreate(input: { externalDossierId: \"1\" }) { card { id } userErrors { code } } }";
        let (first, second) =
            tokio::join!(one.data(token, create, Value::Null), other.data(token, create, Value::Null));
        let made = [&first, &second].into_iter().filter(|data| data["cardCreate"]["card"]["id"].is_string());
        assert_eq!(made.count(), 1, "{first} {second}");
    }
}

#[test]
fn settings_that_are_wrong_are_all_named_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::with("mysql://localhost/cards", folder.path())
        .set("LISTEN", "everywhere")
        .set("PUBLIC_BASE_URL", "ftp://kaarten.example")
        .set("EGRESS_ALLOW", "not-an-address")
        .set("CARD_ACTIVATION", "sometimes");
    let refused = program.run(&["serve"]);
    let said = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(!refused.status.success());
    for name in ["DATABASE_URL", "LISTEN", "PUBLIC_BASE_URL", "EGRESS_ALLOW", "CARD_ACTIVATION"] {
        assert!(said.contains(name), "{name} is named in: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn port_that_is_taken_is_told_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = taken.local_addr().expect("an address").to_string();
    let url = format!("sqlite://{}", folder.path().join("card-service.db").display());
    let refused = Program::with(&url, folder.path()).set("LISTEN", &address).run(&["serve"]);
    let said = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(!refused.status.success() && said.contains(&address) && !said.contains("panicked"), "{said}");
}
