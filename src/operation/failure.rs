//! Why an operation did not happen: the partner's input, or a failure of ours.

use crate::media::MediaError;
use crate::model::UserError;
use crate::store::StoreError;

/// Why an operation did not happen; nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum OperationError {
    /// What is wrong with the input: data for the partner, never empty.
    #[error("the input was refused")]
    Refused(Vec<UserError>),
    /// The idempotency key of the request was used for a different request meanwhile.
    #[error("the idempotency key belongs to a different request")]
    KeyReused,
    /// Ours; the cause is for the log.
    #[error(transparent)]
    Failed(Failure),
}

/// A failure of something the operation needs.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("the store failed")]
    Store(#[from] StoreError),
    #[error("the object store failed")]
    Media(#[from] MediaError),
}

impl Failure {
    /// Whether trying again later may help, so that the caller is told to.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Failure::Store(StoreError::Unavailable(_)) | Failure::Media(MediaError::Failed(_)))
    }
}

impl OperationError {
    /// The input is wrong in one way.
    pub(super) fn refused(error: UserError) -> Self {
        OperationError::Refused(vec![error])
    }
}

impl<F: Into<Failure>> From<F> for OperationError {
    fn from(failure: F) -> Self {
        OperationError::Failed(failure.into())
    }
}
