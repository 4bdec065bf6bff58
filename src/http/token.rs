//! Who knocks: from the access token in a header to the partner behind it.
//!
//! Called by the walk of a partner request. Source: specification, section 5; decisions H4, K1, K2.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{HeaderMap, HeaderName};
use quick_cache::UnitWeighter;
use quick_cache::sync::{Cache, DefaultLifecycle};
use uuid::Uuid;

use super::arrival::Time;
use super::front::Front;
use super::problem::ApiError;
use super::throttle::Bucket;
use crate::base::{ErrorChain, Timestamp, limits, request_id};
use crate::model::{AccessKey, AccessToken, KeyMode};

const HEADER: HeaderName = HeaderName::from_static("x-service-access-token");

/// The keys seen lately, by the digest of their token.
///
/// Unknown tokens are not kept: a new key works at once, and nobody can fill the memory with inventions.
pub struct Tokens {
    cache: Cache<[u8; 32], Arc<Known>, UnitWeighter, foldhash::fast::RandomState>,
}

/// A key as it stood in the database a moment ago.
struct Known {
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
pub struct Admitted {
    pub partner_id: Uuid,
    pub key_id: Uuid,
    pub mode: KeyMode,
    /// When it knocked.
    pub at: Timestamp,
    /// What its requests are charged to.
    pub bucket: Arc<Bucket>,
}

impl Tokens {
    pub fn new() -> Self {
        let (most, hasher) = (limits::KEYS_CACHED_MAX, foldhash::fast::RandomState::default());
        Self { cache: Cache::with(most, most as u64, UnitWeighter, hasher, DefaultLifecycle::default()) }
    }

    /// The partner whose token the headers carry; the same refusal for whatever is wrong with it.
    pub async fn admit(&self, front: &Front, headers: &HeaderMap, time: Time) -> Result<Admitted, ApiError> {
        let token = token_in(headers).ok_or_else(ApiError::unauthenticated)?;
        let now = time.moment;
        let known = self.look_up(front, token.digest(), time).await?.ok_or_else(ApiError::unauthenticated)?;
        if !known.key.is_valid_at(now) {
            return Err(ApiError::unauthenticated());
        }
        if known.blocked {
            return Err(ApiError::access_denied());
        }
        record_use(front, &known, now);
        let (partner_id, mode, bucket) = (known.key.partner_id, known.key.mode, Arc::clone(&known.bucket));
        Ok(Admitted { partner_id, key_id: known.key.id, mode, at: now, bucket })
    }

    /// The key with this digest, as it stands in the database or stood there so lately that a revocation since then is
    /// allowed to wait.
    async fn look_up(&self, front: &Front, digest: [u8; 32], time: Time) -> Result<Option<Arc<Known>>, ApiError> {
        if let Some(known) = self.cache.get(&digest)
            && known.is_fresh_at(time)
        {
            return Ok(Some(known));
        }
        Box::pin(self.read(front, digest, time)).await
    }

    /// `read` lies before the database is asked: what is read is at least as new.
    async fn read(&self, front: &Front, digest: [u8; 32], read: Time) -> Result<Option<Arc<Known>>, ApiError> {
        let Some((key, partner)) = front.services.store.key_by_digest(&digest).await? else {
            self.cache.remove(&digest);
            return Ok(None);
        };
        let bucket = front.buckets.of(key.partner_id, key.mode);
        let known = Known { key, blocked: partner.blocked, read, bucket, use_recorded: AtomicBool::new(false) };
        let known = Arc::new(known);
        self.cache.insert(digest, Arc::clone(&known));
        Ok(Some(known))
    }
}

impl Known {
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
fn record_use(front: &Front, known: &Known, now: Timestamp) {
    let grown_old = now.before(limits::KEY_USE_RECORDED);
    let is_recorded = known.key.last_used_at.is_some_and(|used| used > grown_old);
    if is_recorded || known.use_recorded.swap(true, Ordering::Relaxed) {
        return;
    }
    let (services, key_id) = (Arc::clone(&front.services), known.key.id);
    drop(front.tasks.spawn(request_id::inherited(async move {
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
