//! Typed clients, like the programs of partners, compiled against the schema of their version. An SDL change that breaks a
//! client breaks the build.

mod v2026_10;

use cynic::{GraphQlResponse, Operation};

use crate::app::Caller;

/// Sends an operation and asserts an answer without errors.
pub async fn run<F, V>(caller: &Caller, operation: Operation<F, V>) -> F
where
    F: serde::de::DeserializeOwned,
    V: serde::Serialize,
{
    let answer = caller.send(serde_json::to_string(&operation).expect("an operation is JSON")).await;
    let response: GraphQlResponse<F> = serde_json::from_slice(&answer.body)
        .unwrap_or_else(|e| panic!("the answer has its shape ({e}): {}", answer.text()));
    assert!(response.errors.is_none(), "{}", answer.text());
    response.data.expect("data")
}
