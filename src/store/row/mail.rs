//! Mails of the queue.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::model::{Mail, MailKind, MailState};
use crate::store::StoreError;
use crate::store::error::Inconsistent;
use crate::store::schema::mails;
use crate::store::sql_type::{At, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = mails, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct MailRow {
    id: Id,
    card_id: Id,
    kind: Name<MailKind>,
    invitee_id: Option<Id>,
    created_at: At,
    due_at: Option<At>,
    attempts: i32,
    sent_at: Option<At>,
    failed_at: Option<At>,
    refused: bool,
    answer: Option<String>,
}

impl TryFrom<MailRow> for Mail {
    type Error = StoreError;

    fn try_from(row: MailRow) -> Result<Self, StoreError> {
        let state = match (row.due_at, row.sent_at, row.failed_at) {
            (Some(due), None, None) => MailState::Due(due.0),
            (None, Some(sent), None) => MailState::Sent(sent.0),
            (None, None, Some(failed)) if row.refused => MailState::Refused(failed.0),
            (None, None, Some(failed)) => MailState::GivenUp(failed.0),
            _ => return Err(Inconsistent("a mail is in two states, or in none").into()),
        };
        Ok(Mail {
            id: row.id.0,
            card_id: row.card_id.0,
            kind: row.kind.0,
            invitee_id: row.invitee_id.map(|id| id.0),
            created_at: row.created_at.0,
            attempts: row.attempts,
            state,
            answer: row.answer,
        })
    }
}

impl From<&Mail> for MailRow {
    fn from(mail: &Mail) -> Self {
        let (due_at, sent_at, failed_at) = match mail.state {
            MailState::Due(at) => (Some(At(at)), None, None),
            MailState::Sent(at) => (None, Some(At(at)), None),
            MailState::Refused(at) | MailState::GivenUp(at) => (None, None, Some(At(at))),
        };
        MailRow {
            id: Id(mail.id),
            card_id: Id(mail.card_id),
            kind: Name(mail.kind),
            invitee_id: mail.invitee_id.map(Id),
            created_at: At(mail.created_at),
            due_at,
            attempts: mail.attempts,
            sent_at,
            failed_at,
            refused: matches!(mail.state, MailState::Refused(_)),
            answer: mail.answer.clone(),
        }
    }
}
