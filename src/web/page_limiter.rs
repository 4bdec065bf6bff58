//! Limits the requests of browser sessions, in the memory of this replica (decisions S14).
//!
//! A request takes a point of its browser session and a point of all pages of its partner and mode. The points of the API are
//! others: a partner that uses them up does not stop its families, and a family does not stop the API.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use uuid::Uuid;

use crate::base::{Clock, RateLimit, limits};
use crate::model::Card;

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, Clock, NoOpMiddleware<Nanos>>;

pub(super) struct PageLimiter {
    /// By the digest of the cookie.
    sessions: Limiter<[u8; 32]>,
    /// By partner, live and test apart.
    partners: Limiter<(Uuid, bool)>,
    requests: AtomicUsize,
}

impl PageLimiter {
    /// `rate` is the limit of a partner; a browser session has a share of it.
    pub(super) fn new(clock: &Clock, rate: RateLimit) -> Self {
        let share = |number: NonZeroU32, share| NonZeroU32::new(number.get() / share).unwrap_or(NonZeroU32::MIN);
        let quota = |restored, points| Quota::per_second(restored).allow_burst(points);
        let of_session = quota(
            share(rate.restored_per_second, limits::SESSION_RESTORED_SHARE),
            share(rate.points, limits::SESSION_POINTS_SHARE),
        );
        Self {
            sessions: RateLimiter::hashmap_with_clock(of_session, clock.clone()),
            partners: RateLimiter::hashmap_with_clock(quota(rate.restored_per_second, rate.points), clock.clone()),
            requests: AtomicUsize::new(0),
        }
    }

    /// Takes the points of a request.
    ///
    /// # Errors
    /// How long to wait, if the browser session or its partner has no point left.
    pub(super) fn take(&self, session: [u8; 32], card: &Card) -> Result<(), Duration> {
        if self.requests.fetch_add(1, Ordering::Relaxed).is_multiple_of(limits::SESSIONS_FORGOTTEN_EVERY) {
            self.sessions.retain_recent();
        }
        let now = GovernorClock::now(self.sessions.clock());
        self.sessions.check_key(&session).map_err(|until| until.wait_time_from(now))?;
        self.partners.check_key(&(card.partner_id, card.test)).map_err(|until| until.wait_time_from(now))
    }
}
