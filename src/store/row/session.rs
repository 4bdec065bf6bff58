//! One-time session links, and the browser sessions (visits) that they open.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{BrowserSession, SessionLink, SessionTarget};
use crate::store::schema::{sessions, visits};
use crate::store::sql_type::{At, Digest, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = sessions, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct SessionRow {
    digest: Digest,
    card_id: Id,
    target: Name<SessionTarget>,
    created_at: At,
    expires_at: At,
    used_at: Option<At>,
    key_id: Option<Id>,
}

impl From<SessionRow> for SessionLink {
    fn from(row: SessionRow) -> Self {
        SessionLink {
            digest: row.digest.0,
            card_id: row.card_id.0,
            target: row.target.0,
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
            used_at: row.used_at.map(|at| at.0),
            key_id: row.key_id.map(|id| id.0),
        }
    }
}

impl From<SessionLink> for SessionRow {
    fn from(session: SessionLink) -> Self {
        SessionRow {
            digest: Digest(session.digest),
            card_id: Id(session.card_id),
            target: Name(session.target),
            created_at: At(session.created_at),
            expires_at: At(session.expires_at),
            used_at: session.used_at.map(At),
            key_id: session.key_id.map(Id),
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = visits, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct VisitRow {
    digest: Digest,
    card_id: Id,
    target: Name<SessionTarget>,
    created_at: At,
    seen_at: At,
    key_id: Option<Id>,
}

impl From<VisitRow> for BrowserSession {
    fn from(row: VisitRow) -> Self {
        BrowserSession {
            digest: row.digest.0,
            card_id: row.card_id.0,
            target: row.target.0,
            created_at: row.created_at.0,
            seen_at: row.seen_at.0,
            key_id: row.key_id.map(|id| id.0),
        }
    }
}

impl From<BrowserSession> for VisitRow {
    fn from(visit: BrowserSession) -> Self {
        VisitRow {
            digest: Digest(visit.digest),
            card_id: Id(visit.card_id),
            target: Name(visit.target),
            created_at: At(visit.created_at),
            seen_at: At(visit.seen_at),
            key_id: visit.key_id.map(Id),
        }
    }
}
