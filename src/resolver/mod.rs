//! Implements the generated traits: translates between the schema and the operations, without rules.
//!
//! Called by the engine through generated dispatch. A folder per version holds the additions of that version; what it shares
//! with an older version is implemented there, once. User errors of an operation are data in the payload, failures are field
//! errors.

mod page;
mod v2026_10;
mod v2027_01;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dated_graphql::{FieldError, Message, RequestContext};

use crate::model::{UserError, code, messages};
use crate::operation::{Caller, Failure, OperationError};
use crate::services::{Services, UsageKey};

/// The context of a request; http creates it and reads the notes afterwards.
pub struct Context {
    services: Arc<Services>,
    caller: Caller,
    remembered: BTreeMap<String, String>,
    notes: Mutex<Notes>,
}

/// Facts about a request that its resolvers record.
#[derive(Clone, Copy, Default)]
pub struct Notes {
    /// The number of `cardCreate` fields that ran.
    pub cards: i32,
    /// Whether a payload has user errors: such a response is not remembered (specification, section 4.3).
    pub user_errors: bool,
}

impl Context {
    /// `remembered`: the values of the root fields, by response key, that an earlier attempt of the request executed.
    pub fn new(services: Arc<Services>, caller: Caller, remembered: BTreeMap<String, String>) -> Self {
        Self { services, caller, remembered, notes: Mutex::default() }
    }

    /// Changes the notes.
    fn note<T>(&self, change: impl FnOnce(&mut Notes) -> T) -> T {
        change(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the two halves of a payload: the result of the operation, or its user errors.
    fn payload_parts<T>(&self, result: Result<T, OperationError>) -> Result<(Option<T>, Vec<UserError>), FieldError> {
        match result {
            Ok(made) => Ok((Some(made), Vec::new())),
            Err(OperationError::Refused(errors)) => {
                self.note(|notes| notes.user_errors = true);
                Ok((None, errors))
            }
            Err(OperationError::KeyReused) => {
                Err(FieldError::new(code::IDEMPOTENCY_KEY_REUSED, messages::IDEMPOTENCY_KEY_REUSED))
            }
            Err(OperationError::Failed(failure)) => Err(report_failure(failure)),
        }
    }

    /// Counts the operation. `used` is a bit set over `coordinates` ([`UsageCounts::count`](crate::services::UsageCounts::count)).
    pub fn count_usage(&self, coordinates: &'static [&'static str], used: impl Iterator<Item = u64>) {
        let Caller { partner_id, mode, version, .. } = self.caller;
        let key = UsageKey::new(partner_id, mode, version, self.services.clock.now());
        self.services.usage.count(key, coordinates, used);
    }

    /// Returns the notes of a request that ran.
    pub fn notes(&self) -> Notes {
        self.note(|notes| *notes)
    }
}

impl RequestContext for Context {
    fn request_id(&self) -> Option<&str> {
        Some(&self.caller.request_id)
    }

    fn message(&self, message: &Message) -> String {
        messages::engine_message(message)
    }

    fn remembered(&self, response_key: &str) -> Option<&[u8]> {
        self.remembered.get(response_key).map(String::as_bytes)
    }
}

/// Logs a failure with its causes, which are not sent.
fn report_failure(failure: impl Into<Failure>) -> FieldError {
    let failure = failure.into();
    if matches!(failure, Failure::PhotosBusy | Failure::Abandoned) {
        tracing::info!(%failure, "a photo was given up"); // nothing failed
        return FieldError::new(code::UNAVAILABLE, messages::UNAVAILABLE);
    }
    let internal = FieldError::internal(&failure);
    if failure.is_unavailable() { FieldError::new(code::UNAVAILABLE, messages::UNAVAILABLE) } else { internal }
}
