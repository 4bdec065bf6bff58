//! A card by the global id that the operator typed.

use uuid::Uuid;

use crate::base::{GlobalId, Kind};
use crate::cli::failure::CliFailure;
use crate::model::Card;
use crate::operation::Failure;
use crate::operation::card::CardStateError;
use crate::services::Services;

pub(super) fn id_of(gid: &str) -> Result<Uuid, CliFailure> {
    GlobalId::uuid_of(gid, Kind::Card).ok_or_else(|| CliFailure::NoCardId(gid.to_owned()))
}

/// The card with this global id.
pub(in crate::cli) async fn find_one(services: &Services, gid: &str) -> Result<Card, CliFailure> {
    let found = services.store.any_card(id_of(gid)?).await.map_err(Failure::from)?;
    found.ok_or_else(|| CliFailure::NoCard(gid.to_owned()))
}

/// Names the card by the global id that the operator typed.
pub(super) fn with_gid(gid: String) -> impl FnOnce(CardStateError) -> CliFailure {
    |error| match error {
        CardStateError::NotFound(_) => CliFailure::NoCard(gid),
        other => other.into(),
    }
}
