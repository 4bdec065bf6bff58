//! Activation of an ordered card, and crashes during it (decisions S9).

use std::time::Duration;

use card_service::base::Entropy;
use serde_json::{Value, json};

use crate::app::family::customizer;
use crate::app::{Answer, FreshDatabase, Program, Serving, http_client, tamper, wait_for};

/// The number of kills during an order.
const ROUNDS: u64 = 6;

const READ: &str = "query ($id: ID!) { card(id: $id) { status cardUrl } }";

/// A server with the shipped themes, and the token of a partner.
fn ready(program: &Program) -> (Serving, String) {
    program.json(&["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")]);
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

/// Opens a link and goes to the last step; returns the order form.
async fn about_to_order(serving: &Serving, token: &str, gid: &str) -> reqwest::RequestBuilder {
    let opened = serving.get(&serving.link(token, gid, "CUSTOMIZER").await).await;
    let cookie = opened.header("set-cookie").and_then(|line| line.split(';').next()).expect("a cookie").to_owned();
    assert!(!cookie.starts_with("__Host-"), "http on the loopback has no use for a secure cookie");
    let address = format!("{}{}", serving.base, customizer(gid, "bestellen"));
    let page = http_client().get(&address).header("cookie", &cookie).send().await.expect("an answer");
    let hidden = Answer::read(page).await.hidden();
    let body =
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(hidden).append_pair("agree", "ja").finish();
    let form = "application/x-www-form-urlencoded";
    http_client().post(&address).header("cookie", &cookie).header("content-type", form).body(body)
}

/// Opens a link and orders.
async fn order(serving: &Serving, token: &str, gid: &str) {
    let form = about_to_order(serving, token, gid).await;
    let answer = Answer::read(form.send().await.expect("an answer")).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
}

/// Makes the database refuse every activation until [`let_activate`], so that the state after an order stays.
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
        let program = Program::on(&database).set("CARD_ACTIVATION", "operator");
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
        let program = Program::on(&database);
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

    async fn order_killed_at_a_random_point_is_whole_or_absent(database: FreshDatabase) {
        let program = Program::on(&database);
        let (mut serving, token) = ready(&program);
        let (entropy, mut ordered) = (Entropy::system(), 0);
        for round in 0..ROUNDS {
            let gid = complete(&serving, &token, &round.to_string()).await;
            let form = about_to_order(&serving, &token, &gid).await;
            let answered = tokio::spawn(async move { form.send().await.map(|answer| answer.status().as_u16()) });
            // From before the order is read to well after the card would be online.
            let pause = u64::from(u16::from_be_bytes(entropy.bytes())) % 30_000;
            tokio::time::sleep(Duration::from_micros(pause)).await;
            serving.kill();
            let acknowledged = matches!(answered.await.expect("the request ends"), Ok(303));
            serving = program.serve();
            let found = status(&serving, &token, &gid).await;
            assert!(found != "DRAFT" || !acknowledged, "an order that was acknowledged is there");
            if found == "DRAFT" {
                assert_eq!(topics(&program, &gid), ["CARDS_CREATE"]);
                order(&serving, &token, &gid).await;
            } else {
                ordered += 1;
            }
            until_active(&serving, &token, &gid).await;
            assert_eq!(topics(&program, &gid), ["CARDS_CREATE", "CARDS_ORDERED", "CARDS_ACTIVATED"]);
        }
        let report = program.json(&["report", "orders", "--from", "2026-01", "--to", "2099-12"]);
        let placed: u64 = report["orders"].as_array().expect("months").iter().filter_map(|m| m["orders"].as_u64()).sum();
        assert_eq!(placed, ROUNDS, "each card has one order, {ordered} of them by processes that were killed: {report}");
    }
}
