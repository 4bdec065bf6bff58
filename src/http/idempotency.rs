//! `Idempotency-Key`: a repeated request gets the same response, and never creates a second card.
//!
//! Called by the handler of partner requests. Source: specification, section 4.3; decisions, section 4.
//!
//! Three places know a key, and are asked in this order:
//! 1. this process, for requests that are running: a copy is refused with 409, another request with 422;
//! 2. the database, for remembered responses: they are sent again, byte for byte, or completed (`remembered`);
//! 3. the transaction that creates the card. It records the card under the key, with the ordinal and the digest of its
//!    input. This decides between two replicas that get the same key at the same time, and after a crash between commit
//!    and storing the response: the second request finds the card and returns it.
//!
//! A request succeeds as a whole if no field of it fails. Its key is then bound to it, and its response is remembered. Until
//! then the request may be corrected: a `cardCreate` whose card exists returns that card if its input is the same, and
//! `IDEMPOTENCY_KEY_REUSED` if it is not; every other field runs.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderName};
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use super::api_error::ApiError;
use crate::base::{ErrorChain, limits, request_id};
use crate::operation::IdempotencyBinding;
use crate::services::Services;
use crate::store::{IdempotencyKey, IdempotencyRecord};

const HEADER: HeaderName = HeaderName::from_static("idempotency-key");

/// Locks idempotency keys for the requests that run in this process.
pub struct IdempotencyLocks(Arc<Locks>);

struct Locks {
    services: Arc<Services>,
    running: RunningKeys,
    /// A place for each task that stores a response.
    places: Arc<Semaphore>,
    /// These tasks; the shutdown waits for them.
    tasks: TaskTracker,
}

/// The locked keys.
#[derive(Default)]
struct RunningKeys(Mutex<HashMap<IdempotencyKey, Running>>);

/// The request that holds a key.
struct Running {
    fingerprint: [u8; 32],
    /// Set when the request has ended and its response is about to be stored.
    response: Option<String>,
}

/// The lock of a key: no other request of this process runs under the key until this is dropped.
pub struct KeyLock {
    locks: Arc<Locks>,
    binding: IdempotencyBinding,
}

/// The state of the key of a request.
pub enum KeyState {
    /// No response is remembered: run the request.
    Locked(KeyLock),
    /// The request succeeded before, with this response.
    Remembered(String),
}

/// Returns the key of a request, if it has one.
///
/// # Errors
/// 400 for a repeated or malformed key.
pub(super) fn key_in(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut lines = headers.get_all(HEADER).iter();
    let Some(line) = lines.next() else { return Ok(None) };
    let key = line.as_bytes();
    let is_valid = (1..=limits::IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) && key.iter().all(u8::is_ascii_graphic);
    match std::str::from_utf8(key) {
        Ok(key) if is_valid && lines.next().is_none() => Ok(Some(key)),
        _ => Err(ApiError::key_invalid()),
    }
}

impl IdempotencyLocks {
    /// `tasks` get the tasks that store responses.
    pub fn new(services: Arc<Services>, tasks: TaskTracker) -> Self {
        let places = Arc::new(Semaphore::new(limits::RESPONSES_STORED_LATER_MAX));
        Self(Arc::new(Locks { services, running: RunningKeys::default(), places, tasks }))
    }

    /// Decides what to do with a request that has a key.
    ///
    /// # Errors
    /// 409 if the same request is running; 422 if the key belongs to a different request.
    pub async fn begin(&self, key: IdempotencyKey, fingerprint: [u8; 32]) -> Result<KeyState, ApiError> {
        let Locks { services, running, .. } = &*self.0;
        // Locked before the query: a running request stores its response before it releases the lock.
        if let Some(response) = running.lock(&key, fingerprint)? {
            return Ok(KeyState::Remembered(response));
        }
        let binding = IdempotencyBinding { key, fingerprint, recorded: false };
        let mut lock = KeyLock { locks: Arc::clone(&self.0), binding };
        let not_before = services.clock.now().before(limits::IDEMPOTENCY_REMEMBERED);
        match services.store.idempotency_record(&lock.binding.key, not_before).await? {
            Some(record) if record.bound && record.fingerprint != fingerprint => return Err(ApiError::key_reused()),
            Some(IdempotencyRecord { response: Some(response), .. }) => return Ok(KeyState::Remembered(response)),
            found => lock.binding.recorded = found.is_some(),
        }
        Ok(KeyState::Locked(lock))
    }
}

