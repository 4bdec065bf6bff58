//! The body of a request that has not been read yet: a page reads as much of it as it wants.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use tokio::time::{Instant, timeout_at};

use super::upload_budget::HeldForm;
use crate::base::limits;
use crate::request::BodyError;

/// A body that arrives in pieces.
pub(super) struct Body<'a> {
    pieces: BoxStream<'a, Result<Bytes, BodyError>>,
    held: Arc<HeldForm>,
    pace: Pace,
}

/// When a client has paused too long, or was too slow on average.
struct Pace {
    stalled: Duration,
    deadline: Instant,
}

impl<'a> Body<'a> {
    /// `held` is the reservation that the body grows. `stalled`: how long it may pause.
    pub(super) fn new(pieces: BoxStream<'a, Result<Bytes, BodyError>>, held: Arc<HeldForm>, stalled: Duration) -> Self {
        Self { pieces, held, pace: Pace { stalled, deadline: Instant::now() + stalled } }
    }

    /// Counts the form for a browser session; see [`HeldForm::count`].
    pub(super) fn count(&self, session: [u8; 32], has_file: bool) -> bool {
        self.held.count(session, has_file)
    }

    /// Reads the whole body, of at most `bytes_max` bytes.
    ///
    /// Of a body that is refused, a bounded rest is read and dropped: a browser reads the response only after it has sent
    /// everything.
    pub(super) async fn read(mut self, bytes_max: usize) -> Result<Bytes, BodyError> {
        let mut bytes = Vec::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            let length = bytes.len() + piece.len();
            let error = match () {
                () if length > bytes_max => BodyError::TooLarge,
                () if !reserve(&mut bytes, length, bytes_max, &self.held) => BodyError::Busy,
                () => {
                    bytes.extend_from_slice(&piece);
                    continue;
                }
            };
            drop(bytes);
            self.held.release();
            let left = bytes_max.max(length) - length;
            let discarded = match bytes_max {
                limits::UPLOAD_FORM_BYTES_MAX => limits::UPLOAD_DISCARDED_BYTES_MAX,
                _ => limits::FORM_DISCARDED_BYTES_MAX,
            };
            self.discard(left.saturating_add(discarded)).await;
            return Err(error);
        }
        Ok(bytes.into())
    }

    /// Reads and drops the body up to `bytes_max` bytes, because browsers read the response after that.
    pub(super) async fn discard(mut self, bytes_max: usize) {
        let mut count = 0;
        while let Some(Ok(piece)) = self.next().await {
            count += piece.len();
            if count > bytes_max {
                return;
            }
        }
    }

    async fn next(&mut self) -> Option<Result<Bytes, BodyError>> {
        let piece = timeout_at(self.pace.deadline, self.pieces.next()).await;
        let piece = piece.unwrap_or(Some(Err(BodyError::TooSlow)));
        if let Some(Ok(piece)) = &piece {
            self.pace.received(Instant::now(), piece.len());
        }
        piece
    }
}

impl Pace {
    /// Extends the deadline by the time that the slowest accepted client needs for these bytes, up to `stalled` from now.
    fn received(&mut self, now: Instant, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX / 1_000);
        let gained = Duration::from_millis(bytes * 1_000 / limits::FORM_BYTES_PER_SECOND_MIN);
        self.deadline = (self.deadline + gained).min(now + self.stalled);
    }
}

