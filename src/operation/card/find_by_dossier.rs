//! A card by the partner's own case number (version 2027-01).

use crate::base::limits;
use crate::model::Card;
use crate::operation::{Caller, Failure, Services};

/// The card with this dossier number that the caller's key reaches.
pub async fn find_by_dossier(
    services: &Services,
    caller: &Caller,
    external_dossier_id: &str,
) -> Result<Option<Card>, Failure> {
    // No card has one that could not be created; PostgreSQL would not even read a U+0000.
    let chars = external_dossier_id.chars().count();
    if external_dossier_id.contains('\0') || chars > limits::EXTERNAL_DOSSIER_ID_CHARS_MAX {
        return Ok(None);
    }
    Ok(services.store.card_by_dossier(caller.scope(), external_dossier_id).await?)
}
