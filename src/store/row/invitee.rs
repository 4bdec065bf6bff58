//! Invitees, and the note in their invitations.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use super::record::{Column, row};
use crate::model::{InvitationNote, Invitee};
use crate::store::schema::{invitation_notes, invitees};
use crate::store::sql_type::{At, Id};

row!(InvitationNoteRow in invitation_notes is InvitationNote {
    card_id: Id,
    note: String,
    changed_at: At
});

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = invitees, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct InviteeRow {
    id: Id,
    card_id: Id,
    name: String,
    email: Option<String>,
    email_folded: Option<String>,
    token: String,
    created_at: At,
    mail_count: i32,
    last_mail_at: Option<At>,
    seen_at: Option<At>,
}

impl From<InviteeRow> for Invitee {
    fn from(row: InviteeRow) -> Self {
        Invitee {
            id: row.id.0,
            card_id: row.card_id.0,
            name: row.name,
            email: row.email,
            token: row.token,
            created_at: row.created_at.0,
            mail_count: row.mail_count,
            last_mail_at: row.last_mail_at.map(|at| at.0),
            seen_at: row.seen_at.map(|at| at.0),
        }
    }
}

impl From<Invitee> for InviteeRow {
    fn from(invitee: Invitee) -> Self {
        InviteeRow {
            id: Id(invitee.id),
            card_id: Id(invitee.card_id),
            name: invitee.name,
            email_folded: invitee.email.as_deref().map(str::to_lowercase),
            email: invitee.email,
            token: invitee.token,
            created_at: At(invitee.created_at),
            mail_count: invitee.mail_count,
            last_mail_at: invitee.last_mail_at.map(At),
            seen_at: invitee.seen_at.map(At),
        }
    }
}
