//! The remembered response of a request that succeeded under an idempotency key (decisions, section 4).
//!
//! It is the response itself, unless the request asks for something that is shown once, which is not stored:
//!
//!     {"data":{"cardCreate":{"card":{"id":"…"}},"link":{"cardSession":{"url":"https://…/s/…"}}}}    the response
//!     {"data":{"cardCreate":{"card":{"id":"…"}},"link":null}}                                       what is stored
//!
//! When the request is repeated, the engine executes the field of the session link, and writes the stored values of all other
//! fields. A signing secret is not made anew: its field stays null.

use std::collections::BTreeMap;

use engine::PreparedOperation;
use serde::de::IgnoredAny;

use super::api_error::ApiError;

/// The field whose session link is made anew.
const LINK: &str = "cardSessionCreate";

/// The field whose signing secret is not made anew (decisions W10).
const SECRET: &str = "webhookSubscriptionSecretRotate";

/// Returns whether the response of an operation is stored as it is.
pub(super) fn is_stored_whole(operation: &PreparedOperation) -> bool {
    operation.root_fields().all(|(_, name)| name != LINK && name != SECRET)
}

/// Returns what is stored of the response `body`; `None` if it is not a response of the engine to this operation.
pub(super) fn to_store(operation: &PreparedOperation, body: &[u8]) -> Option<String> {
    let body = std::str::from_utf8(body).ok()?;
    if is_stored_whole(operation) {
        return Some(body.to_owned());
    }
    let fields = split(operation, body)?.into_iter().map(|(response_key, name, value)| {
        let value = if name == LINK || name == SECRET { "null" } else { value };
        format!("\"{response_key}\":{value}")
    });
    Some(format!("{{\"data\":{{{}}}}}", fields.collect::<Vec<_>>().join(",")))
}

/// Returns the values, by response key, of the fields that a repeated request does not execute.
pub(super) fn values(operation: &PreparedOperation, stored: &str) -> Result<BTreeMap<String, String>, ApiError> {
    let Some(fields) = split(operation, stored) else {
        tracing::error!("a remembered response cannot be read");
        return Err(ApiError::internal());
    };
    let known = fields.into_iter().filter(|(_, name, _)| *name != LINK);
    Ok(known.map(|(response_key, _, value)| (response_key.to_owned(), value.to_owned())).collect())
}

/// Splits a response into its root fields: response key, name and written value. The engine has written them without white
/// space, in the order of the operation.
fn split<'a>(operation: &'a PreparedOperation, body: &'a str) -> Option<Vec<(&'a str, &'a str, &'a str)>> {
    let mut rest = body.strip_prefix("{\"data\":{")?;
    let mut fields = Vec::new();
    for (response_key, name) in operation.root_fields() {
        let key = format!("\"{response_key}\":");
        rest = rest.strip_prefix(',').unwrap_or(rest).strip_prefix(&key)?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        let (value, after) = rest.split_at(values.byte_offset());
        fields.push((response_key, name, value));
        rest = after;
    }
    Some(fields)
}
