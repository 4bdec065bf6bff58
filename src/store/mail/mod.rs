//! The mail queue (decisions S10).

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::audit::{always, if_any, if_true};
use super::database::{Unit, query};
use super::error::Inconsistent;
use super::schema::mails;
use super::sql_type::{At, Id, Name};
use super::{Result, Store, StoreError};
use crate::base::Timestamp;
use crate::model::{Mail, MailKind, MailState, MailStateKind};

/// The state of the mail queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailBacklog {
    /// Mails that are not sent, refused or given up, including mails that wait for a card to come online.
    pub queued: i64,
    /// The earliest due time. May be in the future.
    pub due_since: Option<Timestamp>,
    /// When the oldest mail with a failed attempt was queued.
    pub failing_since: Option<Timestamp>,
}

impl MailBacklog {
    /// When the oldest mail that waits was queued or due.
    pub fn waiting_since(&self) -> Option<Timestamp> {
        self.due_since.into_iter().chain(self.failing_since).min()
    }
}

impl Store {
    /// Adds mails in a separate transaction. A mail about a change is written in the transaction of the change.
    pub async fn queue_mails(&self, mails: Vec<Mail>) -> Result<()> {
        query!(self.write(Unit::Transaction, always), queue_mails(mails))
    }

    /// Claims the mail with the earliest due time until `lease`.
    pub async fn claim_mail(&self, now: Timestamp, lease: Timestamp) -> Result<Option<Mail>> {
        query!(self.write(Unit::Transaction, Option::is_some), claim_mail(now, lease))
    }

    /// Records that a claimed mail was sent, counts it for its invitee, and queues the mail that follows it. Returns false
    /// and writes nothing if another worker has claimed the mail since.
    pub async fn record_sent_mail(&self, mail: Mail, now: Timestamp, next: Option<Mail>) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), record_sent_mail(mail, now, next))
    }

    /// Puts a claimed mail back with its answer. Returns false if another worker has claimed it since.
    pub async fn postpone_mail(&self, mail: Mail, due_at: Timestamp, attempts: i32) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), postpone_mail(mail, due_at, attempts))
    }

    /// Gives up a claimed mail with its answer, because it was refused or for another reason. Returns false if another
    /// worker has claimed it since.
    pub async fn give_up_mail(&self, mail: Mail, now: Timestamp, refused: bool) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), give_up_mail(mail, now, refused))
    }

    /// Returns the state of the queue.
    pub async fn mail_backlog(&self) -> Result<MailBacklog> {
        query!(self.read(), mail_backlog())
    }

    /// Returns to how many recipients a mail with a failed attempt waits that was queued before this time; counts at most
    /// `count_max` mails. Mails to one test address have one recipient.
    pub async fn mail_recipients_waiting(&self, before: Timestamp, count_max: usize) -> Result<usize> {
        query!(self.read(), mail_recipients_waiting(before, count_max))
    }

    /// Returns whether the mail server refuses the service: a mail waits for it, and no mail that was queued since was sent.
    pub async fn mail_is_blocked(&self) -> Result<bool> {
        query!(self.read(), mail_is_blocked())
    }

    /// Returns the mails that were refused or given up since this time, oldest first, except those that were sent again.
    pub async fn failed_mails_since(&self, since: Timestamp, count_max: usize) -> Result<Vec<Mail>> {
        query!(self.read(), failed_mails_since(since, count_max))
    }

    /// Returns whether a mail was given up since this time, or one to the address of an order was refused.
    pub async fn mail_lost_since(&self, since: Timestamp) -> Result<bool> {
        query!(self.read(), mail_lost_since(since))
    }

    /// Returns the mail with this id.
    pub async fn mail(&self, id: Uuid) -> Result<Option<Mail>> {
        query!(self.read(), mail(id))
    }

    /// Returns at most `count_max` mails, newest first; only mails in `state` if it is `Some`.
    pub async fn latest_mails(&self, state: Option<MailStateKind>, count_max: usize) -> Result<Vec<Mail>> {
        query!(self.read(), latest_mails(state, count_max))
    }

    /// Returns at most `count_max` mails that wait, those that are due first.
    pub async fn waiting_mails(&self, count_max: usize) -> Result<Vec<Mail>> {
        query!(self.read(), waiting_mails(count_max))
    }

    /// Returns the mails about a card, oldest first.
    pub async fn mails_of(&self, card_id: Uuid) -> Result<Vec<Mail>> {
        query!(self.read(), mails_of(card_id))
    }

    /// Deletes the mails that were queued before this time and are sent, refused or given up, and counts them.
    pub async fn delete_expired_mails(&self, before: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_expired_mails(before))
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = mails, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(super) struct MailRow {
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
    blocked_since: Option<At>,
}

impl TryFrom<MailRow> for Mail {
    type Error = StoreError;

    fn try_from(row: MailRow) -> Result<Self> {
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
            blocked_since: row.blocked_since.map(|at| at.0),
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
            blocked_since: mail.blocked_since.map(At),
        }
    }
}
