//! `Idempotency-Key`: a repeated request gets the same response, and never creates a second card.
//!
//! Called by the handler of partner requests. Source: specification, section 4.3; decisions, section 4. Three words:
//!
//! - The **key** is the text of the header, with partner and mode.
//! - A **claim** is the hold of a request on its key. Within this process one request at a time holds a key: a copy is
//!   refused with 409, another request with 422. In the database each card that a request creates has a row under the key, with
//!   the ordinal of its `cardCreate` field and the digest of its input, written in the transaction that creates the card.
//! - The **outcome** is the response of a request that succeeded as a whole: no field failed, and no payload has user errors.
//!   From then on the key belongs to this request: repeated, it gets the outcome; another request gets 422. Until then the
//!   request may be corrected: a `cardCreate` with a row returns its card if its input is the same, and
//!   `IDEMPOTENCY_KEY_REUSED` if it is not; every other field runs.
//!
//! Two replicas get one request at the same time:
//!
//! ```text
//! replica A                                             replica B
//! claim: no request of A holds k                        claim: no request of B holds k
//! INSERT (k, ordinal 0, input, card 1), …, COMMIT       INSERT (k, ordinal 0, input, card 2) waits for A's transaction,
//!                                                       and conflicts: card 1 if the input is the same, otherwise
//!                                                       IDEMPOTENCY_KEY_REUSED (422 if no field has data)
//! sends card 1, then stores its response as the         sends card 1, then stores its response, unless the outcome of A is
//! outcome, unless there is one                          there: both are the same request, and either outcome may stay
//! ```
//!
//! A request looks its key up before it runs, and each field that an earlier attempt has a row for returns that card. If A stops before
//! its transaction commits, B creates card 2; if it stops before the outcome is stored, the next attempt is as B. If B waits too long
//! for A's transaction, it gets 503 and may be repeated.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dated_graphql::{Executed, PreparedOperation};
use http::{HeaderMap, HeaderName};
use tokio_util::task::TaskTracker;

use super::api_error::ApiError;
use super::authentication::Authenticated;
use crate::base::{ErrorChain, limits, request_id};
use crate::services::Services;
use crate::store::{IdempotencyClaim, IdempotencyKey, IdempotencyOutcome, KeyReused};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// The root field that `Idempotency-Key` is for (specification, section 4.3).
const CARD_CREATE: &str = "cardCreate";

/// The field whose session link is made anew for a repeated request.
const LINK: &str = "cardSessionCreate";

/// The field whose signing secret is null for a repeated request (decisions W10).
const SECRET: &str = "webhookSubscriptionSecretRotate";

/// The claims of the requests that run in this process.
pub struct IdempotencyClaims(Arc<Claims>);

/// For each key the digest of the request that holds it, and its outcome while that is being stored.
type ClaimedKeys = HashMap<IdempotencyKey, ([u8; 32], Option<String>)>;

struct Claims {
    services: Arc<Services>,
    by_key: Mutex<ClaimedKeys>,
    /// The tasks that store outcomes; the shutdown waits for them.
    tasks: TaskTracker,
}

/// The claim of a request that runs. No other request of this process runs under its key until it is dropped.
pub struct ClaimGuard {
    claims: Arc<Claims>,
    claim: IdempotencyClaim,
}

/// The state of the key of a request.
pub enum KeyState {
    /// There is no outcome: run the request.
    Claimed(ClaimGuard),
    /// The request succeeded before, with this outcome.
    Answered(String),
}

