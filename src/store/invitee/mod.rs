//! Invitee lists, the links to them, and the limits on invitations (decisions S6).

use std::time::Duration;

use chrono::NaiveDate;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::audit::{always, if_any, if_true};
use super::database::{Unit, query};
use super::row::{Column, row};
use super::schema::{invitation_notes, invitees};
use super::sql_type::{At, Id};
use super::{Result, Store};
use crate::base::Timestamp;
use crate::model::{InvitationNote, Invitee, InviteeListLink, Mail};

/// The result of adding an invitee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeAddition {
    Added,
    /// The person is on the list already, with this address.
    Duplicate,
    /// The list has its maximum length.
    Full,
}

/// The result of changing an invitee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InviteeChange {
    Changed,
    /// Another invitee of the card has the name and the address.
    Duplicate,
    /// The invitee is not on the list.
    NotFound,
}

/// How many invitations may be queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvitationLimits {
    /// To one address for one card, in total.
    pub per_address: i32,
    /// The minimum time between two of them to one person.
    pub again_after: Duration,
    /// Today in the Netherlands.
    pub day: NaiveDate,
    /// On that day.
    pub per_card: i32,
    /// On that day, for all cards of the partner, live and test apart.
    pub per_partner: i32,
}

/// The result of queueing an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invitation {
    Queued,
    /// The last invitation to this invitee is too recent. The next one may be queued at this time.
    TooSoon(Timestamp),
    /// This address was sent the maximum number of invitations.
    TooMany,
    /// The card has reached its limit for this day.
    CardLimit,
    /// The partner has reached its limit for this day.
    PartnerLimit {
        partner_id: Uuid,
    },
    /// The invitee is not on the list, or has no address.
    NotFound,
}

impl Store {
    /// Returns the invitees of a card, in the order in which they were added.
    pub async fn invitees_of(&self, card_id: Uuid) -> Result<Vec<Invitee>> {
        query!(self.read(), invitees_of(card_id))
    }

    /// Returns the invitee with this id on the list of this card.
    pub async fn invitee(&self, card_id: Uuid, id: Uuid) -> Result<Option<Invitee>> {
        query!(self.read(), invitee(card_id, id))
    }

    /// Returns the invitee with this personal link.
    pub async fn invitee_by_token(&self, token: &str) -> Result<Option<Invitee>> {
        query!(self.run_shared(), invitee_by_token(token))
    }

    /// Adds invitees to the list of a card, which holds at most `max`. Returns the result for each of them.
    pub async fn add_invitees(
        &self,
        card_id: Uuid,
        invitees: Vec<Invitee>,
        max: usize,
    ) -> Result<Vec<InviteeAddition>> {
        query!(
            self.write(Unit::Transaction, |added: &Vec<_>| added.contains(&InviteeAddition::Added)),
            add_invitees(card_id, invitees, max)
        )
    }

    /// Changes the name and the address of an invitee of this card. With another address, mails to the one before are deleted
    /// and not counted for the invitee; the personal link stays.
    pub async fn change_invitee(
        &self,
        card_id: Uuid,
        id: Uuid,
        name: String,
        email: Option<String>,
    ) -> Result<InviteeChange> {
        query!(
            self.write(Unit::Transaction, |change| *change == InviteeChange::Changed),
            change_invitee(card_id, id, name, email)
        )
    }

