//! Authentication: resolves the access token header to a partner.
//!
//! Called by the handler of partner requests. Valid keys are cached for [`limits::KEY_CACHED`], so that a revocation takes
//! effect on every replica within that time. Source: specification, section 5; decisions H4, K1, K2.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::{HeaderMap, HeaderName};
use quick_cache::sync::Cache;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::api_error::ApiError;
use super::throttle::{Bucket, Buckets};
use crate::base::{ErrorChain, Timestamp, limits, request_id};
use crate::model::{AccessKey, AccessToken, KeyMode};
use crate::services::Services;

const HEADER: HeaderName = HeaderName::from_static("x-service-access-token");

/// Authenticates requests, with a bounded cache of valid keys.
///
/// Unknown tokens are not cached: a new key works at once, and callers cannot fill the cache.
pub(super) struct Authenticator {
    services: Arc<Services>,
    tasks: TaskTracker,
    buckets: Buckets,
    /// By the digest of the token.
    keys: Cache<[u8; 32], Arc<CachedKey>>,
}

struct CachedKey {
    key: AccessKey,
    partner_blocked: bool,
    /// Monotonic, so that setting the system clock back does not keep a revoked key alive.
    cached_at: Duration,
    bucket: Arc<Bucket>,
    use_recorded: AtomicBool,
}

/// The partner behind a valid token.
#[derive(Clone, Debug)]
pub(super) struct Authenticated {
    pub partner_id: Uuid,
    pub key_id: Uuid,
    pub mode: KeyMode,
    /// The rate limit of the partner.
    pub bucket: Arc<Bucket>,
}

impl Authenticator {
    pub(super) fn new(services: Arc<Services>, tasks: TaskTracker) -> Self {
        let buckets = Buckets::new(services.clock.clone(), services.policy.rate);
        Self { services, tasks, buckets, keys: Cache::new(limits::KEYS_CACHED_MAX) }
    }

    /// Returns the partner whose token the request carries.
    ///
    /// # Errors
    /// 401 for a missing, repeated, malformed, unknown, expired or revoked token, with the same body for each; 403 if the
    /// partner is blocked.
    pub(super) async fn authenticate(&self, headers: &HeaderMap) -> Result<Authenticated, ApiError> {
        let token = token_in(headers).ok_or_else(ApiError::unauthenticated)?;
        let cached = self.find(token.digest()).await?.ok_or_else(ApiError::unauthenticated)?;
        let at = self.services.clock.now();
        if !cached.key.is_valid_at(at) {
            return Err(ApiError::unauthenticated());
        }
        if cached.partner_blocked {
            return Err(ApiError::access_denied());
        }
        self.record_use(&cached, at);
        let AccessKey { id: key_id, partner_id, mode, .. } = cached.key;
        Ok(Authenticated { partner_id, key_id, mode, bucket: Arc::clone(&cached.bucket) })
    }

    /// Returns the key with this digest, from the cache or the database.
    async fn find(&self, digest: [u8; 32]) -> Result<Option<Arc<CachedKey>>, ApiError> {
        let now = self.services.clock.elapsed();
        if let Some(cached) = self.keys.get(&digest)
            && now.saturating_sub(cached.cached_at) < limits::KEY_CACHED
        {
            return Ok(Some(cached));
        }
        let Some((key, partner)) = self.services.store.key_by_digest(&digest).await? else {
            self.keys.remove(&digest);
            return Ok(None);
        };
        let cached = Arc::new(CachedKey {
            bucket: self.buckets.for_key(key.partner_id, key.mode),
            key,
            partner_blocked: partner.blocked,
            // Read before the query: the entry is at least as new as it says.
            cached_at: now,
            use_recorded: AtomicBool::new(false),
        });
        self.keys.insert(digest, Arc::clone(&cached));
        Ok(Some(cached))
    }

    /// Updates `last_used_at` in the background, at most about once per [`limits::KEY_USE_RECORDED`] and key.
    fn record_use(&self, cached: &CachedKey, now: Timestamp) {
        let is_recent = |used| used > now.before(limits::KEY_USE_RECORDED);
        if cached.key.last_used_at.is_some_and(is_recent) || cached.use_recorded.swap(true, Ordering::Relaxed) {
            return;
        }
        let (services, key_id) = (Arc::clone(&self.services), cached.key.id);
        drop(self.tasks.spawn(request_id::inherit(async move {
            if let Err(error) = services.store.touch_key(key_id, now).await {
                tracing::warn!(%key_id, error = %ErrorChain(&error), "the use of a key was not recorded");
            }
        })));
    }
}

/// Returns the token if the header occurs exactly once and is well formed.
fn token_in(headers: &HeaderMap) -> Option<AccessToken> {
    let mut lines = headers.get_all(HEADER).iter();
    let (line, None) = (lines.next()?, lines.next()) else { return None };
    AccessToken::parse(line.to_str().ok()?)
}
