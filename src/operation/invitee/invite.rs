//! The family sends an invitee the personal link (decisions S6, S10).

use uuid::Uuid;

use crate::base::limits;
use crate::model::Mail;
use crate::operation::{Failure, Services};
use crate::store::{Invitation, InvitationLimits, Queue};

/// Queues the mail, within the limits of its address, its card and its partner, so that the service cannot be used to send
/// spam.
pub async fn invite(services: &Services, card_id: Uuid, invitee_id: Uuid) -> Result<Invitation, Failure> {
    let now = services.clock.now();
    let mail = Mail::invitation(services.entropy.uuid(now), card_id, invitee_id, now);
    let limits = InvitationLimits {
        per_address: limits::INVITATIONS_MAX,
        again_after: limits::INVITATION_AGAIN_AFTER,
        day: services.clock.today(),
        per_card: limits::INVITATIONS_PER_CARD_AND_DAY,
        per_partner: services.policy.invitations_per_partner_and_day,
    };
    let outcome = services.store.invite(mail, limits).await?;
    match outcome {
        Invitation::Queued => services.store.wake(Queue::Mails),
        Invitation::CardLimit => {
            tracing::warn!(%card_id, max = limits.per_card, "a card has sent as many invitations today as it may");
        }
        Invitation::PartnerLimit { partner_id } => {
            let max = limits.per_partner;
            tracing::warn!(%card_id, %partner_id, max, "a partner has sent as many invitations today as it may");
        }
        Invitation::TooSoon(_) | Invitation::TooMany | Invitation::NotFound => {}
    }
    Ok(outcome)
}
