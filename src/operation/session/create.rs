//! A partner creates a session link, when a person clicks (specification, section 2.7; decisions S1).

use super::redeem::digest;
use crate::base::{GlobalId, HttpUrl, Kind, Timestamp, limits};
use crate::model::{SessionLink, SessionTarget, UserError, UserErrorCode, text};
use crate::operation::{Caller, OperationError, Services};

/// A new session link, which is returned once and not stored.
#[derive(Clone, Debug)]
pub struct CreatedSession {
    pub url: HttpUrl,
    pub target: SessionTarget,
    pub expires_at: Timestamp,
}

/// Creates a session link for the card with the global id `card_id`.
pub(crate) async fn create(
    services: &Services,
    caller: &Caller,
    card_id: &str,
    target: SessionTarget,
) -> Result<CreatedSession, OperationError> {
    let id = GlobalId::uuid_of(card_id, Kind::Card).ok_or_else(not_found)?;
    let card = services.store.card(caller.scope(), id).await?.ok_or_else(not_found)?;

    let token = services.entropy.unguessable();
    let now = services.clock.now();
    let expires_at = now.after(limits::SESSION_LINK_VALID);
    let digest = digest(&token);
    services
        .store
        .open_session(SessionLink {
            digest,
            card_id: card.id,
            target,
            created_at: now,
            expires_at,
            used_at: None,
            key_id: Some(caller.key_id),
        })
        .await?;
    Ok(CreatedSession { url: services.session_address(&token), target, expires_at })
}

fn not_found() -> OperationError {
    OperationError::refused(UserError::new(UserErrorCode::NotFound, &["cardId"], text::CARD_NOT_FOUND))
}
