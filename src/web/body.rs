//! The body of a request that has yet to be read: a page says how much of it it wants, and `http` reads.

use bytes::Bytes;
use futures_util::future::BoxFuture;

/// The bytes on their way in.
pub struct Body<'a>(Box<dyn FnOnce(usize) -> BoxFuture<'a, Result<Bytes, BodyError>> + Send + 'a>);

/// Why a body did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    #[error("the body is larger than the page takes")]
    TooLarge,
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body broke off")]
    BrokenOff,
}

impl<'a> Body<'a> {
    /// A body that `read` reads, up to as many bytes as it is told.
    pub fn new(read: impl FnOnce(usize) -> BoxFuture<'a, Result<Bytes, BodyError>> + Send + 'a) -> Self {
        Self(Box::new(read))
    }

    /// The whole body, of at most `bytes_max`.
    pub(super) async fn read(self, bytes_max: usize) -> Result<Bytes, BodyError> {
        (self.0)(bytes_max).await
    }
}
