//! A notification that a receiver parsed and wrote again: `webhook verify` finds the difference (`src/webhook/diagnosis`).

use card_service::webhook::diagnosis::{Part, inspect};
use card_service::webhook::signature::SignedRequest;
use serde_json::Value;

use super::notification::{Story, now, secret};
use crate::app::TestApp;

on_sqlite! {
    async fn notification_re_serialised_is_diagnosed(app: TestApp) {
        let own = secret();
        let whole = Story::happened(&app, std::slice::from_ref(&own)).await.ordered;
        let parsed: Value = serde_json::from_str(&whole.body).expect("JSON");
        let sorted = serde_json::to_string(&alphabetical(parsed.clone())).expect("JSON");
        let pretty = serde_json::to_string_pretty(&alphabetical(parsed)).expect("JSON");
        for (body, said) in [(sorted, "written again"), (pretty, "written again"), (whole.body.clone() + "\n", "line break")]
        {
            let timestamp = whole.timestamp.to_string();
            let received =
                SignedRequest { id: &whole.id, timestamp: &timestamp, signature: &whole.signature, body: body.as_bytes() };
            let findings = inspect(&own, &received, Some(now()));
            assert!(findings.len() == 1 && findings[0].part == Part::Body, "{findings:?}");
            assert!(findings[0].message.contains(said), "{findings:?}");
        }
    }
}

/// The same JSON with its fields sorted.
fn alphabetical(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields: std::collections::BTreeMap<_, _> =
                fields.into_iter().map(|(k, v)| (k, alphabetical(v))).collect();
            Value::Object(fields.into_iter().collect())
        }
        other => other,
    }
}
