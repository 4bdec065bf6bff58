//! An invitee is sent the personal link, for the first time or again (decisions S6, S10).

use uuid::Uuid;

use crate::base::limits;
use crate::model::Mail;
use crate::operation::{Failure, Services};
use crate::store::{Invitation, Queue};

/// Queues the mail, within the limits for one person: so many in all, and none too soon after another.
pub async fn invite(services: &Services, card_id: Uuid, invitee_id: Uuid) -> Result<Invitation, Failure> {
    let now = services.clock.now();
    let mail = Mail::invitation(services.entropy.uuid(now), card_id, invitee_id, now);
    let outcome =
        services.store.invite(mail, limits::INVITATIONS_MAX, now.before(limits::INVITATION_AGAIN_AFTER)).await?;
    if outcome == Invitation::Queued {
        services.store.wake(Queue::Mails);
    }
    Ok(outcome)
}
