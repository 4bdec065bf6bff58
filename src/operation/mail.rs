//! Mails for the operator: one that was sent, refused or given up is sent again (decisions S10).

use uuid::Uuid;

use super::Failure;
use crate::model::{Mail, MailState};
use crate::services::Services;
use crate::store::Queue;

/// Why a mail is not sent again.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ResendMailError {
    #[error("there is no mail {0}")]
    NotFound(String),
    #[error("the mail {0} is queued: the server sends it without a command")]
    Queued(Uuid),
    #[error(transparent)]
    Failed(Failure),
}

impl<F: Into<Failure>> From<F> for ResendMailError {
    fn from(failure: F) -> Self {
        ResendMailError::Failed(failure.into())
    }
}

/// Queues another mail of the same kind, card and invitee, and returns it. Recipient and contents are read when it is sent. The limits
/// on invitations do not apply to the operator.
pub(crate) async fn resend(services: &Services, which: &str) -> Result<Mail, ResendMailError> {
    let unknown = || ResendMailError::NotFound(which.to_owned());
    let id = Uuid::try_parse(which).map_err(|_| unknown())?;
    let mail = services.store.mail(id).await?.ok_or_else(unknown)?;
    if let MailState::Due(_) = mail.state {
        return Err(ResendMailError::Queued(id));
    }
    let now = services.clock.now();
    let again = mail.again(services.entropy.uuid(now), now);
    services.store.queue_mail(again.clone()).await?;
    services.store.notify(Queue::Mails);
    Ok(again)
}
