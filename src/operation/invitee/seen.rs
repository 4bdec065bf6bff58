//! An invitee opens the card (decisions S6).

use crate::model::Invitee;
use crate::operation::{Failure, Services};

/// Notes the first time, and nothing about a later one: no address, no device, no count.
pub async fn note_seen(services: &Services, invitee: &Invitee) -> Result<(), Failure> {
    if invitee.seen_at.is_none() {
        services.store.note_seen(invitee.id, services.clock.now()).await?;
    }
    Ok(())
}
