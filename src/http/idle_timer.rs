//! The activity of a connection, and when it must be closed: idle for too long, or its client does not read a response.
//!
//! Used by the listener for every connection. hyper limits heads and streams. This file limits time: a connection is idle while no
//! request runs and no response waits to be sent. The router and the reading of the body limit the time of a request.
//!
//! Only requests and responses count as activity: other frames, such as PING and SETTINGS of HTTP/2, do not keep a connection open.
//! Requests set no timers: the connection checks the times that its [`IdleTimer`] recorded when one of them may be due.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::connection_table::Client;
use crate::base::{FrontLimits, limits};

/// The activity of a connection.
pub(super) struct IdleTimer {
    limits: FrontLimits,
    opened: Instant,
    running: AtomicUsize,
    /// Whether a request has begun since the connection was opened.
    requested: AtomicBool,
    /// When the last request or response ended, in milliseconds since the opening.
    last_ms: AtomicU64,
    unsent: Mutex<Unsent>,
    client: Option<Client>,
}

/// The responses that are not completely written to the socket.
#[derive(Default)]
struct Unsent {
    last_id: u64,
    deadlines: Vec<Deadline>,
}

/// The deadline of a response, in milliseconds since the opening of its connection.
struct Deadline {
    id: u64,
    at_ms: u64,
}

/// A running request. Dropping it ends the request.
pub(super) struct RunningRequest(Arc<IdleTimer>);

/// A response that is being sent. Dropped once the connection has written or dropped all its bytes.
pub(super) struct Sending {
    idle_timer: Arc<IdleTimer>,
    id: u64,
}

/// Why a connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimedOut {
    /// No request arrived in time.
    Idle,
    /// The client does not take a response.
    Stalled,
}

impl IdleTimer {
    pub(super) fn new(limits: FrontLimits) -> Self {
        Self {
            limits,
            opened: Instant::now(),
            running: AtomicUsize::new(0),
            requested: AtomicBool::new(false),
            last_ms: AtomicU64::new(0),
            unsent: Mutex::default(),
            client: None,
        }
    }

    /// Sets the client of the connection.
    pub(super) fn with_client(self, client: Option<Client>) -> Self {
        Self { client, ..self }
    }

    /// The client; `None` if the connection is a proxy's.
    pub(super) fn client(&self) -> Option<Client> {
        self.client
    }

    /// Restarts the time for the first request after the TLS handshake, which has a separate limit.
    pub(super) fn restart(&self) {
        self.touch();
    }

    /// Records the start of a request.
    pub(super) fn begin(this: &Arc<Self>) -> RunningRequest {
        this.running.fetch_add(1, Ordering::Relaxed);
        if !this.requested.load(Ordering::Relaxed) {
            this.requested.store(true, Ordering::Relaxed);
        }
        RunningRequest(Arc::clone(this))
    }

    /// Records the start of a response.
    pub(super) fn send(this: &Arc<Self>) -> Sending {
        Self::send_at(this, this.now_ms())
    }

    fn send_at(this: &Arc<Self>, now_ms: u64) -> Sending {
        let at_ms = now_ms + millis(this.limits.response_stalled);
        let mut unsent = this.unsent();
        unsent.last_id += 1;
        let id = unsent.last_id;
        unsent.deadlines.push(Deadline { id, at_ms });
        drop(unsent);
        Sending { idle_timer: Arc::clone(this), id }
    }

    /// Whether the connection has had a request.
    pub(super) fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Whether no request is running and no response is being sent.
    pub(super) fn is_silent(&self) -> bool {
        self.running.load(Ordering::Acquire) == 0 && self.unsent().deadlines.is_empty()
    }

    /// Waits until the connection must be closed.
    pub(super) async fn wait_for_timeout(&self) -> TimedOut {
        loop {
            match self.wait_at(self.now_ms(), self.idle()) {
                Ok(wait) => tokio::time::sleep(wait).await,
                Err(timed_out) => return timed_out,
            }
        }
    }

    /// How long the connection may be without a request; less before the first one.
    fn idle(&self) -> Duration {
        if self.is_requested() { self.limits.connection_idle } else { self.limits.first_request }
    }

    /// Waits until the connection was idle for `time`, or a response has passed its deadline.
    pub(super) async fn wait_until_idle_for(&self, time: Duration) {
        while let Ok(wait) = self.wait_at(self.now_ms(), time) {
            tokio::time::sleep(wait).await;
        }
    }

    /// Returns how long to wait before the next check, or why the connection must be closed.
    fn wait_at(&self, now_ms: u64, idle: Duration) -> Result<Duration, TimedOut> {
        // A deadline set during the wait is not earlier than this.
        let longest = self.limits.response_stalled;
        if let Some(at_ms) = self.unsent().deadlines.iter().map(|deadline| deadline.at_ms).min() {
            let wait = at_ms.saturating_sub(now_ms);
            return if wait == 0 { Err(TimedOut::Stalled) } else { Ok(longest.min(Duration::from_millis(wait))) };
        }
        if self.running.load(Ordering::Acquire) > 0 {
            return Ok(longest.min(idle));
        }
        let idle_at = self.last_ms.load(Ordering::Relaxed) + millis(idle);
        match idle_at.saturating_sub(now_ms) {
            0 => Err(TimedOut::Idle),
            wait => Ok(longest.min(Duration::from_millis(wait))),
        }
    }

    fn now_ms(&self) -> u64 {
        millis(self.opened.elapsed())
    }

    fn touch(&self) {
        self.last_ms.store(self.now_ms(), Ordering::Relaxed);
    }

