//! Stored pictures and videos: the object store, photo formats and renditions.
//!
//! Used by the operations on portraits, the import of themes and the routes that serve both (specification, sections 2.6 and
//! 2.11; decisions, section 7). Only this module names object_store.

mod key;
mod photo_format;
mod place;
mod rendition;
mod store;

pub use photo_format::{PhotoFormat, content_type_of};
pub use rendition::{
    DecodeTask, DecoderProgram, Reencoded, RenderError, Renderer, Renditions, Requester, decode_stdin,
};
pub use store::{MediaObserver, MediaParts, MediaStore};

/// An error of the object store, or an invalid key.
#[derive(Debug, thiserror::Error)]
pub enum MediaError {
    /// The key is not `photo/<name>`, `rendition/<name>` or `theme/<handle>/<name>`.
    #[error("`{0}` is no key of the object store")]
    Key(String),
    /// The address or the settings of the store are wrong.
    #[error("the object store `{address}` cannot be opened")]
    Open { address: String, source: Box<dyn std::error::Error + Send + Sync> },
    /// The health check timed out.
    #[error("the object store does not answer in time")]
    TooSlow,
    /// The size of a picture changed since its first part was read.
    #[error("the picture changed while it was read")]
    Changed,
    /// The bucket of S3 is missing.
    #[error("the bucket does not exist: correct the address of the object store, or create the bucket")]
    NoBucket(#[source] object_store::Error),
    /// An object that was stored is not there.
    #[error("the object store confirmed an object and does not return it")]
    Lost,
    /// The object of the health check was not stored, read back and deleted.
    #[error("the object store answers, but an object cannot be stored, read back and deleted")]
    Trial(#[source] Box<MediaError>),
    /// The store failed.
    #[error("the object store failed")]
    Failed(#[source] object_store::Error),
}

impl From<object_store::Error> for MediaError {
    fn from(error: object_store::Error) -> Self {
        if store::names_bucket(&error) { Self::NoBucket(error) } else { Self::Failed(error) }
    }
}

impl MediaError {
    fn open(address: &str, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Open { address: address.to_owned(), source: source.into() }
    }
}
