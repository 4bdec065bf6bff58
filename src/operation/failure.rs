//! The errors of operations: a refused input, or a failure of the service.

use crate::media::MediaError;
use crate::model::UserError;
use crate::store::StoreError;

/// Why an operation failed; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// The user errors, never empty.
    #[error("the input was refused")]
    Refused(Vec<UserError>),
    /// The idempotency key was used for a different request meanwhile.
    #[error("the idempotency key belongs to a different request")]
    KeyReused,
    /// A failure of the service; its cause is for the log.
    #[error(transparent)]
    Failed(Failure),
}

/// A failure of something that the operation needs.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("the store failed")]
    Store(#[from] StoreError),
    #[error("the object store failed")]
    Media(#[from] MediaError),
    #[error("the folder of mails failed")]
    MailFolder(#[source] std::io::Error),
}

impl Failure {
    /// Whether the caller should retry later.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Failure::Store(StoreError::Unavailable(_)) | Failure::Media(MediaError::Failed(_)))
    }
}

impl OperationError {
    /// Refuses the input with one user error.
    pub(super) fn refuse(error: UserError) -> Self {
        OperationError::Refused(vec![error])
    }
}

impl<F: Into<Failure>> From<F> for OperationError {
    fn from(failure: F) -> Self {
        OperationError::Failed(failure.into())
    }
}