impl RunningKeys {
    /// Locks a key. Returns the response if the same request has ended and its response is about to be stored.
    fn lock(&self, key: &IdempotencyKey, fingerprint: [u8; 32]) -> Result<Option<String>, ApiError> {
        match self.keys().entry(key.clone()) {
            Entry::Occupied(running) if running.get().fingerprint != fingerprint => Err(ApiError::key_reused()),
            Entry::Occupied(running) => running.get().response.clone().map(Some).ok_or_else(ApiError::key_in_progress),
            Entry::Vacant(entry) => {
                entry.insert(Running { fingerprint, response: None });
                Ok(None)
            }
        }
    }

    fn keys(&self) -> MutexGuard<'_, HashMap<IdempotencyKey, Running>> {
        // No code that holds this lock can panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KeyLock {
    /// What the operations bind a new card to.
    pub fn binding(&self) -> IdempotencyBinding {
        self.binding.clone()
    }

    /// Binds the key as [`bind`](Self::bind) does after this returns, unless too many others are bound. Until then this
    /// process holds the response. For a request that only creates cards: if the process ends before, a repeated request
    /// finds them.
    pub async fn bind_later(self, response: String) {
        let locks = Arc::clone(&self.locks);
        let Ok(place) = Arc::clone(&locks.places).try_acquire_owned() else { return self.bind(response).await };
        let known = Some(response.clone());
        locks.running.keys().entry(self.binding.key.clone()).and_modify(|running| running.response = known);
        locks.tasks.spawn(request_id::inherited(async move {
            self.bind(response).await;
            drop(place);
        }));
    }

    /// Binds the key to its request, which succeeded as a whole, and stores the response to remember.
    ///
    /// A failure is only logged: the cards are committed, and a repeated request returns them.
    pub async fn bind(self, response: String) {
        let IdempotencyBinding { key, fingerprint, .. } = self.binding.clone();
        if let Err(error) = self.locks.services.store.bind_request(key, fingerprint, response).await {
            tracing::error!(error = %ErrorChain(&error), "a response was not stored under its idempotency key");
        }
    }
}

impl Drop for KeyLock {
    fn drop(&mut self) {
        self.locks.running.keys().remove(&self.binding.key);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use uuid::Uuid;

    use super::*;
    use crate::model::KeyMode;
    use crate::operation::fixture::Fixture;

    fn headers(lines: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HEADER, HeaderValue::from_bytes(line).expect("a header value"));
        }
        headers
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

    #[tokio::test]
    async fn response_is_known_while_it_is_stored_and_of_one_too_many_the_client_waits() {
        let fixture = Fixture::new().await;
        let locks = IdempotencyLocks::new(Arc::clone(&fixture.services), TaskTracker::new());
        let key = IdempotencyKey { partner_id: Uuid::nil(), mode: KeyMode::Live, text: "k".to_owned() };
        let begin = async || match locks.begin(key.clone(), [1; 32]).await {
            Ok(KeyState::Locked(lock)) => Ok(lock),
            Ok(KeyState::Remembered(response)) => Err(response),
            Err(_) => panic!("the key is free"),
        };
        begin().await.expect("a lock").bind_later("{}".to_owned()).await;
        assert_eq!(begin().await.err().as_deref(), Some("{}"), "it is being stored");
        locks.0.tasks.close();
        locks.0.tasks.wait().await;
        let places = locks.0.places.available_permits();
        assert_eq!(places, limits::RESPONSES_STORED_LATER_MAX);

        let _all = locks.0.places.acquire_many(places as u32).await.expect("it is open");
        begin().await.expect("it was stored").bind_later("{}".to_owned()).await;
        assert!(locks.0.running.keys().is_empty(), "it was stored before");
    }

    #[test]
    fn key_is_locked_by_one_request_of_one_partner_and_mode_until_it_ends() {
        let locks = RunningKeys::default();
        let key = |partner, mode| IdempotencyKey { partner_id: Uuid::from_u128(partner), mode, text: "k".to_owned() };
        let ours = key(1, KeyMode::Live);
        let locked = |key: &_, fingerprint| locks.lock(key, [fingerprint; 32]).map_err(|error| error.code());

        assert_eq!(locked(&ours, 1), Ok(None));
        assert_eq!(locked(&ours, 1), Err("IDEMPOTENCY_KEY_IN_PROGRESS"));
        assert_eq!(locked(&ours, 2), Err("IDEMPOTENCY_KEY_REUSED"));
        assert_eq!(locked(&key(2, KeyMode::Live), 1), Ok(None), "each partner has its own keys");
        assert_eq!(locked(&key(1, KeyMode::Test), 1), Ok(None), "each mode has its own keys");
        locks.keys().entry(ours.clone()).and_modify(|running| running.response = Some("{}".to_owned()));
        assert_eq!(locked(&ours, 1), Ok(Some("{}".to_owned())), "its response is being stored");
        assert_eq!(locked(&ours, 2), Err("IDEMPOTENCY_KEY_REUSED"));
    }
}
