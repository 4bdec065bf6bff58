//! `Idempotency-Key`: the same request again gets the same answer, and never a second card.
//!
//! Called by the walk of a partner request. Source: specification, section 4.3; decisions, section 4.
//!
//! Three places know about a key, and they are asked in this order:
//! 1. this process, about requests that run: a second one is turned away (409) instead of waiting;
//! 2. the database, about answers that are remembered: they are sent again, byte for byte;
//! 3. the transaction that creates the card, which records the card under the key, with the ordinal and the digest of its
//!    input. It decides between two replicas that got the same key at one moment, and after a crash between its commit
//!    and the remembering: the second request finds the card, and is answered with it.
//!
//! A key is bound to a request once that succeeds as a whole. Until then the request may be corrected: a `cardCreate`
//! whose card exists is answered with that card if its input is the same, and with `IDEMPOTENCY_KEY_REUSED` if it is not;
//! every other field runs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderName};

use super::api_error::ApiError;
use super::app_state::AppState;
use crate::base::{ErrorChain, limits};
use crate::operation::IdempotencyBinding;
use crate::store::{IdempotencyKey, IdempotencyRecord};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// The idempotent requests that run in this process, by key; each with the fingerprint of what it says.
#[derive(Clone, Default)]
pub struct Attempts(Arc<Mutex<Fingerprints>>);

type Fingerprints = HashMap<IdempotencyKey, [u8; 32]>;

/// A request that may run under its key. While it lives, no other request in this process runs under that key.
pub struct Attempt {
    attempts: Attempts,
    binding: IdempotencyBinding,
}

/// What is to be done with a request.
pub enum Begun {
    /// Run it: it carries no key, is the first under its key, or the answer of the first was not remembered.
    Run(Option<Attempt>),
    /// Its answer is remembered: send that.
    Replay(String),
}

/// The key of a request, where it carries one.
pub fn key_in(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut lines = headers.get_all(HEADER).iter();
    let Some(line) = lines.next() else { return Ok(None) };
    let key = line.as_bytes();
    let right = (1..=limits::IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    match std::str::from_utf8(key) {
        Ok(key) if right && lines.next().is_none() => Ok(Some(key)),
        _ => Err(ApiError::key_invalid()),
    }
}

/// Decides about a request with a key: turned away, answered from memory, or run.
pub async fn begin(state: &AppState, key: IdempotencyKey, fingerprint: [u8; 32]) -> Result<Begun, ApiError> {
    // Taken before the database is asked: whoever runs under the key now remembers its answer before it lets go.
    let mut attempt = state.attempts.take(IdempotencyBinding { key, fingerprint, recorded: false })?;
    let not_before = state.services.clock.now().before(state.services.policy.idempotency_remembered);
    match state.services.store.idempotency_record(&attempt.binding.key, not_before).await? {
        Some(record) if record.bound && record.fingerprint != fingerprint => return Err(ApiError::key_reused()),
        Some(IdempotencyRecord { response: Some(answer), .. }) => return Ok(Begun::Replay(answer)),
        found => attempt.binding.recorded = found.is_some(),
    }
    Ok(Begun::Run(Some(attempt)))
}

impl Attempts {
    fn take(&self, binding: IdempotencyBinding) -> Result<Attempt, ApiError> {
        match self.running().entry(binding.key.clone()) {
            Entry::Occupied(running) if *running.get() == binding.fingerprint => Err(ApiError::key_in_progress()),
            Entry::Occupied(_) => Err(ApiError::key_reused()),
            Entry::Vacant(free) => {
                free.insert(binding.fingerprint);
                Ok(Attempt { attempts: self.clone(), binding })
            }
        }
    }

    fn running(&self) -> MutexGuard<'_, Fingerprints> {
        // Nothing that can panic happens under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt {
    /// What the operations bind a new card to.
    pub fn binding(&self) -> IdempotencyBinding {
        self.binding.clone()
    }

    /// Binds the key to this request, which succeeded as a whole, and remembers its answer, if there is one to remember.
    /// The cards of the request are committed: should this fail, a retry is still answered with them, so the caller gets
    /// its answer all the same.
    pub async fn bind(&self, state: &AppState, answer: Option<&[u8]>) {
        let Ok(answer) = answer.map(std::str::from_utf8).transpose() else {
            return tracing::error!("an answer is not UTF-8 and was not remembered");
        };
        let IdempotencyBinding { key, fingerprint, .. } = self.binding.clone();
        if let Err(error) = state.services.store.bind_request(key, fingerprint, answer.map(str::to_owned)).await {
            tracing::error!(error = %ErrorChain(&error), "an answer was not remembered");
        }
    }
}

impl Drop for Attempt {
    /// However the request ended, its key is free again: answered, refused, failed, or broken off.
    fn drop(&mut self) {
        self.attempts.running().remove(&self.binding.key);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use uuid::Uuid;

    use super::*;
    use crate::model::KeyMode;

    fn headers(lines: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HEADER, HeaderValue::from_bytes(line).expect("a header value"));
        }
        headers
    }

    #[test]
    fn key_of_visible_ascii_is_read() {
        let longest = "k".repeat(255);
        for key in ["a", "dossier-2026-0142", "!~", "a,b", longest.as_str()] {
            assert_eq!(key_in(&headers(&[key.as_bytes()])).expect("a right key"), Some(key));
        }
        assert_eq!(key_in(&headers(&[])).expect("no key is right too"), None);
    }

    #[test]
    fn key_of_anything_else_is_refused() {
        let too_long = "k".repeat(256);
        let wrong: [&[&[u8]]; 6] =
            [&[b""], &[b"a b"], &[b"a\tb"], &["é".as_bytes()], &[too_long.as_bytes()], &[b"a", b"a"]];
        for lines in wrong {
            let error = key_in(&headers(lines)).expect_err("a wrong key");
            assert_eq!(error.code(), "IDEMPOTENCY_KEY_INVALID", "{lines:?}");
        }
    }

    #[test]
    fn key_is_taken_by_one_request_of_one_partner_and_mode_until_it_ends() {
        let attempts = Attempts::default();
        let binding = |partner, mode, fingerprint| IdempotencyBinding {
            key: IdempotencyKey { partner_id: Uuid::from_u128(partner), mode, text: "k".to_owned() },
            fingerprint: [fingerprint; 32],
            recorded: false,
        };
        let ours = |fingerprint| binding(1, KeyMode::Live, fingerprint);
        let code = |outcome: Result<Attempt, ApiError>| outcome.err().expect("the key is taken").code();

        let Ok(first) = attempts.take(ours(1)) else { panic!("the key is free") };
        assert_eq!(code(attempts.take(ours(1))), "IDEMPOTENCY_KEY_IN_PROGRESS");
        assert_eq!(code(attempts.take(ours(2))), "IDEMPOTENCY_KEY_REUSED");
        assert!(attempts.take(binding(2, KeyMode::Live, 1)).is_ok(), "a key is a partner's own");
        assert!(attempts.take(binding(1, KeyMode::Test, 1)).is_ok(), "a key is a mode's own");
        drop(first);
        assert!(attempts.take(ours(2)).is_ok(), "the key is free again");
    }
}
