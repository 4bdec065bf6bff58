//! Who puts an ordered card online, and what a crash in between leaves (decisions S9).

use std::time::Duration;

use serde_json::{Value, json};

use crate::app::family::customizer;
use crate::app::{Answer, FreshDatabase, Program, Serving, http_client, tamper};

const READ: &str = "query ($id: ID!) { card(id: $id) { status cardUrl } }";

/// A server with a card that lacks nothing, and the path of its customizer.
async fn ready(program: &Program) -> (Serving, String, String) {
    program.json(&["partner", "add", "Noord"]);
    program.json(&["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")]);
    let issued = program.json(&["key", "issue", "--partner", "Noord", "--mode", "live"]);
    let token = issued["token"].as_str().expect("a token").to_owned();
    let serving = program.serve();
    let document =
        "mutation ($input: CardCreateInput!) { cardCreate(input: $input) { card { id } userErrors { message } } }";
    let input = json!({
        "externalDossierId": "1", "themeId": "1", "deceased": { "firstName": "Johanna" },
        "familyContact": { "email": "pieter@voorbeeld.nl" },
    });
    let data = serving.data(&token, document, json!({ "input": input })).await;
    let gid = data["cardCreate"]["card"]["id"].as_str().unwrap_or_else(|| panic!("{data}")).to_owned();
    (serving, token, gid)
}

/// The family opens its link and orders.
async fn order(serving: &Serving, token: &str, gid: &str) {
    let document = "mutation ($id: ID!) { cardSessionCreate(cardId: $id, target: CUSTOMIZER) { cardSession { url } } }";
    let data = serving.data(token, document, json!({ "id": gid })).await;
    let url = data["cardSessionCreate"]["cardSession"]["url"].as_str().expect("a link").to_owned();
    let path = url.split("/s/").nth(1).map(|secret| format!("{}/s/{secret}", serving.base)).expect("a link");
    let opened = Answer::read(http_client().get(path).send().await.expect("an answer")).await;
    let cookie = opened.header("set-cookie").and_then(|line| line.split(';').next()).expect("a cookie").to_owned();
    assert!(!cookie.starts_with("__Host-"), "http on the loopback has no use for a secure cookie");
    let address = format!("{}{}", serving.base, customizer(gid, "bestellen"));
    let page = http_client().get(&address).header("cookie", &cookie).send().await.expect("an answer");
    let hidden = Answer::read(page).await.hidden();
    let body =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(hidden).append_pair("agree", "ja").finish();
    let form = "application/x-www-form-urlencoded";
    let sent = http_client().post(&address).header("cookie", &cookie).header("content-type", form).body(body);
    let answer = Answer::read(sent.send().await.expect("an answer")).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
}

async fn status(serving: &Serving, token: &str, gid: &str) -> Value {
    serving.data(token, READ, json!({ "id": gid })).await["card"]["status"].take()
}

async fn until_active(serving: &Serving, token: &str, gid: &str) {
    for _ in 0..300 {
        if status(serving, token, gid).await == "ACTIVE" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the card does not go online");
}

on_both_databases! {
    async fn card_goes_online_by_the_operator_where_activation_is_the_operators(database: FreshDatabase) {
        let program = Program::on(&database).set("CARD_ACTIVATION", "operator");
        let (serving, token, gid) = ready(&program).await;
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
        // The operator's setting keeps the job away; the row that an automatic order leaves is put there by hand.
        let program = Program::on(&database).set("CARD_ACTIVATION", "operator");
        let (serving, token, gid) = ready(&program).await;
        order(&serving, &token, &gid).await;
        serving.kill();
        let due = if database.url.starts_with("sqlite") { "0" } else { "to_timestamp(0)" };
        tamper(&database.url, &format!("INSERT INTO activations SELECT id, {due}, 0 FROM cards")).await;
        let serving = program.serve();
        until_active(&serving, &token, &gid).await;
        let shown = program.json(&["card", "show", &gid]);
        let topics: Vec<_> = shown["card"]["events"].as_array().expect("events").iter().map(|e| &e["topic"]).collect();
        assert_eq!(topics, [&json!("CARDS_CREATE"), &json!("CARDS_ORDERED"), &json!("CARDS_ACTIVATED")]);
    }
}
