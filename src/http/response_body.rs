//! The body of a response as hyper reads it: in small pieces, within the byte budget, with a deadline.
//!
//! Made by the router. hyper buffers what it has read until the client takes it, so it reads one piece at a time. Each piece
//! refers to its response until the connection has written it: this is how unsent responses are counted and timed.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::body::{Body, Frame, SizeHint};

use super::idle_timer::{IdleTimer, Sending};
use crate::base::{ByteReservation, ErrorChain, limits};
use crate::media::{MediaError, MediaParts};
use crate::response::Content;
use crate::web::FormReservation;

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
    /// With a reservation of 0 bytes, of which each part makes its own.
    Stored(MediaParts, ByteReservation),
    Reading(BoxFuture<'static, Result<(Bytes, MediaParts), MediaError>>, ByteReservation),
}

/// Bytes of a response, with the deadline and the reservation that last as long as they do.
struct BodyPart {
    bytes: Bytes,
    _sending: Arc<Sending>,
    _reservation: ByteReservation,
    _form: Option<Arc<FormReservation>>,
}

impl AsRef<[u8]> for BodyPart {
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
        reservation: ByteReservation,
        form: Option<Arc<FormReservation>>,
    ) -> Self {
        let left = content.size();
        if left == 0 {
            return Self { ready: Bytes::new(), rest: Rest::Nothing, left, sending: None };
        }
        let sending = Arc::new(IdleTimer::send(idle_timer));
        let (bytes, rest) = match content {
            Content::Whole(bytes) => (bytes, Rest::Nothing),
            Content::Stored(bytes, parts) => (bytes, Rest::Stored(parts, reservation.another())),
        };
        let held = BodyPart { bytes, _sending: Arc::clone(&sending), _reservation: reservation, _form: form };
        Self { ready: Bytes::from_owner(held), rest, left, sending: Some(sending) }
    }

    /// Reads the next part from the object store into `ready`.
    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), MediaError>> {
        loop {
            match std::mem::replace(&mut self.rest, Rest::Nothing) {
                Rest::Nothing => return Poll::Ready(Ok(())),
                Rest::Stored(parts, held) => self.rest = Rest::Reading(parts.next(), held),
                Rest::Reading(mut reading, held) => {
                    let Poll::Ready(read) = reading.as_mut().poll(cx) else {
                        self.rest = Rest::Reading(reading, held);
                        return Poll::Pending;
                    };
                    let (bytes, parts) = read?;
                    // A started response may exceed the budget by one part.
                    let mut reservation = held.another();
                    reservation.force_to(bytes.len());
                    if let Some(sending) = &self.sending {
                        let held =
                            BodyPart { bytes, _sending: Arc::clone(sending), _reservation: reservation, _form: None };
                        self.ready = Bytes::from_owner(held);
                    }
                    self.rest = Rest::Stored(parts, held);
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
