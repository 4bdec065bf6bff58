//! An invitee opens the card (decisions S6).

use crate::model::Invitee;
use crate::operation::{Failure, Services};

/// Records the first time only, without address, device or count.
pub async fn note_seen(services: &Services, invitee: &Invitee) -> Result<(), Failure> {
    if invitee.seen_at.is_none() {
        services.store.note_seen(invitee.id, services.clock.now()).await?;
    }
    Ok(())
}
