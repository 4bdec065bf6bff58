//! A browser opens a session link (specification, section 2.7; decisions S2, S3).

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::model::{BrowserSession, SessionLink, SessionTarget};
use crate::operation::{Failure, Services};

/// The state of a link.
#[derive(Clone, Debug)]
pub(crate) enum LinkState {
    /// Unused and valid.
    Fresh,
    Used(SessionLink),
    /// Expired, or the key that created it was revoked.
    Expired(SessionLink),
    Unknown,
}

/// The result of opening a link.
#[derive(Clone, Debug)]
pub(crate) enum Redeemed {
    /// The link was used now. The cookie's value is returned once and not stored.
    Opened {
        browser_session: BrowserSession,
        cookie: String,
    },
    Refused(LinkState),
}

/// Opens a link, which works once, in any browser and on any replica.
pub(crate) async fn redeem(services: &Services, token: &str) -> Result<Redeemed, Failure> {
    let cookie = services.entropy.unguessable();
    let now = services.clock.now();
    let opened = services.store.redeem_session(digest(token), digest(&cookie), now).await?;
    Ok(match opened {
        None => Redeemed::Refused(LinkState::Unknown),
        Some(opened) => match opened.browser_session {
            Some(browser_session) => Redeemed::Opened { browser_session, cookie },
            None if opened.session.used_at.is_some() => Redeemed::Refused(LinkState::Used(opened.session)),
            None => Redeemed::Refused(LinkState::Expired(opened.session)),
        },
    })
}

/// The state of a link, without using it.
pub(crate) async fn link_state(services: &Services, token: &str) -> Result<LinkState, Failure> {
    let now = services.clock.now();
    Ok(match services.store.session_by_digest(&digest(token)).await? {
        None => LinkState::Unknown,
        Some(session) if session.used_at.is_some() => LinkState::Used(session),
        Some(session) if session.expires_at <= now => LinkState::Expired(session),
        Some(session) if services.store.session_key_is_revoked(session.digest).await? => LinkState::Expired(session),
        Some(_) => LinkState::Fresh,
    })
}

/// The visit behind a cookie, if it still opens this environment of this card; its use is noted.
pub(crate) async fn browser_session(
    services: &Services,
    cookie: &str,
    card_id: Uuid,
    target: SessionTarget,
) -> Result<Option<BrowserSession>, Failure> {
    let found = services.store.visit(&digest(cookie)).await?;
    let now = services.clock.now();
    let is_valid = |browser_session: &BrowserSession| {
        browser_session.card_id == card_id && browser_session.target == target && browser_session.is_open_at(now)
    };
    let Some(browser_session) = found.filter(is_valid) else { return Ok(None) };
    if browser_session.is_stale_at(now) {
        services.store.touch_visit(browser_session.digest, now).await?;
    }
    Ok(Some(browser_session))
}

/// The SHA-256 of the token of a link or cookie, which is stored instead of it.
pub(in crate::operation) fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}
