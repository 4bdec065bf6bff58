//! One-time session links, and the browser sessions (table `visits`) that they open.

use super::record::{Column, row};
use crate::model::{BrowserSession, SessionLink, SessionTarget};
use crate::store::schema::{sessions, visits};
use crate::store::sql_type::{At, Digest, Id, Name};

row!(SessionRow in sessions is SessionLink {
    digest: Digest,
    card_id: Id,
    target: Name<SessionTarget>,
    created_at: At,
    expires_at: At,
    used_at: Option<At>,
    key_id: Option<Id>
});

row!(BrowserSessionRow in visits is BrowserSession {
    digest: Digest,
    card_id: Id,
    target: Name<SessionTarget>,
    created_at: At,
    seen_at: At,
    key_id: Option<Id>
});