/// Returns the key of a request that creates cards; other requests ignore the header.
///
/// # Errors
/// 400 for a repeated or malformed key.
pub(super) fn read_key_header(
    caller: &Authenticated,
    operation: &PreparedOperation,
    headers: &HeaderMap,
) -> Result<Option<IdempotencyKey>, ApiError> {
    let mut lines = headers.get_all(HEADER).iter();
    let Some(line) = lines.next().filter(|_| operation.root_fields().any(|(_, name)| name == CARD_CREATE)) else {
        return Ok(None);
    };
    let key = line.as_bytes();
    let is_valid = (1..=limits::IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    match std::str::from_utf8(key) {
        Ok(text) if is_valid && lines.next().is_none() => {
            Ok(Some(IdempotencyKey { partner_id: caller.partner_id, mode: caller.mode, text: text.to_owned() }))
        }
        _ => Err(ApiError::key_invalid()),
    }
}

impl IdempotencyClaims {
    /// `tasks` get the tasks that store outcomes.
    pub fn new(services: Arc<Services>, tasks: TaskTracker) -> Self {
        Self(Arc::new(Claims { services, by_key: Mutex::default(), tasks }))
    }

    /// Claims the key for a request with this digest, and looks it up in the database.
    ///
    /// # Errors
    /// 409 if the same request is running; 422 if the key belongs to a different request.
    pub async fn claim(&self, key: IdempotencyKey, request: [u8; 32]) -> Result<KeyState, ApiError> {
        // Before the look-up: a running request stores its outcome before it releases its claim.
        match self.0.lock().entry(key.clone()) {
            Entry::Occupied(held) if held.get().0 != request => return Err(ApiError::key_reused()),
            Entry::Occupied(held) => {
                let outcome = held.get().1.clone();
                return outcome.map(KeyState::Answered).ok_or_else(ApiError::key_in_progress);
            }
            Entry::Vacant(free) => free.insert((request, None)),
        };
        let claim = IdempotencyClaim::new(key, request, self.0.services.clock.now());
        let mut held = ClaimGuard { claims: Arc::clone(&self.0), claim };
        if let Some(key) = self.0.services.store.find_claimed_key(&held.claim).await? {
            held.claim.continue_from(&key).map_err(|KeyReused| ApiError::key_reused())?;
            if let Some(outcome) = key.outcome {
                return Ok(KeyState::Answered(outcome.response));
            }
        }
        Ok(KeyState::Claimed(held))
    }
}

impl Claims {
    fn lock(&self) -> MutexGuard<'_, ClaimedKeys> {
        // No code that holds this lock can panic.
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClaimGuard {
    /// The claim that the operations write with a new card.
    pub fn claim(&self) -> IdempotencyClaim {
        self.claim.clone()
    }

    /// Stores the outcome of the request, which succeeded as a whole.
    ///
    /// Returns after it is on disk if the request has other mutations, which must not run again once the response is sent.
    ///
    /// # Errors
    /// 503 if that fails: the client repeats the request, whose cards are found.
    pub(super) async fn store_outcome(
        self,
        operation: &PreparedOperation,
        executed: &Executed,
    ) -> Result<(), ApiError> {
        let response = match is_stored_whole(operation) {
            true => str::from_utf8(&executed.body).expect("a response is UTF-8").to_owned(),
            false => write_values(operation, executed),
        };
        if operation.root_fields().all(|(_, name)| name == CARD_CREATE) {
            self.store_later(response);
            return Ok(());
        }
        let (key, outcome) = self.outcome(response);
        Ok(Box::pin(self.claims.services.store.store_outcome(key, outcome)).await?) // a large future, and rare
    }

    /// Stores an outcome after this returns; until then this process remembers it. For a request that only creates cards: if the
    /// process ends before, a repeated request finds them.
    pub fn store_later(self, response: String) {
        let claims = Arc::clone(&self.claims);
        claims.lock().entry(self.claim.key.clone()).and_modify(|held| held.1 = Some(response.clone()));
        claims.tasks.spawn(request_id::inherit(Box::pin(self.store(response)))); // boxed: a task moves it six times
    }

    /// Stores the outcome of a request that only creates cards. A failure is only logged: the cards are committed, and a repeated
    /// request returns them.
    async fn store(self, response: String) {
        let (key, outcome) = self.outcome(response);
        if let Err(error) = self.claims.services.store.store_outcome_of_creates(key, outcome).await {
            tracing::error!(error = %ErrorChain(&error), "a response was not stored under its idempotency key");
        }
    }

    fn outcome(&self, response: String) -> (IdempotencyKey, IdempotencyOutcome) {
        (self.claim.key.clone(), IdempotencyOutcome { request: self.claim.request, response })
    }
}

impl Drop for ClaimGuard {
    fn drop(&mut self) {
        self.claims.lock().remove(&self.claim.key);
    }
}

/// Returns whether the outcome of an operation is its response. If the operation has a field that is shown once (a session link or
/// a secret), the outcome is a map from response key to JSON value. A repeated request takes the values from the map and runs only
/// the session-link field.
pub(super) fn is_stored_whole(operation: &PreparedOperation) -> bool {
    operation.root_fields().all(|(_, name)| name != LINK && name != SECRET)
}

/// Writes the values of the fields, without links and secrets that are shown once.
fn write_values(operation: &PreparedOperation, executed: &Executed) -> String {
    let mut values = BTreeMap::new();
    for ((response_key, name), range) in operation.root_fields().zip(&executed.root_values) {
        match name {
            LINK => {}
            SECRET => _ = values.insert(response_key, "null".into()),
            _ => _ = values.insert(response_key, String::from_utf8_lossy(&executed.body[range.clone()])),
        }
    }
    serde_json::to_string(&values).expect("texts can be written as JSON")
}

/// Reads what [`write_values`] wrote: the values of the fields that a repeated request does not execute.
///
/// # Errors
/// 500 if it cannot be read.
pub(super) fn read_values(outcome: &str) -> Result<BTreeMap<String, String>, ApiError> {
    serde_json::from_str(outcome).map_err(|error| {
        tracing::error!(%error, "a remembered response cannot be read");
        ApiError::internal()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use dated_graphql::Limits;
    use dated_graphql_schema::Sdl;
    use dated_graphql_schema::model::{Schema, Type};

    use super::*;

    /// Values that no query returns and that give no access: an outcome may hold them.
    const STORED: [&str; 3] = [
        "WebhookDeliveriesRecoverPayload.recoveredCount",
        "WebhookSubscriptionDeletePayload.deletedWebhookSubscriptionId",
        "WebhookSubscriptionTestPayload.body",
    ];

    #[test]
    fn mutation_that_returns_what_no_query_returns_is_not_stored_whole() {
        for (version, engine) in crate::generated::VERSIONS.iter().zip(crate::generated::engines(Limits::default())) {
            let schema = Sdl::parse(version.name, version.name, engine.sdl()).expect("a published schema").schema;
            let stored = STORED.map(str::to_owned).into_iter().chain(values_below(&schema, &schema.query)).collect();
            for mutation in schema.mutation.as_deref().and_then(|root| schema.get(root)).map_or(&[][..], Type::fields) {
                let shown_once: Vec<String> =
                    values_below(&schema, &mutation.ty.name).difference(&stored).cloned().collect();
                let is_left_out = [LINK, SECRET].contains(&&*mutation.name);
                assert_eq!(is_left_out, !shown_once.is_empty(), "{} {}: {shown_once:?}", version.name, mutation.name);
            }
        }
    }

    /// The fields with a value that a type leads to, as coordinates, without user errors.
    fn values_below(schema: &Schema, name: &str) -> BTreeSet<String> {
        let (mut seen, mut next, mut values) = (BTreeSet::new(), vec![name], BTreeSet::new());
        while let Some(ty) = next.pop().and_then(|name| schema.get(name)) {
            if ty.name.ends_with("UserError") || !seen.insert(&ty.name) {
                continue;
            }
            next.extend(schema.possible_types(ty));
            for field in ty.fields() {
                match schema.get(&field.ty.name).filter(|ty| !schema.possible_types(ty).is_empty()) {
                    Some(_) => next.push(&field.ty.name),
                    None => _ = values.insert(format!("{}.{}", ty.name, field.name)),
                }
            }
        }
        values
    }
}