    fn unsent(&self) -> MutexGuard<'_, Unsent> {
        // No code that holds this lock can panic.
        self.unsent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX / 2)
}

impl RunningRequest {
    pub(super) fn idle_timer(&self) -> &Arc<IdleTimer> {
        &self.0
    }
}

impl Drop for RunningRequest {
    fn drop(&mut self) {
        // A response with a body ends later, and records its own end.
        if self.0.unsent().deadlines.is_empty() {
            self.0.touch();
        }
        self.0.running.fetch_sub(1, Ordering::Release);
    }
}

impl Sending {
    /// Records that the connection has taken bytes of the response.
    ///
    /// Each byte extends the deadline by the time that the slowest accepted client needs for it, up to `response_stalled` from
    /// now: a client may pause that long, and must keep the minimum rate on average.
    pub(super) fn record_sent(&self, bytes: usize) {
        self.record_sent_at(self.idle_timer.now_ms(), bytes);
    }

    fn record_sent_at(&self, now_ms: u64, bytes: usize) {
        let latest_ms = now_ms + millis(self.idle_timer.limits.response_stalled);
        let gained_ms =
            u64::try_from(bytes).unwrap_or(u64::MAX / 1_000) * 1_000 / limits::RESPONSE_BYTES_PER_SECOND_MIN;
        let mut unsent = self.idle_timer.unsent();
        if let Some(deadline) = unsent.deadlines.iter_mut().find(|deadline| deadline.id == self.id) {
            deadline.at_ms = latest_ms.min(deadline.at_ms + gained_ms);
        }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.idle_timer.touch();
        let mut unsent = self.idle_timer.unsent();
        if let Some(index) = unsent.deadlines.iter().position(|deadline| deadline.id == self.id) {
            unsent.deadlines.swap_remove(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: Duration = Duration::from_secs(10);

    fn idle_timer() -> Arc<IdleTimer> {
        let limits = FrontLimits { response_stalled: Duration::from_secs(20), ..FrontLimits::default() };
        Arc::new(IdleTimer::new(limits))
    }

    fn wait(idle_timer: &IdleTimer, second: u64) -> Result<u64, TimedOut> {
        idle_timer.wait_at(second * 1_000, TEN).map(|wait| wait.as_secs())
    }

    #[test]
    fn connection_without_requests_and_responses_is_idle_after_the_time() {
        let idle_timer = idle_timer();
        idle_timer.last_ms.store(5_000, Ordering::Relaxed);
        let waits = [5, 8, 15, 99].map(|second| wait(&idle_timer, second));
        assert_eq!(waits, [Ok(10), Ok(7), Err(TimedOut::Idle), Err(TimedOut::Idle)]);
        let request = IdleTimer::begin(&idle_timer);
        assert_eq!(wait(&idle_timer, 99), Ok(10), "a request runs");
        assert!(!idle_timer.is_silent());
        drop(request);
        assert!(idle_timer.is_silent());
        assert!(idle_timer.last_ms.load(Ordering::Relaxed) < 5_000, "its end is recorded");
    }

    #[test]
    fn first_request_has_a_shorter_time() {
        let idle_timer = idle_timer();
        assert_eq!(idle_timer.idle(), limits::FIRST_REQUEST);
        drop(IdleTimer::begin(&idle_timer));
        assert_eq!(idle_timer.idle(), limits::CONNECTION_IDLE);
    }

    #[test]
    fn response_that_is_not_taken_passes_its_deadline_despite_other_requests() {
        let idle_timer = idle_timer();
        let stalled = IdleTimer::send_at(&idle_timer, 0);
        assert_eq!([0, 19, 20].map(|second| wait(&idle_timer, second)), [Ok(20), Ok(1), Err(TimedOut::Stalled)]);
        drop(IdleTimer::begin(&idle_timer));
        let other = IdleTimer::send_at(&idle_timer, 15_000);
        other.record_sent_at(16_000, 1_000_000);
        drop(other);
        assert_eq!(
            wait(&idle_timer, 20),
            Err(TimedOut::Stalled),
            "other requests on the connection do not extend its time"
        );
        drop(stalled);
        idle_timer.last_ms.store(15_000, Ordering::Relaxed);
        assert_eq!([15, 25].map(|second| wait(&idle_timer, second)), [Ok(10), Err(TimedOut::Idle)]);
    }

    #[test]
    fn response_taken_at_the_minimum_rate_keeps_its_deadline_and_below_it_does_not() {
        let rate = usize::try_from(limits::RESPONSE_BYTES_PER_SECOND_MIN).expect("a small number");
        for (bytes_per_second, late_after) in [(rate, None), (rate / 2, Some(40)), (0, Some(20))] {
            let idle_timer = idle_timer();
            let answer = IdleTimer::send_at(&idle_timer, 0);
            let late = (1..600).find(|second| {
                answer.record_sent_at((second - 1) * 1_000, if *second == 1 { 0 } else { bytes_per_second });
                wait(&idle_timer, *second) == Err(TimedOut::Stalled)
            });
            assert!(
                late.map(|second| second / 3) == late_after.map(|second| second / 3),
                "{bytes_per_second}: {late:?}"
            );
        }
    }

    #[test]
    fn pause_of_a_response_is_limited_at_any_rate() {
        let idle_timer = idle_timer();
        let answer = IdleTimer::send_at(&idle_timer, 0);
        answer.record_sent_at(1_000, 100_000_000);
        assert_eq!([20, 21].map(|second| wait(&idle_timer, second)), [Ok(1), Err(TimedOut::Stalled)]);
    }
}
