//! The body of a request that has not been read yet: a page reads as much of it as it wants.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;

use super::upload_budget::{HeldBytes, UploadBudget};
use crate::base::limits;

/// A body that arrives in pieces.
pub(super) struct Body<'a> {
    pieces: BoxStream<'a, Result<Bytes, BodyError>>,
    budget: UploadBudget,
    client: Option<IpAddr>,
}

/// A body that was read, with its reservation in the budget.
#[derive(Debug)]
pub(super) struct Whole {
    pub bytes: Bytes,
    pub held: HeldBytes,
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BodyError {
    #[error("the body is larger than the page takes")]
    TooLarge,
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body broke off")]
    BrokenOff,
    #[error("the memory for bodies is used up")]
    Busy,
}

impl<'a> Body<'a> {
    /// `client` is the address that the body is counted for, unless the connection is a proxy's.
    pub(super) fn new(
        pieces: BoxStream<'a, Result<Bytes, BodyError>>,
        budget: UploadBudget,
        client: Option<IpAddr>,
    ) -> Self {
        Self { pieces, budget, client }
    }

    pub(super) fn budget(&self) -> &UploadBudget {
        &self.budget
    }

    /// Reads the whole body, of at most `bytes_max` bytes, within [`limits::FORM_READ`].
    ///
    /// Of a body that is refused, a bounded rest is read and dropped: a browser reads the response only after it has sent
    /// everything.
    pub(super) async fn read(self, bytes_max: usize) -> Result<Whole, BodyError> {
        let whole = tokio::time::timeout(limits::FORM_READ, self.read_all(bytes_max));
        whole.await.unwrap_or(Err(BodyError::TooSlow))
    }

    /// Reads and drops the body, because browsers read the response after that.
    pub(super) async fn discard(self, bytes_max: usize, time_max: Duration) {
        let _ = tokio::time::timeout(time_max, self.discard_to(bytes_max)).await;
    }

    async fn read_all(mut self, bytes_max: usize) -> Result<Whole, BodyError> {
        let mut held = self.budget.body(self.client);
        let mut bytes = Vec::new();
        while let Some(piece) = self.pieces.next().await {
            let piece = piece?;
            let length = bytes.len() + piece.len();
            let error = match () {
                () if length > bytes_max => BodyError::TooLarge,
                () if !reserve(&mut bytes, length, bytes_max, &mut held) => BodyError::Busy,
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

/// Grows `bytes` to hold `length` bytes, at least doubling its capacity. Returns false if the budget does not allow it.
fn reserve(bytes: &mut Vec<u8>, length: usize, bytes_max: usize, held: &mut HeldBytes) -> bool {
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

    use super::*;

    /// A body of `count` pieces of 64 KiB.
    fn body(count: usize, budget: &UploadBudget) -> Body<'static> {
        let pieces = stream::iter((0..count).map(|_| Ok(Bytes::from_static(&[b'x'; 65_536]))));
        Body::new(pieces.boxed(), budget.clone(), None)
    }

    #[tokio::test]
    async fn body_is_read_whole_and_pays_for_its_memory() {
        let budget = UploadBudget::default();
        let whole = body(3, &budget).read(3 * 65_536).await.expect("a body");
        assert_eq!(whole.bytes.len(), 3 * 65_536);
        let mut rest = budget.body(None);
        assert!(!rest.grow(limits::UPLOAD_BYTES_HELD_MAX - whole.bytes.len() + 1));
        assert!(rest.grow(limits::UPLOAD_BYTES_HELD_MAX - whole.bytes.len()));
        assert_eq!(body(1, &budget).read(65_536).await.err(), Some(BodyError::Busy));
        drop(whole);
        assert!(body(1, &budget).read(65_536).await.is_ok());
    }

    #[tokio::test]
    async fn body_that_is_too_large_is_read_on_to_a_bound_and_nothing_of_it_is_held() {
        let budget = UploadBudget::default();
        assert_eq!(body(4, &budget).read(3 * 65_536).await.err(), Some(BodyError::TooLarge));
        assert!(budget.body(None).grow(limits::UPLOAD_BYTES_HELD_MAX));
        let pieces = stream::repeat(()).map(|()| Ok(Bytes::from_static(&[0; 65_536]))).boxed();
        let endless = Body::new(pieces, budget.clone(), None);
        assert_eq!(endless.read(65_536).await.err(), Some(BodyError::TooLarge));
    }

    #[tokio::test]
    async fn body_that_breaks_off_is_no_body() {
        let pieces = stream::iter([Ok(Bytes::from_static(b"a")), Err(BodyError::BrokenOff)]).boxed();
        let broken = Body::new(pieces, UploadBudget::default(), None).read(10).await;
        assert_eq!(broken.err(), Some(BodyError::BrokenOff));
    }
}
