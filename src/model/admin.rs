//! The operator's access to the administration: one-time links, and the sessions that they open (decisions S11, S12).

use uuid::Uuid;

use crate::base::{Timestamp, limits, text_enum};

/// The path of every page of the administration starts with it.
pub const ADMIN_PATH: &str = "/admin";

/// Returns the path of a one-time link.
pub fn admin_link_path(token: &str) -> String {
    [ADMIN_PATH, "/open/", token].concat()
}

/// A one-time link of an operator, and the session that it opened. Link and cookie are stored as digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminSession {
    pub id: Uuid,
    /// SHA-256 of the unguessable part of the link.
    pub link: [u8; 32],
    /// The name of the operator in the audit log.
    pub operator: String,
    pub created_at: Timestamp,
    /// When the link expires.
    pub expires_at: Timestamp,
    pub opened_at: Option<Timestamp>,
    /// SHA-256 of the cookie's value; `None` until the link is opened.
    pub cookie: Option<[u8; 32]>,
    /// When the session was last used, to within [`limits::BROWSER_SESSION_SEEN_RECORDED`].
    pub seen_at: Option<Timestamp>,
    /// When the operator ended it, opened or not.
    pub ended_at: Option<Timestamp>,
}

/// The state of a link and its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminState {
    /// The link was not opened and can be.
    Unused,
    Open,
    /// The link expired, the session was idle or open for too long, or the operator ended it.
    Ended,
}

text_enum!(AdminState { Unused => "unused", Open => "open", Ended => "ended" });

impl AdminSession {
    pub fn state_at(&self, now: Timestamp) -> AdminState {
        let is_current = match (self.opened_at, self.seen_at) {
            (Some(opened), Some(seen)) => {
                now < opened.after(limits::BROWSER_SESSION_TOTAL) && now < seen.after(limits::BROWSER_SESSION_IDLE)
            }
            _ => now < self.expires_at,
        };
        match self.opened_at {
            _ if self.ended_at.is_some() || !is_current => AdminState::Ended,
            Some(_) => AdminState::Open,
            None => AdminState::Unused,
        }
    }

    /// Whether `seen_at` is old enough to be written again.
    pub fn is_stale_at(&self, now: Timestamp) -> bool {
        self.seen_at.is_some_and(|seen| now >= seen.after(limits::BROWSER_SESSION_SEEN_RECORDED))
    }
}
