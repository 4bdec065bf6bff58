//! The process dies after the commit of a card and before its response is stored: a retry gets that card, not TAKEN and
//! not a second card (decisions, section 4). `chaos::storm` kills processes at random times.

use serde_json::{Value, json};

use crate::app::{Caller, TestApp, tamper};

const CREATE: &str = "mutation ($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id externalDossierId status test } userErrors { code } }
}";

/// Restores the state of such a crash: the card under its key, without the outcome.
async fn lose_response(app: &TestApp) {
    app.response_is_stored().await;
    tamper(app.database_url(), "UPDATE idempotency_keys SET response = NULL, request = NULL").await;
}

async fn create(caller: &Caller, dossier: &str) -> (bool, Value) {
    let answer = caller.graphql(CREATE, json!({ "input": { "externalDossierId": dossier } })).await;
    (answer.header("x-service-idempotent-replay") == Some("true"), answer.data()["cardCreate"].take())
}

on_both_databases! {
    async fn retry_after_a_lost_answer_gets_the_same_card_and_no_event(app: TestApp) {
        let keyed = app.live().await.with_key("k-1");
        let (_, first) = create(&keyed, "1").await;
        lose_response(&app).await;
        let (replay, again) = create(&keyed, "1").await;
        assert_eq!((replay, &again), (false, &first), "built again from the card");
        // From now on that answer is the remembered one.
        let (replay, third) = create(&keyed, "1").await;
        assert_eq!((replay, &third), (true, &first));
        assert_eq!(app.topics(first["card"]["id"].as_str().expect("an id")).await, ["CARDS_CREATE"]);
    }

    async fn retry_after_a_lost_answer_with_another_body_is_422(app: TestApp) {
        let live = app.live().await;
        let keyed = live.with_key("k-1");
        keyed.data(CREATE, json!({ "input": { "externalDossierId": "1", "themeId": null, "deceased": {} } })).await;
        lose_response(&app).await;
        for other in [
            json!({ "externalDossierId": "2", "themeId": null, "deceased": {} }),
            json!({ "externalDossierId": "1", "deceased": {} }),
            json!({ "externalDossierId": "1", "themeId": "1", "deceased": {} }),
            json!({ "externalDossierId": "1", "themeId": null }),
            json!({ "externalDossierId": "1", "themeId": null, "deceased": null }),
            json!({ "externalDossierId": "1", "themeId": null, "deceased": { "firstName": null } }),
            json!({ "externalDossierId": "1", "themeId": null, "deceased": { "firstName": "null" } }),
            json!({ "externalDossierId": "1", "themeId": null, "deceased": {}, "livestreamUrl": null }),
        ] {
            let answer = keyed.graphql(CREATE, json!({ "input": other })).await;
            answer.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
        }
        live.draft("2").await;
    }
}
