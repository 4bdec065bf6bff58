//! The body of a request that has not been read yet: a page reads as much of it as it wants, and pays for its memory.
//!
//! The budget limits the memory of form bodies, in total and for each client, and the forms that one browser session has in work.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use tokio::time::{Instant, timeout_at};

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

/// The budget. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct UploadBudget(Arc<Mutex<Held>>);

#[derive(Debug, Default)]
struct Held {
    bytes: usize,
    bytes_by_client: HashMap<IpAddr, usize>,
    forms_by_session: HashMap<[u8; 32], usize>,
    files_by_session: HashMap<[u8; 32], usize>,
}

/// The reservation of a form in work: its bytes, and its place among the forms of its browser session. Dropping it returns
/// them, once the answer is written.
#[derive(Debug)]
pub(crate) struct HeldForm {
    budget: UploadBudget,
    client: Option<IpAddr>,
    counted: Mutex<Counted>,
}

#[derive(Debug, Default)]
struct Counted {
    bytes: usize,
    session: Option<[u8; 32]>,
    has_file: bool,
}

impl UploadBudget {
    /// Starts a reservation of 0 bytes, counted for `client` if there is one.
    pub(super) fn form(&self, client: Option<IpAddr>) -> HeldForm {
        HeldForm { budget: self.clone(), client, counted: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldForm {
    /// Counts the form for a browser session. Returns false if the session has the maximum in work already, of forms or of
    /// files.
    #[must_use]
    pub(super) fn count(&self, session: [u8; 32], has_file: bool) -> bool {
        let mut held = self.budget.lock();
        let count = |counts: &HashMap<_, usize>| counts.get(&session).copied().unwrap_or_default();
        if count(&held.forms_by_session) >= limits::FORMS_PER_SESSION_MAX
            || (has_file && count(&held.files_by_session) >= limits::UPLOADS_PER_SESSION_MAX)
        {
            return false;
        }
        *held.forms_by_session.entry(session).or_default() += 1;
        if has_file {
            *held.files_by_session.entry(session).or_default() += 1;
        }
        let mut counted = self.lock();
        (counted.session, counted.has_file) = (Some(session), has_file);
        true
    }

    /// Reserves `bytes` more. Returns false and reserves nothing if the budget does not allow it.
    #[must_use]
    pub(super) fn grow(&self, bytes: usize) -> bool {
        let mut held = self.budget.lock();
        let of_client =
            self.client.map(|client| held.bytes_by_client.get(&client).copied().unwrap_or_default() + bytes);
        if held.bytes + bytes > limits::UPLOAD_BYTES_HELD_MAX
            || of_client.is_some_and(|of_client| of_client > limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX)
        {
            return false;
        }
        held.bytes += bytes;
        if let Some((client, of_client)) = self.client.zip(of_client) {
            held.bytes_by_client.insert(client, of_client);
        }
        self.lock().bytes += bytes;
        true
    }

    /// Returns all bytes.
    pub(super) fn release(&self) {
        let mut held = self.budget.lock();
        let bytes = std::mem::take(&mut self.lock().bytes);
        held.bytes -= bytes;
        if let Some(client) = self.client {
            subtract(&mut held.bytes_by_client, client, bytes);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HeldForm {
    fn drop(&mut self) {
        self.release();
        let Counted { session: Some(session), has_file, .. } = *self.lock() else { return };
        let mut held = self.budget.lock();
        subtract(&mut held.forms_by_session, session, 1);
        if has_file {
            subtract(&mut held.files_by_session, session, 1);
        }
    }
}

/// Subtracts from a count, and removes a count of 0.
fn subtract<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: K, number: usize) {
    if let Entry::Occupied(mut count) = counts.entry(key) {
        *count.get_mut() -= number;
        if *count.get() == 0 {
            count.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

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

    const ONE: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1)));
    const OTHER: Option<IpAddr> = Some(IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2)));

    #[test]
    fn client_holds_its_share_and_no_more_and_gives_it_back() {
        let budget = UploadBudget::default();
        let (first, second) = (budget.form(ONE), budget.form(ONE));
        assert!(first.grow(limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX - 1));
        assert!(second.grow(1) && !second.grow(1), "two bodies of one client share");
        assert!(budget.form(OTHER).grow(limits::UPLOAD_BYTES_HELD_PER_CLIENT_MAX));
        first.release();
        assert!(second.grow(1));
        drop((first, second));
        let held = budget.lock();
        assert!(held.bytes == 0 && held.bytes_by_client.is_empty());
    }

    #[test]
    fn bytes_of_all_clients_are_bounded() {
        let budget = UploadBudget::default();
        let all = budget.form(None);
        assert!(all.grow(limits::UPLOAD_BYTES_HELD_MAX));
        assert!(!budget.form(OTHER).grow(1) && !budget.form(None).grow(1));
        drop(all);
        assert!(budget.form(OTHER).grow(1));
    }

    #[test]
    fn session_has_as_many_forms_and_files_in_work_as_it_may() {
        let budget = UploadBudget::default();
        let count = |session, has_file| {
            let form = budget.form(None);
            form.count([session; 32], has_file).then_some(form)
        };
        let mut files: Vec<_> = (0..limits::UPLOADS_PER_SESSION_MAX).map(|_| count(1, true)).collect();
        assert!(files.iter().all(Option::is_some) && count(1, true).is_none() && count(2, true).is_some());
        let forms: Vec<_> =
            (limits::UPLOADS_PER_SESSION_MAX..limits::FORMS_PER_SESSION_MAX).map(|_| count(1, false)).collect();
        assert!(forms.iter().all(Option::is_some) && count(1, false).is_none() && count(2, false).is_some());
        files.pop();
        assert!(count(1, false).is_some() && count(1, true).is_some());
        drop((files, forms));
        let held = budget.lock();
        assert!(held.files_by_session.is_empty() && held.forms_by_session.is_empty());
    }
}
