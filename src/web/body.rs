//! The body of a request that has yet to be read: a page says how much of it it wants, and `http` gives it piece by piece.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;

use super::upload_budget::{HeldBytes, UploadBudget};
use crate::base::limits;

/// The bytes on their way in.
pub struct Body<'a> {
    pieces: BoxStream<'a, Result<Bytes, BodyError>>,
    announced: Option<usize>,
    client: Option<IpAddr>,
}

/// A body that was read: its bytes, and their part of the budget, which goes back when this is dropped.
#[derive(Debug)]
pub(super) struct Whole {
    pub bytes: Bytes,
    pub held: HeldBytes,
}

/// Why a body did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    #[error("the body is larger than the page takes")]
    TooLarge,
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body broke off")]
    BrokenOff,
    /// Another time, perhaps.
    #[error("other bodies take all the memory there is for them")]
    Busy,
}

impl<'a> Body<'a> {
    /// A body whose pieces arrive one by one; `announced` is its length as its head says it, and `client` the address that
    /// it is counted for, if that is one client's own and not a proxy's.
    pub fn new(
        pieces: BoxStream<'a, Result<Bytes, BodyError>>,
        announced: Option<usize>,
        client: Option<IpAddr>,
    ) -> Self {
        Self { pieces, announced, client }
    }

    /// How many bytes the head announces.
    pub(super) fn announced(&self) -> Option<usize> {
        self.announced
    }

    /// The whole body, of at most `bytes_max`, in limited time.
    ///
    /// Of a body that is refused, what is read on is dropped, up to a bound: a browser listens to the answer only once it has
    /// sent everything, and the answer says what to do.
    pub(super) async fn read(self, budget: &UploadBudget, bytes_max: usize) -> Result<Whole, BodyError> {
        tokio::time::timeout(limits::FORM_READ, self.read_on(budget, bytes_max))
            .await
            .unwrap_or(Err(BodyError::TooSlow))
    }

    /// Reads the body and keeps nothing of it, so that its sender gets to read the answer.
    pub(super) async fn discard(self, bytes_max: usize, time_max: Duration) {
        let _ = tokio::time::timeout(time_max, self.discard_to(bytes_max)).await;
    }

    async fn read_on(mut self, budget: &UploadBudget, bytes_max: usize) -> Result<Whole, BodyError> {
        let mut held = budget.body(self.client);
        let mut bytes = Vec::new();
        while let Some(piece) = self.pieces.next().await {
            let piece = piece?;
            let length = bytes.len() + piece.len();
            let error = match () {
                () if length > bytes_max => BodyError::TooLarge,
                () if !make_room(&mut bytes, length, bytes_max, &mut held) => BodyError::Busy,
                () => {
                    bytes.extend_from_slice(&piece);
                    continue;
                }
            };
            drop(bytes);
            held.release();
            let left = bytes_max.max(length) - length;
            self.discard_to(left.saturating_add(limits::FORM_DISCARDED_BYTES_MAX)).await;
            return Err(error);
        }
        Ok(Whole { bytes: bytes.into(), held })
    }

    async fn discard_to(mut self, bytes_max: usize) {
        let mut count = 0;
        while let Some(Ok(piece)) = self.pieces.next().await {
            count += piece.len();
            if count > bytes_max {
                return;
            }
        }
    }
}

/// Makes `bytes` large enough for `length`, doubling it, and pays for what it then takes; false when that is not there.
fn make_room(bytes: &mut Vec<u8>, length: usize, bytes_max: usize, held: &mut HeldBytes) -> bool {
    if length <= bytes.capacity() {
        return true;
    }
    let capacity = (2 * bytes.capacity()).clamp(length, bytes_max.max(length));
    let is_there = held.grow(capacity - bytes.capacity());
    if is_there {
        bytes.reserve_exact(capacity - bytes.len());
    }
    is_there
}

#[cfg(test)]
mod tests {
    use futures_util::stream;

    use super::*;

    /// A body of `count` pieces of 64 KiB.
    fn body(count: usize) -> Body<'static> {
        Body::new(stream::iter((0..count).map(|_| Ok(Bytes::from_static(&[b'x'; 65_536])))).boxed(), None, None)
    }

    #[tokio::test]
    async fn body_is_read_whole_and_pays_for_its_memory() {
        let budget = UploadBudget::default();
        let whole = body(3).read(&budget, 3 * 65_536).await.expect("a body");
        assert_eq!(whole.bytes.len(), 3 * 65_536);
        let mut rest = budget.body(None);
        assert!(!rest.grow(limits::UPLOAD_BYTES_HELD_MAX - whole.bytes.len() + 1));
        assert!(rest.grow(limits::UPLOAD_BYTES_HELD_MAX - whole.bytes.len()));
        assert_eq!(body(1).read(&budget, 65_536).await.err(), Some(BodyError::Busy));
        drop(whole);
        assert!(body(1).read(&budget, 65_536).await.is_ok());
    }

    #[tokio::test]
    async fn body_that_is_too_large_is_read_on_to_a_bound_and_nothing_of_it_is_held() {
        let budget = UploadBudget::default();
        assert_eq!(body(4).read(&budget, 3 * 65_536).await.err(), Some(BodyError::TooLarge));
        assert!(budget.body(None).grow(limits::UPLOAD_BYTES_HELD_MAX));
        let endless = Body::new(stream::repeat(()).map(|()| Ok(Bytes::from_static(&[0; 65_536]))).boxed(), None, None);
        assert_eq!(endless.read(&budget, 65_536).await.err(), Some(BodyError::TooLarge));
    }

    #[tokio::test]
    async fn body_that_breaks_off_is_no_body() {
        let pieces = stream::iter([Ok(Bytes::from_static(b"a")), Err(BodyError::BrokenOff)]).boxed();
        let broken = Body::new(pieces, None, None).read(&UploadBudget::default(), 10).await;
        assert_eq!(broken.err(), Some(BodyError::BrokenOff));
    }
}
