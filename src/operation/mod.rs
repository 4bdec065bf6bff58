//! Operations: what a partner, the family or the operator can do.
//!
//! Called by resolvers, pages, the operator's commands and workers. An operation checks its input, does the network calls
//! (DNS, the portrait), and then writes the change and its event in one transaction, with no network while it is open.

pub(crate) mod activity;
mod address;
pub mod admin;
pub mod backup;
pub mod card;
pub mod invitee;
pub mod key;
pub(crate) mod mail;
pub mod organisation;
pub mod partner;
pub mod photo;
pub(crate) mod report;
pub mod retention;
pub mod session;
pub(crate) mod theme;
pub(crate) mod usage;
pub mod version;
pub mod webhook;

use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::media::MediaError;
use crate::model::{KeyMode, Scope, UserError};
use crate::store::{IdempotencyClaim, KeyReused, StoreError};

/// The partner of a request, and its access.
#[derive(Clone, Debug)]
pub struct Caller {
    pub partner_id: Uuid,
    /// The key of the request; links that it creates end with it.
    pub key_id: Uuid,
    /// A test key creates test cards and reaches test data only.
    pub mode: KeyMode,
    /// The version in the path of the request.
    pub version: &'static str,
    pub request_id: String,
    /// Set if the request has an `Idempotency-Key` and creates cards.
    pub claim: Option<IdempotencyClaim>,
    /// Cancelled when the client is gone. `None` if the request may be repeated under its key, and is then answered.
    pub abandoned: Option<CancellationToken>,
}

impl Caller {
    /// The data that the key reaches.
    pub fn scope(&self) -> Scope {
        Scope { partner_id: self.partner_id, mode: self.mode }
    }

    /// Does work that comes before any change, and is given up when nobody can get its response.
    ///
    /// # Errors
    /// [`Failure::Abandoned`].
    pub async fn unless_abandoned<T>(&self, work: impl Future<Output = T>) -> Result<T, Failure> {
        match &self.abandoned {
            Some(abandoned) => abandoned.run_until_cancelled(work).await.ok_or(Failure::Abandoned),
            None => Ok(work.await),
        }
    }
}

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
    /// Too many photos are on their way or wait for a decoder.
    #[error("too many photos are in work")]
    PhotosBusy,
    #[error("the client is gone")]
    Abandoned,
}

impl Failure {
    /// Whether the caller should retry later.
    pub fn is_unavailable(&self) -> bool {
        match self {
            Failure::Store(error) => matches!(error, StoreError::Unavailable(_)),
            Failure::Media(error) => matches!(error, MediaError::Failed(_) | MediaError::NoBucket(_)),
            Failure::PhotosBusy | Failure::Abandoned => true,
            Failure::MailFolder(_) => false,
        }
    }
}

impl OperationError {
    /// Refuses the input with one user error.
    fn refuse(error: UserError) -> Self {
        OperationError::Refused(vec![error])
    }
}

impl From<KeyReused> for OperationError {
    fn from(KeyReused: KeyReused) -> Self {
        OperationError::KeyReused
    }
}

impl<F: Into<Failure>> From<F> for OperationError {
    fn from(failure: F) -> Self {
        OperationError::Failed(failure.into())
    }
}