    /// Deletes an invitee of this card and the queued mails to it. Returns false if it is not on the list.
    pub async fn delete_invitee(&self, card_id: Uuid, id: Uuid) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), delete_invitee(card_id, id))
    }

    /// Deletes all invitees of a card with their invitation counts and the note in their invitations, and counts the invitees.
    pub async fn delete_invitees_of(&self, card_id: Uuid) -> Result<usize> {
        query!(self.write(Unit::Transaction, if_any), delete_invitees_of(card_id))
    }

    /// Counts the invitees that were added before this time.
    pub async fn invitees_before(&self, before: Timestamp) -> Result<i64> {
        query!(self.read(), invitees_before(before))
    }

    /// Counts the notes in invitations that were last changed before this time.
    pub async fn invitation_notes_before(&self, before: Timestamp) -> Result<i64> {
        query!(self.read(), invitation_notes_before(before))
    }

    /// Deletes at most so many invitees that were added before this time, and counts them. A smaller count means that
    /// none is left. Deletes invitation counts and notes of that age too.
    pub async fn delete_invitees_before(&self, before: Timestamp, at_most: i64) -> Result<usize> {
        query!(self.write(Unit::Transaction, if_any), delete_invitees_before(before, at_most))
    }

    /// Records when the personal link was first opened.
    pub async fn note_seen(&self, invitee_id: Uuid, now: Timestamp) -> Result<()> {
        query!(self.write(Unit::Statement, always), note_seen(invitee_id, now))
    }

    /// Queues an invitation and counts it for its address, card and partner, unless one of them has reached its limit.
    pub async fn invite(&self, mail: Mail, limits: InvitationLimits) -> Result<Invitation> {
        query!(self.write(Unit::Transaction, |made| *made == Invitation::Queued), invite(mail, limits))
    }

    /// Returns whether a partner has sent `max` invitations on this day, live or test.
    pub async fn invitations_used_up(&self, day: NaiveDate, max: i32) -> Result<bool> {
        query!(self.read(), invitations_used_up(day, max))
    }

    /// Deletes the daily invitation counts before this day, and counts them.
    pub async fn delete_expired_invitation_days(&self, before: NaiveDate) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_expired_invitation_days(before))
    }

    /// Returns the note in the invitations of a card.
    pub async fn invitation_note(&self, card_id: Uuid) -> Result<Option<InvitationNote>> {
        query!(self.read(), invitation_note(card_id))
    }

    /// Stores the note in the invitations of a card, or deletes an empty one. Returns false and changes nothing if the stored note was
    /// changed at another time than `seen`.
    pub async fn change_invitation_note(&self, note: InvitationNote, seen: Option<Timestamp>) -> Result<bool> {
        query!(self.write(Unit::Transaction, if_true), change_invitation_note(note, seen))
    }

    /// Adds a link to the invitee list of a card.
    pub async fn add_invitee_list_link(&self, link: InviteeListLink) -> Result<()> {
        query!(self.write(Unit::Statement, always), add_invitee_list_link(link))
    }

    /// Returns the link with this digest, also if it has expired.
    pub async fn invitee_list_link(&self, digest: &[u8; 32]) -> Result<Option<InviteeListLink>> {
        query!(self.read(), invitee_list_link(digest))
    }

    /// Returns when the last link to the list of this card expires, also if it has expired.
    pub async fn invitee_list_links_until(&self, card_id: Uuid) -> Result<Option<Timestamp>> {
        query!(self.read(), invitee_list_links_until(card_id))
    }

    /// Deletes the links that expired before this time, and counts them.
    pub async fn delete_expired_invitee_list_links(&self, before: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_expired_invitee_list_links(before))
    }
}

row!(InvitationNoteRow in invitation_notes is InvitationNote {
    card_id: Id,
    note: String,
    answers: bool,
    changed_at: At
});

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = invitees, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(super) struct InviteeRow {
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
            email_folded: listed_key(&invitee),
            name: invitee.name,
            email: invitee.email,
            token: invitee.token,
            created_at: At(invitee.created_at),
            mail_count: invitee.mail_count,
            last_mail_at: invitee.last_mail_at.map(At),
            seen_at: invitee.seen_at.map(At),
        }
    }
}

/// What is unique on the list of a card: the address and the name, since two people may share a mailbox. `None` without an address.
pub(super) fn listed_key(invitee: &Invitee) -> Option<String> {
    let email = invitee.email.as_deref()?;
    Some(format!("{} {}", email.to_lowercase(), invitee.name.to_lowercase()))
}
