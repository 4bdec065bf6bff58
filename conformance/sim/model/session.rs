//! Session links and browser sessions (decisions S1 to S3).

use card_service::base::{Timestamp, limits};
use card_service::model::{KeyMode, SessionSelection, SessionTarget};
use uuid::Uuid;

use super::Model;

/// A session link.
#[derive(Clone)]
pub struct Link {
    pub token: String,
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub key_id: Uuid,
    pub expires_at: Timestamp,
    pub used_at: Option<Timestamp>,
}

/// The link to the invitee list in an order mail.
#[derive(Clone)]
pub struct ListLink {
    pub token: String,
    pub card_id: Uuid,
    pub expires_at: Timestamp,
}

/// A browser session.
#[derive(Clone)]
pub struct Browser {
    pub cookie: String,
    pub card_id: Uuid,
    pub target: SessionTarget,
    pub key_id: Option<Uuid>,
    pub created_at: Timestamp,
    pub seen_at: Timestamp,
    /// Whether it was revoked.
    pub ended: bool,
}

/// What opening a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkEnd {
    Opened,
    Used,
    Expired,
    Unknown,
}

impl Browser {
    pub fn is_open(&self, now: Timestamp) -> bool {
        !self.ended
            && now < self.created_at.after(limits::BROWSER_SESSION_TOTAL)
            && now < self.seen_at.after(limits::BROWSER_SESSION_IDLE)
    }
}

impl Model {
    /// Whether a key was revoked.
    fn is_revoked(&self, key_id: Uuid) -> bool {
        let is_current = |mode| self.partners.iter().any(|account| account.key(mode) == key_id);
        !is_current(KeyMode::Live) && !is_current(KeyMode::Test)
    }

    pub fn link_end(&self, token: &str, now: Timestamp) -> LinkEnd {
        match self.links.iter().find(|link| link.token == token) {
            None => LinkEnd::Unknown,
            Some(link) if link.used_at.is_some() => LinkEnd::Used,
            Some(link) if link.expires_at <= now || self.is_revoked(link.key_id) => LinkEnd::Expired,
            Some(_) => LinkEnd::Opened,
        }
    }

    /// Whether a browser session is open, but for its target.
    pub fn is_open(&self, browser: &Browser, now: Timestamp) -> bool {
        browser.is_open(now) && !browser.key_id.is_some_and(|id| self.is_revoked(id))
    }

    /// Ends the selected links and browser sessions that are open; counts them.
    pub fn end_sessions(&mut self, of: SessionSelection, now: Timestamp) -> usize {
        let is_meant = |model: &Model, card_id: Uuid, key_id: Option<Uuid>| match of {
            SessionSelection::Card(id) => id == card_id,
            SessionSelection::Key(id) => key_id == Some(id),
            SessionSelection::Partner(id) => model.cards[&card_id].card.partner_id == id,
            SessionSelection::One(_) => false,
        };
        let model = self.clone();
        let mut count = 0;
        for link in &mut self.links {
            if is_meant(&model, link.card_id, Some(link.key_id)) && model.link_end(&link.token, now) == LinkEnd::Opened
            {
                link.expires_at = now;
                count += 1;
            }
        }
        for browser in &mut self.browsers {
            let ends = is_meant(&model, browser.card_id, browser.key_id) && model.is_open(browser, now);
            count += usize::from(ends);
            browser.ended |= ends;
        }
        count
    }
}
