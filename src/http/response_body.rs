//! The body of a response as hyper reads it: in small pieces, within the byte budget, with a deadline.
//!
//! Made by the router. hyper buffers what it has read until the client takes it, so it reads one piece at a time. Each piece
//! refers to its response until the connection has written it: this is how unsent responses are counted and timed.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::body::{Body, Frame, SizeHint};

use super::idle_timer::{IdleTimer, Sending};
use crate::base::{ErrorChain, limits};
use crate::media::{MediaError, MediaParts};
use crate::response::Content;
use crate::web::HeldForm;

/// The body of a response.
pub(super) struct ResponseBody {
    /// Bytes that hyper has not read yet.
    ready: Bytes,
    /// The parts that are still in the object store.
    rest: Rest,
    /// The number of bytes that hyper has not read yet.
    left: u64,
    /// `None` for an empty body.
    sending: Option<Arc<Sending>>,
}

enum Rest {
    Nothing,
    Stored(MediaParts, Arc<Budget>),
    Reading(BoxFuture<'static, Result<(Bytes, MediaParts), MediaError>>, Arc<Budget>),
}

/// Bytes of a response, with the deadline and the reservation that last as long as they do.
struct Held {
    bytes: Bytes,
    _sending: Arc<Sending>,
    _reservation: Option<Reservation>,
    _form: Option<Arc<HeldForm>>,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl ResponseBody {
    /// Makes the body of a response on a connection; `reservation` covers the bytes that `content` holds, and `form` is the
    /// form that it answers.
    pub(super) fn new(
        content: Content,
        idle_timer: &Arc<IdleTimer>,
        budget: &Arc<Budget>,
        reservation: Option<Reservation>,
        form: Option<Arc<HeldForm>>,
    ) -> Self {
        let left = content.size();
        if left == 0 {
            return Self { ready: Bytes::new(), rest: Rest::Nothing, left, sending: None };
        }
        let sending = Arc::new(IdleTimer::send(idle_timer));
        let (bytes, rest) = match content {
            Content::Whole(bytes) => (bytes, Rest::Nothing),
            Content::Stored(bytes, parts) => (bytes, Rest::Stored(parts, Arc::clone(budget))),
        };
        let held = Held { bytes, _sending: Arc::clone(&sending), _reservation: reservation, _form: form };
        Self { ready: Bytes::from_owner(held), rest, left, sending: Some(sending) }
    }

    /// Reads the next part from the object store into `ready`.
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), MediaError>> {
        loop {
            match std::mem::replace(&mut self.rest, Rest::Nothing) {
                Rest::Nothing => return Poll::Ready(Ok(())),
                Rest::Stored(parts, budget) => self.rest = Rest::Reading(parts.next(), budget),
                Rest::Reading(mut reading, budget) => {
                    let Poll::Ready(read) = reading.as_mut().poll(cx) else {
                        self.rest = Rest::Reading(reading, budget);
                        return Poll::Pending;
                    };
                    let (bytes, parts) = read?;
                    // A started response may exceed the budget by one part.
                    let reservation = Some(budget.reserve_always(bytes.len()));
                    if let Some(sending) = &self.sending {
                        let held =
                            Held { bytes, _sending: Arc::clone(sending), _reservation: reservation, _form: None };
                        self.ready = Bytes::from_owner(held);
                    }
                    self.rest = Rest::Stored(parts, budget);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = MediaError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, MediaError>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if self.ready.is_empty()
            && let Err(error) = ready!(self.poll_part(cx))
        {
            tracing::error!(error = %ErrorChain(&error), "the object store failed during a response");
            return Poll::Ready(Some(Err(error)));
        }
        let bytes = self.ready.len().min(limits::RESPONSE_PIECE_BYTES);
        let piece = self.ready.split_to(bytes);
        self.left = self.left.saturating_sub(bytes as u64);
        if self.left > 0
            && let Some(sending) = &self.sending
        {
            sending.record_sent(bytes);
        }
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}

/// Counts reserved bytes, up to a maximum.
#[derive(Debug)]
pub(super) struct Budget {
    reserved: AtomicUsize,
    max: usize,
}

/// Bytes of a budget; dropping it returns them.
#[derive(Debug)]
pub(super) struct Reservation {
    budget: Arc<Budget>,
    bytes: usize,
}

impl Budget {
    pub(super) fn new(max: usize) -> Arc<Self> {
        Arc::new(Self { reserved: AtomicUsize::new(0), max })
    }

    /// Whether the maximum is reached.
    pub(super) fn is_full(&self) -> bool {
        self.reserved.load(Ordering::Relaxed) >= self.max
    }

    /// Reserves `bytes`, or returns `None` if they exceed the maximum. A response larger than the maximum is accepted while
    /// nothing else is reserved.
    pub(super) fn reserve(self: &Arc<Self>, bytes: usize) -> Option<Reservation> {
        let reservation = self.reserve_always(bytes);
        let total = self.reserved.load(Ordering::Relaxed);
        (total <= self.max || total == bytes).then_some(reservation)
    }

    /// Reserves `bytes` even beyond the maximum: for a response that cannot be refused.
    pub(super) fn reserve_always(self: &Arc<Self>, bytes: usize) -> Reservation {
        self.reserved.fetch_add(bytes, Ordering::Relaxed);
        Reservation { budget: Arc::clone(self), bytes }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.reserved.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reservation_beyond_the_maximum_is_refused_until_bytes_are_returned() {
        let budget = Budget::new(100);
        let first = budget.reserve(60).expect("60 of 100");
        assert!(budget.reserve(41).is_none(), "101 of 100");
        let second = budget.reserve(40).expect("a refused reservation returns its bytes");
        assert!(budget.is_full());
        let third = budget.reserve_always(10);
        drop((first, second));
        assert!(!budget.is_full());
        assert!(budget.reserve(91).is_none(), "10 are still reserved");
        drop(third);
        assert!(budget.reserve(1_000).is_some(), "a single answer may be larger than the maximum");
        assert!(budget.reserve(100).is_some(), "all bytes were returned");
    }
}
