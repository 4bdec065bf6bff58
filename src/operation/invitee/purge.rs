//! The operator deletes invitees: of one card, or those added before a time. Their personal links and queued mails are
//! deleted too.

use uuid::Uuid;

use crate::base::{Timestamp, limits};
use crate::operation::{Failure, Services};

/// Which invitees to delete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purge {
    OfCard(Uuid),
    AddedBefore(Timestamp),
}

/// The number of these invitees.
pub async fn count(services: &Services, purge: Purge) -> Result<usize, Failure> {
    Ok(match purge {
        Purge::OfCard(card_id) => services.store.invitees_of(card_id).await?.len(),
        Purge::AddedBefore(moment) => {
            usize::try_from(services.store.invitees_before(moment).await?).unwrap_or_default()
        }
    })
}

/// Deletes them and returns their number. `done` is called with the size of each batch. An interrupted purge can be
/// repeated.
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
