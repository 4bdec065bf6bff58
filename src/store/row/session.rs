//! One-time session links.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{Session, SessionTarget};
use crate::store::schema::sessions;
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
}

impl From<SessionRow> for Session {
    fn from(row: SessionRow) -> Self {
        Session {
            digest: row.digest.0,
            card_id: row.card_id.0,
            target: row.target.0,
            created_at: row.created_at.0,
            expires_at: row.expires_at.0,
            used_at: row.used_at.map(|at| at.0),
        }
    }
}

impl From<Session> for SessionRow {
    fn from(session: Session) -> Self {
        SessionRow {
            digest: Digest(session.digest),
            card_id: Id(session.card_id),
            target: Name(session.target),
            created_at: At(session.created_at),
            expires_at: At(session.expires_at),
            used_at: session.used_at.map(At),
        }
    }
}
