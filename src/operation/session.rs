//! Session links and browser sessions of the service's own pages (specification, section 2.7; decisions S1 to S3).
//!
//! A partner creates a link when a person clicks, a browser redeems it, and the operator lists and revokes both.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::{Caller, Failure, OperationError};
use crate::base::{GlobalId, HttpUrl, Kind, Timestamp, limits};
use crate::model::{
    BrowserSession, OpenSession, SessionLink, SessionSelection, SessionTarget, UserError, UserErrorCode, text,
};
use crate::services::Services;

/// A new session link, which is returned once and not stored.
#[derive(Clone, Debug)]
pub struct CreatedSession {
    pub url: HttpUrl,
    pub target: SessionTarget,
    pub expires_at: Timestamp,
}

/// Creates a session link for the card with the global id `card_id`.
pub async fn create(
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
        .add_session_link(SessionLink {
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
    OperationError::refuse(UserError::new(UserErrorCode::NotFound, &["cardId"], text::CARD_NOT_FOUND))
}

/// The state of a link.
#[derive(Clone, Debug)]
pub enum LinkState {
    /// Unused and valid.
    Fresh,
    Used(SessionLink),
    Expired(SessionLink),
    /// The key that created it was revoked.
    Revoked(SessionLink),
    Unknown,
}

/// The result of opening a link.
#[derive(Clone, Debug)]
pub enum Redeemed {
    /// The link was used now. The cookie's value is returned once and not stored.
    Opened {
        browser_session: BrowserSession,
        cookie: String,
    },
    Refused(LinkState),
}

/// Opens a link, which works once, in any browser and on any replica.
pub async fn redeem(services: &Services, token: &str) -> Result<Redeemed, Failure> {
    let cookie = services.entropy.unguessable();
    let now = services.clock.now();
    let opened = services.store.redeem_session(digest(token), digest(&cookie), now).await?;
    Ok(match opened {
        None => Redeemed::Refused(LinkState::Unknown),
        Some(opened) => match opened.browser_session {
            Some(browser_session) => Redeemed::Opened { browser_session, cookie },
            None if opened.session.used_at.is_some() => Redeemed::Refused(LinkState::Used(opened.session)),
            None if opened.session.expires_at <= now => Redeemed::Refused(LinkState::Expired(opened.session)),
            None => Redeemed::Refused(LinkState::Revoked(opened.session)),
        },
    })
}

/// The state of a link, without using it.
pub async fn link_state(services: &Services, token: &str) -> Result<LinkState, Failure> {
    let now = services.clock.now();
    Ok(match services.store.session_link(&digest(token)).await? {
        None => LinkState::Unknown,
        Some(session) if session.used_at.is_some() => LinkState::Used(session),
        Some(session) if session.expires_at <= now => LinkState::Expired(session),
        Some(session) if services.store.session_key_is_revoked(session.digest).await? => LinkState::Revoked(session),
        Some(_) => LinkState::Fresh,
    })
}

/// Returns the browser session of a cookie if it is open for this card and target, and records its use.
pub async fn browser_session(
    services: &Services,
    cookie: &str,
    card_id: Uuid,
    target: SessionTarget,
) -> Result<Option<BrowserSession>, Failure> {
    let found = services.store.browser_session(&digest(cookie)).await?;
    let now = services.clock.now();
    let is_valid = |browser_session: &BrowserSession| {
        browser_session.card_id == card_id && browser_session.target == target && browser_session.is_open_at(now)
    };
    let Some(browser_session) = found.filter(is_valid) else { return Ok(None) };
    if browser_session.is_stale_at(now) {
        services.store.touch_browser_session(browser_session.digest, now).await?;
    }
    Ok(Some(browser_session))
}

/// The SHA-256 of the token of a link or cookie, which is stored instead of it.
pub(super) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Returns the unused links and open browser sessions, newest first, except links of revoked keys.
pub async fn list_open(services: &Services, scope: SessionSelection) -> Result<Vec<OpenSession>, Failure> {
    let mut open = services.store.open_sessions(scope, services.clock.now()).await?;
    open.sort_by_key(|session| std::cmp::Reverse(session.created_at));
    Ok(open)
}

/// Ends these sessions on every replica and returns their number.
pub async fn revoke(services: &Services, scope: SessionSelection) -> Result<usize, Failure> {
    Ok(services.store.revoke_sessions(scope, services.clock.now()).await?)
}
