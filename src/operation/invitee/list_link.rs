//! The link to the invitee list in an order mail.
//!
//! A session link works once and for ten minutes (decisions S1), which does not suit a mail that is read days later. This
//! link works for [`limits::INVITEE_LIST_LINK_VALID`], any number of times, for the list only and never for the customizer.
//! Each time it opens a browser session of its own (S2). Only its SHA-256 is stored. A mail that is sent twice contains two
//! links, and both work.
//!
//! The link belongs to the order, not to a key: when a partner replaces a leaked key, families keep their lists. `session
//! revoke` ends the sessions that it opened. While the partner is blocked, the list can be read but not changed.

use crate::base::{HttpUrl, Timestamp, limits};
use crate::model::{BrowserSession, InviteeListLink, SessionTarget};
use crate::operation::Failure;
use crate::operation::session::digest;
use crate::services::Services;
use uuid::Uuid;

/// A new link, which is returned once and not stored.
#[derive(Clone, Debug)]
pub struct ListLink {
    pub address: HttpUrl,
    pub expires_at: Timestamp,
}

/// The result of opening a link.
#[derive(Clone, Debug)]
pub enum OpenedListLink {
    /// The cookie's value is returned once and not stored.
    Opened {
        browser_session: BrowserSession,
        cookie: String,
    },
    Expired(InviteeListLink),
    Unknown,
}

/// Creates a link to the list of a card.
pub async fn list_link(services: &Services, card_id: Uuid) -> Result<ListLink, Failure> {
    let token = services.entropy.unguessable();
    let created_at = services.clock.now();
    let expires_at = created_at.after(limits::INVITEE_LIST_LINK_VALID);
    let link = InviteeListLink { digest: digest(&token), card_id, created_at, expires_at };
    services.store.add_invitee_list_link(link).await?;
    Ok(ListLink { address: services.list_link_address(&token), expires_at })
}

/// Returns when the last link to the list of a card stops working; `None` if there is none that works.
pub async fn list_link_until(services: &Services, card_id: Uuid) -> Result<Option<Timestamp>, Failure> {
    let until = services.store.invitee_list_links_until(card_id).await?;
    Ok(until.filter(|until| *until > services.clock.now()))
}

/// Opens the invitee list in the browser that has this session of the customizer. The new session ends no later, and with the same key.
/// Returns the value of its cookie, which is not stored; `None` if the session has ended.
pub async fn open_list(services: &Services, customizer: &[u8; 32]) -> Result<Option<String>, Failure> {
    let Some(from) = services.store.browser_session(customizer).await? else { return Ok(None) };
    let cookie = services.entropy.unguessable();
    let list = BrowserSession {
        digest: digest(&cookie),
        target: SessionTarget::InviteeList,
        seen_at: services.clock.now(),
        ..from
    };
    services.store.add_browser_session(list).await?;
    Ok(Some(cookie))
}

/// Opens a browser session of the invitee list by a link from a mail.
pub async fn open_list_link(services: &Services, token: &str) -> Result<OpenedListLink, Failure> {
    let now = services.clock.now();
    let Some(link) = services.store.invitee_list_link(&digest(token)).await? else {
        return Ok(OpenedListLink::Unknown);
    };
    if link.expires_at <= now {
        return Ok(OpenedListLink::Expired(link));
    }
    let cookie = services.entropy.unguessable();
    let browser_session = BrowserSession {
        digest: digest(&cookie),
        card_id: link.card_id,
        target: SessionTarget::InviteeList,
        created_at: now,
        seen_at: now,
        key_id: None,
    };
    services.store.add_browser_session(browser_session.clone()).await?;
    Ok(OpenedListLink::Opened { browser_session, cookie })
}
