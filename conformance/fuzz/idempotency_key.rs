//! Idempotency keys: a key is 1 to 255 visible ASCII characters, and then it does what it is for; nothing else is one.

use proptest::collection::vec;
use proptest::prelude::*;
use reqwest::header::HeaderValue;
use serde_json::json;

use super::seed::{changed, for_all};
use super::{assert_sound, seeds, wait};
use crate::app::{Answer, TestApp, create_document};

const SEEDS: &[&[u8]] =
    &[b"a b", b"cl\xe9", &[b'k'; 255], b"dossier-2026-0142", br##"!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"##, &[b'k'; 256]];

/// Whether these bytes can stand in a header at all (RFC 9110, section 5.5).
fn is_header(bytes: &[u8]) -> bool {
    HeaderValue::from_bytes(bytes).is_ok()
}

on_both_databases! {
    async fn key_of_any_bytes_is_a_key_or_is_refused(app: TestApp) {
        let live = app.live().await;
        let visible = vec(0x21..=0x7E_u8, 1..300);
        let values = prop_oneof![visible, changed(seeds(SEEDS)), vec(any::<u8>(), 0..20)];
        let dossier = std::cell::Cell::new(0);
        for_all(120, values.prop_filter("a header", |key| is_header(key)), |key| wait(async {
            dossier.set(dossier.get() + 1);
            // The blanks around a value are not part of it.
            let value = key.trim_ascii();
            let is_key = (1..=255).contains(&value.len()) && value.iter().all(u8::is_ascii_graphic);
            let send = async || {
                let body = json!({ "query": create_document(), "variables": { "input": {
                    "externalDossierId": format!("dossier {}", dossier.get()),
                } } });
                let key = HeaderValue::from_bytes(&key).expect("a header");
                let sent = live.request(body.to_string()).header("idempotency-key", key).send();
                Answer::read(sent.await.expect("the server answers")).await
            };
            let first = send().await;
            assert_sound(&first);
            if !is_key {
                first.refused(400, "IDEMPOTENCY_KEY_INVALID");
                return;
            }
            if first.status == 422 {
                first.refused(422, "IDEMPOTENCY_KEY_REUSED"); // the machine made the same key twice
                return;
            }
            assert!(first.data()["cardCreate"]["card"]["id"].is_string(), "{}", first.text());
            let again = send().await;
            assert_eq!(again.header("x-service-idempotent-replay"), Some("true"), "{key:?}");
            assert_eq!(again.body, first.body);
        }));
    }
}
