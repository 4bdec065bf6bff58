//! One-time session links, and the browser sessions (table `visits`) that they open; those of the operator.

use super::record::{Column, row};
use crate::model::{AdminSession, BrowserSession, SessionLink, SessionTarget};
use crate::store::schema::{admin_sessions, sessions, visits};
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

row!(AdminSessionRow in admin_sessions is AdminSession {
    id: Id,
    link: Digest,
    operator: String,
    created_at: At,
    expires_at: At,
    opened_at: Option<At>,
    cookie: Option<Digest>,
    seen_at: Option<At>,
    ended_at: Option<At>
});