/// Grows `bytes` to hold `length` bytes, at least doubling its capacity. Returns false if the budget does not allow it.
fn reserve(bytes: &mut Vec<u8>, length: usize, bytes_max: usize, held: &HeldForm) -> bool {
    if length <= bytes.capacity() {
        return true;
    }
    let capacity = (2 * bytes.capacity()).clamp(length, bytes_max.max(length));
    let is_allowed = held.grow(capacity - bytes.capacity());
    if is_allowed {
        bytes.reserve_exact(capacity - bytes.len());
    }
    is_allowed
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::super::upload_budget::UploadBudget;
    use super::*;

    /// A body of `count` pieces of 64 KiB.
    fn body(count: usize, budget: &UploadBudget) -> Body<'static> {
        let pieces = stream::iter((0..count).map(|_| Ok(Bytes::from_static(&[b'x'; 65_536]))));
        Body::new(pieces.boxed(), Arc::new(budget.form(None)), limits::FORM_STALLED)
    }

    /// The second at which a client that sends this many bytes each second has failed, within ten minutes.
    fn failed_after(bytes_per_second: usize) -> Option<u64> {
        let started = Instant::now();
        let mut pace = Pace { stalled: limits::FORM_STALLED, deadline: started + limits::FORM_STALLED };
        (1..600).find(|second| {
            let now = started + Duration::from_secs(*second);
            let is_over = pace.deadline < now;
            pace.received(now, bytes_per_second);
            is_over
        })
    }

    #[test]
    fn client_is_too_slow_below_the_rate_and_never_above_it() {
        let rate = usize::try_from(limits::FORM_BYTES_PER_SECOND_MIN).expect("a small number");
        let failed = [8 * rate, rate, rate / 2, 0].map(failed_after);
        assert_eq!(failed, [None, None, Some(40), Some(limits::FORM_STALLED.as_secs() + 1)]);
    }

    #[tokio::test]
    async fn body_that_pauses_is_too_slow_however_much_arrived_before() {
        let stalled = Duration::from_millis(200);
        let large = stream::iter((0..10).map(|_| Ok(Bytes::from_static(&[b'x'; 65_536]))));
        let held = Arc::new(UploadBudget::default().form(None));
        let body = Body::new(large.chain(stream::pending()).boxed(), held, stalled);
        let started = Instant::now();
        assert_eq!(body.read(1_000_000).await.err(), Some(BodyError::TooSlow));
        assert!(started.elapsed() < stalled * 10, "{:?}", started.elapsed());
    }

    #[tokio::test]
    async fn body_is_read_whole_and_pays_for_its_memory() {
        let budget = UploadBudget::default();
        let whole = body(3, &budget);
        let held = Arc::clone(&whole.held);
        assert_eq!(whole.read(3 * 65_536).await.expect("a body").len(), 3 * 65_536);
        let rest = budget.form(None);
        assert!(!rest.grow(limits::UPLOAD_BYTES_HELD_MAX - 3 * 65_536 + 1));
        assert!(rest.grow(limits::UPLOAD_BYTES_HELD_MAX - 3 * 65_536));
        assert_eq!(body(1, &budget).read(65_536).await.err(), Some(BodyError::Busy));
        drop(held);
        assert!(body(1, &budget).read(65_536).await.is_ok());
    }

    #[tokio::test]
    async fn body_that_is_too_large_is_read_on_to_a_bound_and_nothing_of_it_is_held() {
        let budget = UploadBudget::default();
        assert_eq!(body(4, &budget).read(3 * 65_536).await.err(), Some(BodyError::TooLarge));
        assert!(budget.form(None).grow(limits::UPLOAD_BYTES_HELD_MAX));
        let pieces = stream::repeat(()).map(|()| Ok(Bytes::from_static(&[0; 65_536]))).boxed();
        let endless = Body::new(pieces, Arc::new(budget.form(None)), limits::FORM_STALLED);
        assert_eq!(endless.read(65_536).await.err(), Some(BodyError::TooLarge));
    }

    #[tokio::test]
    async fn body_that_breaks_off_is_no_body() {
        let pieces = stream::iter([Ok(Bytes::from_static(b"a")), Err(BodyError::BrokenOff)]).boxed();
        let held = Arc::new(UploadBudget::default().form(None));
        let broken = Body::new(pieces, held, limits::FORM_STALLED).read(10).await;
        assert_eq!(broken.err(), Some(BodyError::BrokenOff));
    }
}
