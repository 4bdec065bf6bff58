//! A partner finds a card by its own dossier number (version 2027-01).

use crate::base::limits;
use crate::model::Card;
use crate::operation::{Caller, Failure, Services};

/// The card with this dossier number, if the caller can reach it.
pub async fn find_by_dossier(
    services: &Services,
    caller: &Caller,
    external_dossier_id: &str,
) -> Result<Option<Card>, Failure> {
    // No card has a number that could not be created; PostgreSQL fails on U+0000.
    let chars = external_dossier_id.chars().count();
    if external_dossier_id.contains('\0') || chars > limits::EXTERNAL_DOSSIER_ID_CHARS_MAX {
        return Ok(None);
    }
    Ok(services.store.card_by_dossier(caller.scope(), external_dossier_id).await?)
}
