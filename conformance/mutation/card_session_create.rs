//! `cardSessionCreate` (specification, sections 2.7 and 8; decisions S1). `web/entry.rs` opens the link.

use std::collections::BTreeSet;

use chrono::Duration;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::{Caller, PUBLIC_BASE, TestApp};

const SESSION: &str = "mutation ($cardId: ID!, $target: CardSessionTarget!) {
    cardSessionCreate(cardId: $cardId, target: $target) {
        cardSession { url target expiresAt }
        userErrors { code field message }
    }
}";

async fn session(caller: &Caller, card: &str, target: &str) -> Value {
    caller.data(SESSION, json!({ "cardId": card, "target": target })).await["cardSessionCreate"].take()
}

on_both_databases! {
    async fn session_link_lasts_ten_minutes_and_is_stored_as_a_digest(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        app.pass(Duration::milliseconds(1_500));
        for target in ["CUSTOMIZER", "INVITEE_LIST"] {
            let payload = session(&live, &id, target).await;
            assert_eq!(payload["userErrors"], json!([]));
            let made = &payload["cardSession"];
            assert_eq!(made["target"], target);
            assert_eq!(made["expiresAt"], "2026-11-10T08:40:01.500Z");
            let url = made["url"].as_str().expect("a link");
            let secret = url.strip_prefix(&format!("{PUBLIC_BASE}/s/")).expect("below the public base");
            assert_eq!(secret.len(), 43, "{secret}");
            assert!(secret.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{secret}");

            let digest: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
            let row = app.store().session_link(&digest).await.expect("the store answers").expect("a row");
            assert_eq!((row.card_id, row.target.as_str()), (app.row(&id).await.id, target));
            assert_eq!((row.created_at, row.used_at), (app.now(), None));
            assert_eq!(row.expires_at, app.now().plus(Duration::minutes(10)));
        }
        assert_eq!(app.topics(&id).await, ["CARDS_CREATE"], "a session changes no card");
    }

    async fn session_is_another_link_each_time_and_in_every_status(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        let mut urls = BTreeSet::new();
        for (status, target) in
            [("DRAFT", "CUSTOMIZER"), ("DRAFT", "CUSTOMIZER"), ("ORDERED", "CUSTOMIZER"), ("ACTIVE", "INVITEE_LIST")]
        {
            app.advance(&id, status).await;
            urls.insert(live.link(&id, target).await);
        }
        assert_eq!(urls.len(), 4);
    }

    async fn session_of_an_unknown_target_is_bad_user_input(app: TestApp) {
        let (live, id) = app.live_draft("1").await;
        for target in [json!("ADMIN"), json!("customizer"), json!(null), json!(1)] {
            let answer = live.graphql(SESSION, json!({ "cardId": id, "target": target })).await;
            answer.expect_error(400, "BAD_USER_INPUT");
        }
    }
}
