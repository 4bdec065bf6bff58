//! Mails for the operator: one that was sent, refused or given up is sent again (decisions S10).

use uuid::Uuid;

use super::Failure;
use crate::base::{Timestamp, limits};
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
    services.store.queue_mails(vec![again.clone()]).await?;
    services.store.notify(Queue::Mails);
    Ok(again)
}

/// Queues each mail again that was refused or given up since a time and was not sent again. Returns the new mails, oldest first, at
/// most [`limits::MAILS_RESENT_AT_ONCE`]: a repeated call goes on.
pub(crate) async fn resend_failed(services: &Services, since: Timestamp) -> Result<Vec<Mail>, Failure> {
    let failed = services.store.failed_mails_since(since, limits::MAILS_RESENT_AT_ONCE).await?;
    let now = services.clock.now();
    let again: Vec<_> = failed.iter().map(|mail| mail.again(services.entropy.uuid(now), now)).collect();
    if !again.is_empty() {
        services.store.queue_mails(again.clone()).await?;
        services.store.notify(Queue::Mails);
    }
    Ok(again)
}
