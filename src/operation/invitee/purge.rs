//! The operator takes people off invitee lists: of one card, or whoever was put on any list long ago.
//!
//! Called by the commands of the operator. Their personal links and the mails that wait for them go with them.

use uuid::Uuid;

use crate::base::Moment;
use crate::operation::{Failure, Services};

/// Whom to take off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purge {
    OfCard(Uuid),
    AddedBefore(Moment),
}

/// How many that would be.
pub async fn count(services: &Services, purge: Purge) -> Result<usize, Failure> {
    Ok(match purge {
        Purge::OfCard(card_id) => services.store.invitees_of(card_id).await?.len(),
        Purge::AddedBefore(moment) => {
            usize::try_from(services.store.invitees_before(moment).await?).unwrap_or_default()
        }
    })
}

/// Takes them off, and counts them.
pub async fn purge(services: &Services, purge: Purge) -> Result<usize, Failure> {
    Ok(match purge {
        Purge::OfCard(card_id) => services.store.purge_invitees_of(card_id).await?,
        Purge::AddedBefore(moment) => services.store.purge_invitees_before(moment).await?,
    })
}
