//! The operator takes people off invitee lists: of one card, or whoever was put on any list long ago.
//!
//! Called by the commands of the operator. Their personal links and the mails that wait for them go with them.

use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::operation::{Failure, Services};

/// Whom to take off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purge {
    OfCard(Uuid),
    AddedBefore(Timestamp),
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

/// Takes them off, and counts them; `done` is told of each part of them. What is broken off is finished by doing it again.
pub async fn purge(services: &Services, purge: Purge, done: impl Fn(usize)) -> Result<usize, Failure> {
    let moment = match purge {
        Purge::OfCard(card_id) => return Ok(services.store.purge_invitees_of(card_id).await?),
        Purge::AddedBefore(moment) => moment,
    };
    let (at_once, mut all) = (limits::INVITEES_PURGED_AT_ONCE, 0);
    loop {
        let gone = services.store.purge_some_invitees_before(moment, at_once).await?;
        done(gone);
        all += gone;
        if i64::try_from(gone).is_ok_and(|gone| gone < at_once) {
            return Ok(all);
        }
    }
}
