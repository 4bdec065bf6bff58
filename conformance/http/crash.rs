//! The process dies after the commit of a card and before its response is stored: a retry gets that card, not TAKEN and
//! not a second card (decisions, section 4).

use std::collections::HashMap;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use serde_json::{Value, json};

use crate::app::{Caller, FreshDatabase, Program, TestApp, http_client, tamper};

const CREATE: &str = "mutation ($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id externalDossierId status test } userErrors { code } }
}";

/// Restores the state of such a crash: the card under its key, and the key unbound.
async fn lose_response(app: &TestApp) {
    app.response_is_stored().await;
    tamper(app.database_url(), "UPDATE idempotency_keys SET response = NULL, bound = false").await;
}

async fn create(caller: &Caller, dossier: &str) -> (bool, Value) {
    let answer = caller.graphql(CREATE, json!({ "input": { "externalDossierId": dossier } })).await;
    (answer.header("x-service-idempotent-replay") == Some("true"), answer.data()["cardCreate"].take())
}

on_both_databases! {
    async fn retry_after_a_lost_answer_gets_the_same_card_and_no_event(app: TestApp) {
        let live = app.live().await;
        let keyed = live.keyed("k-1");
        let (_, first) = create(&keyed, "1").await;
        lose_response(&app).await;
        let (replay, again) = create(&keyed, "1").await;
        assert_eq!((replay, &again), (true, &first));
        // From now on that answer is the remembered one.
        let (replay, third) = create(&keyed, "1").await;
        assert_eq!((replay, &third), (true, &first));
        assert_eq!(app.topics(first["card"]["id"].as_str().expect("an id")).await, ["CARDS_CREATE"]);
    }

    async fn retry_after_a_lost_answer_with_another_body_is_422(app: TestApp) {
        let live = app.live().await;
        let keyed = live.keyed("k-1");
        create(&keyed, "1").await;
        lose_response(&app).await;
        let answer = keyed.graphql(CREATE, json!({ "input": { "externalDossierId": "2" } })).await;
        answer.refused(422, "IDEMPOTENCY_KEY_REUSED");
        live.draft("2").await;
    }

    async fn retries_at_once_after_a_lost_answer_get_the_same_card(app: TestApp) {
        let keyed = app.live().await.keyed("k-1");
        let (_, first) = create(&keyed, "1").await;
        lose_response(&app).await;
        let input = json!({ "input": { "externalDossierId": "1" } });
        let answers = futures_util::future::join_all((0..10).map(|_| keyed.graphql(CREATE, input.clone()))).await;
        let served: Vec<_> = answers.iter().filter(|answer| answer.status != 409).collect();
        assert!(!served.is_empty());
        for answer in served {
            assert_eq!(answer.data()["cardCreate"], first);
        }
    }

    async fn retry_after_a_crash_creates_only_the_missing_card(app: TestApp) {
        let keyed = app.live().await.keyed("k-1");
        let document = r#"mutation {
            a: cardCreate(input: { externalDossierId: "1" }) { card { id } userErrors { code } }
            b: cardCreate(input: { externalDossierId: "2" }) { card { id } userErrors { code } }
        }"#;
        let first = keyed.data(document, json!({})).await;
        // As if the process had died before the second card was committed.
        lose_response(&app).await;
        tamper(app.database_url(), "
            DELETE FROM idempotency_cards WHERE ordinal = (SELECT max(ordinal) FROM idempotency_cards);
            DELETE FROM events WHERE card_id = (SELECT id FROM cards WHERE external_dossier_id = '2');
            DELETE FROM cards WHERE external_dossier_id = '2';
        ").await;
        let again = keyed.data(document, json!({})).await;
        assert_eq!(again["a"], first["a"]);
        assert_eq!(again["b"]["userErrors"], json!([]));
        assert_ne!(again["b"]["card"]["id"], first["b"]["card"]["id"]);
    }
}

/// The number of kills, and of concurrent requests.
const ROUNDS: u64 = 20;
const REQUESTS_A_ROUND: u64 = 24;

on_sqlite! {
    async fn every_key_has_exactly_one_card_after_twenty_kills(database: FreshDatabase) {
        let program = Program::on(&database);
        let token = program.token("live");

        let mut cards: HashMap<String, String> = HashMap::new();
        let mut lost = 0;
        for round in 0..ROUNDS {
            let serving = program.serve();
            let base = serving.base.clone();
            let keys: Vec<_> = (0..REQUESTS_A_ROUND).map(|n| format!("k-{round}-{n}")).collect();
            let mut running: FuturesUnordered<_> = keys.iter().map(|key| send(&base, &token, key)).collect();
            // Moments spread over the time the round takes: from before the first commit to after the last.
            let deadline = tokio::time::sleep(Duration::from_millis(2 + round * 7 % 60));
            tokio::pin!(deadline);
            loop {
                tokio::select! {
                    () = &mut deadline => break,
                    answered = running.next() => match answered {
                        Some((key, answer)) => note(&mut cards, key, answer),
                        None => break,
                    }
                }
            }
            serving.kill();
            while let Some((key, answer)) = running.next().await {
                note(&mut cards, key, answer);
            }
            drop(running);

            let serving = program.serve();
            for key in keys {
                lost += usize::from(!cards.contains_key(&key));
                // Answered or not: the same request gets the one card.
                let (key, answer) = send(&serving.base, &token, &key).await;
                assert!(answer.is_some(), "{key} is answered by a server that lives");
                note(&mut cards, key, answer);
            }
            serving.kill();
        }
        assert!(lost > 0, "no request was ever cut off: the test shows nothing");
        let expected = i64::try_from(ROUNDS * REQUESTS_A_ROUND).expect("a small number");
        assert_eq!(counted(&database.url, "cards"), expected, "one card to a key");
        assert_eq!(counted(&database.url, "events"), expected, "one event to a card");
    }
}

/// Sends `cardCreate` with the dossier number as its key; returns `None` without an answer.
async fn send(base: &str, token: &str, key: &str) -> (String, Option<Value>) {
    let body = json!({ "query": CREATE, "variables": { "input": { "externalDossierId": key } } });
    let response = http_client()
        .post(format!("{base}/partner/api/2026-10/graphql"))
        .header("x-service-access-token", token)
        .header("idempotency-key", key)
        .json(&body)
        .send()
        .await;
    let answer = match response {
        Ok(response) => response.json::<Value>().await.ok(),
        Err(_) => None,
    };
    (key.to_owned(), answer)
}

/// Records an answer, and checks that it is the same card each time, without user errors.
fn note(cards: &mut HashMap<String, String>, key: String, answer: Option<Value>) {
    let Some(answer) = answer else { return };
    let payload = &answer["data"]["cardCreate"];
    assert_eq!(payload["userErrors"], json!([]), "{key}: {answer}");
    assert_eq!(payload["card"]["externalDossierId"], *key, "{answer}");
    let id = payload["card"]["id"].as_str().expect("an id").to_owned();
    let known = cards.entry(key).or_insert_with(|| id.clone());
    assert_eq!(*known, id, "one key, one card");
}

fn counted(url: &str, table: &str) -> i64 {
    let path = url.strip_prefix("sqlite://").expect("a path");
    let connection = rusqlite::Connection::open(path).expect("the database opens");
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).expect("a count")
}
