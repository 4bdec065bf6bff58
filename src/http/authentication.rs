//! Who knocks: from the access token in a header to the partner behind it.
//!
//! Called by the walk of a partner request. Source: specification, section 5; decisions H4, K1, K2.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{HeaderMap, HeaderName};
use quick_cache::UnitWeighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use uuid::Uuid;

use super::api_error::ApiError;
use super::app_state::AppState;
use super::request_head::Time;
use super::throttle::Bucket;
use crate::base::{ErrorChain, Timestamp, limits, request_id};
use crate::model::{AccessKey, AccessToken, KeyMode};

const HEADER: HeaderName = HeaderName::from_static("x-service-access-token");

/// The keys seen lately, by the digest of their token.
///
/// Unknown tokens are not kept: a new key works at once, and nobody can fill the memory with inventions.
pub struct Authenticator {
    keys: Cache<[u8; 32], Arc<CachedKey>, UnitWeighter, foldhash::fast::RandomState>,
}

/// A key as it stood in the database a moment ago.
struct CachedKey {
    key: AccessKey,
    blocked: bool,
    /// When it was read: on the monotonic clock, because setting the machine's clock back must not keep a revoked key
    /// alive, and on the service's, by which tests let time pass.
    read: Time,
    bucket: Arc<Bucket>,
    /// Its use was already passed on to the database.
    use_recorded: AtomicBool,
}

/// The partner behind a valid token.
#[derive(Clone, Debug)]
pub struct Authenticated {
    pub partner_id: Uuid,
    pub key_id: Uuid,
    pub mode: KeyMode,
    /// When it knocked.
    pub at: Timestamp,
    /// What its requests are charged to.
    pub bucket: Arc<Bucket>,
}

impl Authenticator {
    pub fn new() -> Self {
        let (most, hasher) = (limits::KEYS_CACHED_MAX, foldhash::fast::RandomState::default());
        Self { keys: Cache::with(most, most as u64, UnitWeighter, hasher, DefaultLifecycle::default()) }
    }

    /// The partner whose token the headers carry; the same refusal for whatever is wrong with it.
    pub async fn authenticate(
        &self,
        state: &AppState,
        headers: &HeaderMap,
        time: Time,
    ) -> Result<Authenticated, ApiError> {
        let token = token_in(headers).ok_or_else(ApiError::unauthenticated)?;
        let now = time.moment;
        let cached = self.look_up(state, token.digest(), time).await?.ok_or_else(ApiError::unauthenticated)?;
        if !cached.key.is_valid_at(now) {
            return Err(ApiError::unauthenticated());
        }
        if cached.blocked {
            return Err(ApiError::access_denied());
        }
        record_use(state, &cached, now);
        let (partner_id, mode, bucket) = (cached.key.partner_id, cached.key.mode, Arc::clone(&cached.bucket));
        Ok(Authenticated { partner_id, key_id: cached.key.id, mode, at: now, bucket })
    }

    /// The key with this digest, as it stands in the database or stood there so lately that a revocation since then is
    /// allowed to wait.
    async fn look_up(
        &self,
        state: &AppState,
        digest: [u8; 32],
        time: Time,
    ) -> Result<Option<Arc<CachedKey>>, ApiError> {
        if let Some(cached) = self.keys.get(&digest)
            && cached.is_fresh_at(time)
        {
            return Ok(Some(cached));
        }
        Box::pin(self.read(state, digest, time)).await
    }

    /// `read` lies before the database is asked: what is read is at least as new.
    async fn read(&self, state: &AppState, digest: [u8; 32], read: Time) -> Result<Option<Arc<CachedKey>>, ApiError> {
        let Some((key, partner)) = state.services.store.key_by_digest(&digest).await? else {
            self.keys.remove(&digest);
            return Ok(None);
        };
        let bucket = state.buckets.of(key.partner_id, key.mode);
        let cached = CachedKey { key, blocked: partner.blocked, read, bucket, use_recorded: AtomicBool::new(false) };
        let cached = Arc::new(cached);
        self.keys.insert(digest, Arc::clone(&cached));
        Ok(Some(cached))
    }
}

impl CachedKey {
    fn is_fresh_at(&self, now: Time) -> bool {
        let age = now.instant.saturating_duration_since(self.read.instant);
        age < limits::KEY_CACHED && now.moment < self.read.moment.after(limits::KEY_CACHED)
    }
}

/// The well-formed token of a request; `None` when there is none, or more than one.
fn token_in(headers: &HeaderMap) -> Option<AccessToken> {
    let mut lines = headers.get_all(HEADER).iter();
    let (line, None) = (lines.next()?, lines.next()) else { return None };
    AccessToken::parse(line.to_str().ok()?)
}

/// Passes the use of a key on to the database, off the path of the request and not more than about once a minute.
fn record_use(state: &AppState, cached: &CachedKey, now: Timestamp) {
    let grown_old = now.before(limits::KEY_USE_RECORDED);
    let is_recorded = cached.key.last_used_at.is_some_and(|used| used > grown_old);
    if is_recorded || cached.use_recorded.swap(true, Ordering::Relaxed) {
        return;
    }
    let (services, key_id) = (Arc::clone(&state.services), cached.key.id);
    drop(state.tasks.spawn(request_id::inherited(async move {
        // A note for the operator: losing one is no reason to refuse anybody.
        if let Err(error) = services.store.touch_key(key_id, now).await {
            tracing::warn!(%key_id, error = %ErrorChain(&error), "the use of a key was not recorded");
        }
    })));
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn token_is_read_only_when_it_comes_once_and_well_formed() {
        const VALID: &str = "pcs_test_00000000000000000000ABCDEFGHIJ13o6sa";
        let headers = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(HEADER, HeaderValue::from_bytes(line.as_bytes()).expect("a header value"));
            }
            headers
        };
        assert_eq!(token_in(&headers(&[VALID])).map(|token| token.mode()), Some(KeyMode::Test));
        for wrong in [&[][..], &[""], &[VALID, VALID], &["pcs_test_00000000000000000000ABCDEFGHIJ13o6sb"], &["é"]] {
            assert!(token_in(&headers(wrong)).is_none(), "{wrong:?}");
        }
    }
}
