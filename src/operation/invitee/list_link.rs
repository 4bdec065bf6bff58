//! The link to the invitee list in an order mail.
//!
//! A session link works once and for ten minutes (decisions S1): right for a button that somebody has just pressed, and
//! useless in a mail, which is read the next day, and again a week later. So the link in the mail is another one. It
//! works for [`limits::INVITEE_LIST_LINK_VALID`], any number of times, for the list alone and never for the customizer;
//! each time it opens a visit of its own, with its own cookie, that ends like any other (S2). Only its SHA-256 is kept.
//! A mail that has to be sent twice holds two links, and both work.
//!
//! The link belongs to the order and not to a key: revoking the key that made the card's session links does not end it, or
//! a partner that replaces a leaked key would take their lists away from families who ordered long ago. `session revoke`
//! ends what it has opened; while the partner is blocked the list can be read and not changed.

use crate::base::{HttpUrl, Timestamp, limits};
use crate::model::{BrowserSession, InviteeListLink, SessionTarget};
use crate::operation::session::digest;
use crate::operation::{Failure, Services};
use uuid::Uuid;

/// A new link, told once and not kept.
#[derive(Clone, Debug)]
pub struct ListLink {
    pub address: HttpUrl,
    pub expires_at: Timestamp,
}

/// What opening a link gives.
#[derive(Clone, Debug)]
pub enum OpenedListLink {
    /// The cookie's value is told once and not kept.
    Opened {
        browser_session: BrowserSession,
        cookie: String,
    },
    Expired(InviteeListLink),
    Unknown,
}

/// Makes a link to the list of a card.
pub async fn list_link(services: &Services, card_id: Uuid) -> Result<ListLink, Failure> {
    let token = services.entropy.unguessable();
    let created_at = services.clock.now();
    let expires_at = created_at.after(limits::INVITEE_LIST_LINK_VALID);
    let link = InviteeListLink { digest: digest(&token), card_id, created_at, expires_at };
    services.store.add_invitee_list_link(link).await?;
    Ok(ListLink { address: services.list_link_address(&token), expires_at })
}

/// Opens a visit of the invitee list by a link from a mail.
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
    services.store.open_visit(browser_session.clone()).await?;
    Ok(OpenedListLink::Opened { browser_session, cookie })
}
