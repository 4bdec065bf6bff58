//! Errors of the object store.

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
    /// The store failed.
    #[error("the object store failed")]
    Failed(#[from] object_store::Error),
}

impl MediaError {
    pub(super) fn open(address: &str, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Open { address: address.to_owned(), source: source.into() }
    }
}
