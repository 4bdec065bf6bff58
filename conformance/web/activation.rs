//! Activation of an ordered card, and crashes during it (decisions S9).

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::family::{Browser, customizer};
use crate::app::{FreshDatabase, Program, Serving, tamper, wait_for};

const READ: &str = "query ($id: ID!) { card(id: $id) { status cardUrl } }";

/// A server with the shipped themes, and the token of a partner.
fn ready(program: &Program) -> (Serving, String) {
    program.import_themes();
    (program.serve(), program.token("live"))
}

/// Creates a card with all fields that an order needs.
async fn complete(serving: &Serving, token: &str, dossier: &str) -> String {
    let input = json!({
        "externalDossierId": dossier, "themeId": "1", "deceased": { "firstName": "Johanna" },
        "familyContact": { "email": "pieter@voorbeeld.nl" },
    });
    serving.create(token, input).await
}

/// Opens a link and orders.
async fn order(serving: &Serving, token: &str, gid: &str) {
    let mut browser = Browser::at_address(&serving.base);
    browser.get(&serving.link(token, gid, "CUSTOMIZER").await).await;
    assert!(
        browser.cookies.keys().all(|name| !name.starts_with("__Host-")),
        "http on the loopback has no use for a secure cookie"
    );
    let answer = browser.submit(&customizer(gid, "bestellen"), &[("agree", "ja")]).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
}

/// Makes the database refuse every activation until [`let_activate`], so that an ordered card stays ordered.
async fn refuse_activation(database: &FreshDatabase) {
    let refuse = match database.url.starts_with("sqlite") {
        true => {
            "CREATE TRIGGER not_yet BEFORE UPDATE ON cards WHEN NEW.status = 'ACTIVE'
             BEGIN SELECT RAISE(ABORT, 'not yet'); END"
        }
        false => {
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not yet'; END $$;
             CREATE TRIGGER not_yet BEFORE UPDATE ON cards FOR EACH ROW WHEN (NEW.status = 'ACTIVE')
             EXECUTE FUNCTION refuse()"
        }
    };
    tamper(&database.url, refuse).await;
}

async fn let_activate(database: &FreshDatabase) {
    let drop =
        if database.url.starts_with("sqlite") { "DROP TRIGGER not_yet" } else { "DROP TRIGGER not_yet ON cards" };
    tamper(&database.url, drop).await;
}

/// Returns the topics of a card's events from the operator's command.
fn topics(program: &Program, gid: &str) -> Vec<String> {
    let shown = program.json(&["card", "show", gid]);
    let events = shown["card"]["events"].as_array().expect("events").clone();
    events.iter().map(|event| event["topic"].as_str().expect("a topic").to_owned()).collect()
}

async fn status(serving: &Serving, token: &str, gid: &str) -> Value {
    serving.data(token, READ, json!({ "id": gid })).await["card"]["status"].take()
}

async fn until_active(serving: &Serving, token: &str, gid: &str) {
    wait_for("the card is online", || async { (status(serving, token, gid).await == "ACTIVE").then_some(()) }).await;
}

on_both_databases! {
    async fn card_with_manual_activation_goes_online_by_the_operator(database: FreshDatabase) {
        let program = Program::new(&database).set("CARD_ACTIVATION", "operator");
        let (serving, token) = ready(&program);
        let gid = complete(&serving, &token, "1").await;
        order(&serving, &token, &gid).await;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        assert_eq!(status(&serving, &token, &gid).await, "ORDERED");
        let activated = program.json(&["card", "activate", &gid]);
        let told: Vec<_> = activated["card"]["events"].as_array().expect("events").iter().map(|e| (&e["topic"], &e["actor"])).collect();
        assert_eq!(told[1..], [
            (&json!("CARDS_ORDERED"), &json!("FAMILY")), (&json!("CARDS_ACTIVATED"), &json!("OPERATOR")),
        ]);
    }

    async fn card_that_was_ordered_before_a_crash_goes_online_after_it(database: FreshDatabase) {
        let program = Program::new(&database);
        let (serving, token) = ready(&program);
        let gid = complete(&serving, &token, "1").await;
        refuse_activation(&database).await;
        order(&serving, &token, &gid).await;
        assert_eq!(status(&serving, &token, &gid).await, "ORDERED");
        serving.kill();
        let_activate(&database).await;
        let serving = program.serve();
        until_active(&serving, &token, &gid).await;
        assert_eq!(topics(&program, &gid), ["CARDS_CREATE", "CARDS_ORDERED", "CARDS_ACTIVATED"]);
    }
}
