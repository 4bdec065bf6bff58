//! Invitee lists, and invitations with their limits (decisions S6, S10).
//!
//! The counts have separate tables, so that deleting an invitee and adding it again does not reset them.

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::mail::queue_mail;
use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{InvitationNote, Invitee, InviteeListLink, Mail, counted_address};
use crate::store::invitee::{InvitationNoteRow, InviteeRow, listed_key};
use crate::store::prepared_query::prepared;
use crate::store::schema::{
    cards, invitation_counts, invitation_days, invitation_notes, invitee_list_links, invitees, mails, partners,
};
use crate::store::sql_type::{At, Day, Digest, Id};
use crate::store::{Invitation, InvitationLimits, InviteeAddition, InviteeChange};

pub(crate) async fn invitees_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<Vec<Invitee>> {
    let of_card = invitees::table.filter(invitees::card_id.eq(Id(card_id))).order((invitees::created_at, invitees::id));
    let rows: Vec<InviteeRow> = of_card.select(InviteeRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Invitee::from).collect())
}

pub(crate) async fn invitee(c: &mut Conn<'_>, card_id: Uuid, id: Uuid) -> Result<Option<Invitee>> {
    let one = invitees::table.filter(invitees::id.eq(Id(id))).filter(invitees::card_id.eq(Id(card_id)));
    let row = one.select(InviteeRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Invitee::from))
}

pub(crate) async fn invitee_by_token(c: &mut Conn<'_>, token: &str) -> Result<Option<Invitee>> {
    let one = invitees::table.filter(invitees::token.eq(token));
    let row = one.select(InviteeRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Invitee::from))
}

/// Locks the card, so that other transactions cannot change its list.
async fn lock_list(c: &mut Conn<'_>, card_id: Uuid) -> Result<()> {
    let card = cards::table.filter(cards::id.eq(Id(card_id))).select(cards::id);
    locked!(card).get_result::<Id>(c).await?;
    Ok(())
}

pub(crate) async fn add_invitees(
    c: &mut Conn<'_>,
    card_id: Uuid,
    added: Vec<Invitee>,
    max: usize,
) -> Result<Vec<InviteeAddition>> {
    lock_list(c, card_id).await?;
    let count: i64 = invitees::table.filter(invitees::card_id.eq(Id(card_id))).count().get_result(c).await?;
    let mut free = max.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
    let mut additions = Vec::with_capacity(added.len());
    for invitee in added {
        let invitee = Invitee { card_id, ..invitee };
        additions.push(match is_listed(c, &invitee).await? {
            true => InviteeAddition::Duplicate,
            false if free == 0 => InviteeAddition::Full,
            false => {
                diesel::insert_into(invitees::table).values(InviteeRow::from(invitee)).perform(c).await?;
                free -= 1;
                InviteeAddition::Added
            }
        });
    }
    Ok(additions)
}

/// Returns whether the list has another person with this name and address. Rows of earlier releases have the address alone.
async fn is_listed(c: &mut Conn<'_>, invitee: &Invitee) -> Result<bool> {
    let Some(email) = &invitee.email else { return Ok(false) };
    let keys = [Some(email.to_lowercase()), listed_key(invitee)];
    let same = invitees::table
        .filter(invitees::card_id.eq(Id(invitee.card_id)))
        .filter(invitees::id.ne(Id(invitee.id)))
        .filter(invitees::email_folded.eq_any(keys));
    let names: Vec<String> = same.select(invitees::name).load(c).await?;
    Ok(names.iter().any(|name| name.to_lowercase() == invitee.name.to_lowercase()))
}

pub(crate) async fn change_invitee(
    c: &mut Conn<'_>,
    card_id: Uuid,
    id: Uuid,
    name: String,
    email: Option<String>,
) -> Result<InviteeChange> {
    lock_list(c, card_id).await?;
    let Some(before) = invitee(c, card_id, id).await? else { return Ok(InviteeChange::NotFound) };
    let after = Invitee { name, email, ..before.clone() };
    if is_listed(c, &after).await? {
        return Ok(InviteeChange::Duplicate);
    }
    let folded = |invitee: &Invitee| invitee.email.as_deref().map(str::to_lowercase);
    if folded(&after) != folded(&before) {
        diesel::delete(mails::table.filter(mails::invitee_id.eq(Some(Id(id))))).perform(c).await?;
        let unsent = (invitees::mail_count.eq(0), invitees::last_mail_at.eq(None::<At>));
        diesel::update(invitees::table.filter(invitees::id.eq(Id(id)))).set(unsent).perform(c).await?;
    }
    let key = listed_key(&after);
    let written = (invitees::name.eq(after.name), invitees::email.eq(after.email), invitees::email_folded.eq(key));
    diesel::update(invitees::table.filter(invitees::id.eq(Id(id)))).set(written).perform(c).await?;
    Ok(InviteeChange::Changed)
}

pub(crate) async fn delete_invitee(c: &mut Conn<'_>, card_id: Uuid, id: Uuid) -> Result<bool> {
    let one = invitees::table.filter(invitees::id.eq(Id(id))).filter(invitees::card_id.eq(Id(card_id)));
    Ok(diesel::delete(one).execute(c).await? == 1)
}

pub(crate) async fn note_seen(c: &mut Conn<'_>, invitee_id: Uuid, now: Timestamp) -> Result<()> {
    let unseen = invitees::table.filter(invitees::id.eq(Id(invitee_id))).filter(invitees::seen_at.is_null());
    prepared!(diesel::update(unseen).set(invitees::seen_at.eq(Some(At(now))))).perform(c).await?;
    Ok(())
}

pub(crate) async fn invitation_note(c: &mut Conn<'_>, card_id: Uuid) -> Result<Option<InvitationNote>> {
    let one = invitation_notes::table.filter(invitation_notes::card_id.eq(Id(card_id)));
    let row = one.select(InvitationNoteRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(InvitationNote::from))
}

pub(crate) async fn change_invitation_note(
    c: &mut Conn<'_>,
    note: InvitationNote,
    seen: Option<Timestamp>,
) -> Result<bool> {
    let card_id = note.card_id;
    lock_list(c, card_id).await?;
    let stored = invitation_note(c, card_id).await?;
    let content = stored.as_ref().map_or(("", false), |stored| (&stored.note, stored.answers));
    if content == (&*note.note, note.answers) {
        return Ok(true);
    }
    if stored.map(|stored| stored.changed_at) != seen {
        return Ok(false);
    }
    diesel::delete(invitation_notes::table.filter(invitation_notes::card_id.eq(Id(card_id)))).perform(c).await?;
    if note.answers || !note.note.is_empty() {
        diesel::insert_into(invitation_notes::table).values(InvitationNoteRow::from(note)).perform(c).await?;
    }
    Ok(true)
}

pub(crate) async fn add_invitee_list_link(c: &mut Conn<'_>, link: InviteeListLink) -> Result<()> {
    let row = (
        invitee_list_links::digest.eq(Digest(link.digest)),
        invitee_list_links::card_id.eq(Id(link.card_id)),
        invitee_list_links::created_at.eq(At(link.created_at)),
        invitee_list_links::expires_at.eq(At(link.expires_at)),
    );
    diesel::insert_into(invitee_list_links::table).values(row).perform(c).await?;
    Ok(())
}

pub(crate) async fn invitee_list_link(c: &mut Conn<'_>, digest: &[u8; 32]) -> Result<Option<InviteeListLink>> {
    let row: Option<(Digest, Id, At, At)> = invitee_list_links::table
        .filter(invitee_list_links::digest.eq(digest.as_slice()))
        .get_result(c)
        .await
        .optional()?;
    Ok(row.map(|(digest, card_id, created_at, expires_at)| InviteeListLink {
        digest: digest.0,
        card_id: card_id.0,
        created_at: created_at.0,
        expires_at: expires_at.0,
    }))
}

pub(crate) async fn invitee_list_links_until(c: &mut Conn<'_>, card_id: Uuid) -> Result<Option<Timestamp>> {
    let until: Option<At> = invitee_list_links::table
        .filter(invitee_list_links::card_id.eq(Id(card_id)))
        .order(invitee_list_links::expires_at.desc())
        .select(invitee_list_links::expires_at)
        .limit(1)
        .get_result(c)
        .await
        .optional()?;
    Ok(until.map(|until| until.0))
}

pub(crate) async fn delete_expired_invitee_list_links(c: &mut Conn<'_>, before: Timestamp) -> Result<usize> {
    let ended = invitee_list_links::table.filter(invitee_list_links::expires_at.lt(At(before)));
    Ok(diesel::delete(ended).execute(c).await?)
}

pub(crate) async fn invite(c: &mut Conn<'_>, mail: Mail, limits: InvitationLimits) -> Result<Invitation> {
    let Some(id) = mail.invitee_id else { return Ok(Invitation::NotFound) };
    // The lock keeps other transactions from counting for this card.
    let card = cards::table.filter(cards::id.eq(Id(mail.card_id))).select((cards::partner_id, cards::test));
    let card: Option<(Id, bool)> = locked!(card).get_result(c).await.optional()?;
    let Some((Id(partner_id), test)) = card else { return Ok(Invitation::NotFound) };
    let one = invitees::table.filter(invitees::id.eq(Id(id))).filter(invitees::card_id.eq(Id(mail.card_id)));
    let row = locked!(one.select(InviteeRow::as_select())).get_result(c).await.optional()?;
    let Some(invitee) = row.map(Invitee::from) else { return Ok(Invitation::NotFound) };
    let Some(email) = &invitee.email else { return Ok(Invitation::NotFound) };

    let digest = counted_address(mail.card_id, email);
    let (sent, last) = queued_for(c, &digest).await?;
    if sent >= limits.per_address {
        return Ok(Invitation::TooMany);
    }
    let is_recent = |last: &Timestamp| last.after(limits.again_after) > mail.created_at;
    let last = match last.filter(is_recent) {
        // Another person with the same mailbox.
        Some(_) if shares_mailbox(c, &invitee, &digest).await? => last_mail_to(c, id).await?.filter(is_recent),
        last => last,
    };
    if let Some(last) = last {
        return Ok(Invitation::TooSoon(last.after(limits.again_after)));
    }
    if sent_on(c, mail.card_id, test, limits.day).await? >= limits.per_card {
        return Ok(Invitation::CardLimit);
    }
    // Other cards of the partner share this count: one statement checks and counts.
    if !count_on(c, partner_id, test, limits.day, limits.per_partner).await? {
        return Ok(Invitation::PartnerLimit { partner_id });
    }
    count_on(c, mail.card_id, test, limits.day, limits.per_card).await?;
    let now = mail.created_at;
    let count = (invitation_counts::sent.eq(sent + 1), invitation_counts::last_at.eq(At(now)));
    let row = (invitation_counts::digest.eq(digest.to_vec()), invitation_counts::card_id.eq(Id(mail.card_id)), count);
    let insert = diesel::insert_into(invitation_counts::table).values(row);
    insert.on_conflict(invitation_counts::digest).do_update().set(count).perform(c).await?;
    queue_mail(c, mail).await?;
    Ok(Invitation::Queued)
}

/// Returns how many invitations were queued for the address and this card, and when the last one was.
async fn queued_for(c: &mut Conn<'_>, digest: &[u8; 32]) -> Result<(i32, Option<Timestamp>)> {
    let row = invitation_counts::table.filter(invitation_counts::digest.eq(digest.to_vec()));
    let count = row.select((invitation_counts::sent, invitation_counts::last_at));
    let counted: Option<(i32, At)> = count.get_result(c).await.optional()?;
    Ok(counted.map_or((0, None), |(sent, At(last))| (sent, Some(last))))
}

/// Returns whether somebody else on the list has the mailbox with this digest.
async fn shares_mailbox(c: &mut Conn<'_>, invitee: &Invitee, digest: &[u8; 32]) -> Result<bool> {
    let others = invitees::table
        .filter(invitees::card_id.eq(Id(invitee.card_id)))
        .filter(invitees::id.ne(Id(invitee.id)))
        .filter(invitees::email.is_not_null())
        .select(invitees::email.assume_not_null());
    let others: Vec<String> = others.load(c).await?;
    Ok(others.iter().any(|email| counted_address(invitee.card_id, email) == *digest))
}

/// Returns when the last mail to an invitee was queued.
async fn last_mail_to(c: &mut Conn<'_>, id: Uuid) -> Result<Option<Timestamp>> {
    let mails = mails::table.filter(mails::invitee_id.eq(Some(Id(id)))).order(mails::created_at.desc());
    let last: Option<At> = mails.select(mails::created_at).limit(1).get_result(c).await.optional()?;
    Ok(last.map(|last| last.0))
}

/// Returns how many invitations a card or a partner sent on a day.
async fn sent_on(c: &mut Conn<'_>, owner_id: Uuid, test: bool, day: NaiveDate) -> Result<i32> {
    let row = invitation_days::table.find((Id(owner_id), test, Day(day))).select(invitation_days::sent);
    Ok(row.get_result(c).await.optional()?.unwrap_or(0))
}

/// Counts one more invitation of a card or a partner on a day. Returns false and counts nothing if `max` is reached.
async fn count_on(c: &mut Conn<'_>, owner_id: Uuid, test: bool, day: NaiveDate, max: i32) -> Result<bool> {
    let none = (
        invitation_days::owner_id.eq(Id(owner_id)),
        invitation_days::test.eq(test),
        invitation_days::day.eq(Day(day)),
        invitation_days::sent.eq(0),
    );
    diesel::insert_into(invitation_days::table).values(none).on_conflict_do_nothing().perform(c).await?;
    let below = invitation_days::table
        .filter(invitation_days::owner_id.eq(Id(owner_id)))
        .filter(invitation_days::test.eq(test))
        .filter(invitation_days::day.eq(Day(day)))
        .filter(invitation_days::sent.lt(max));
    let more = diesel::update(below).set(invitation_days::sent.eq(invitation_days::sent + 1));
    Ok(prepared!(more).execute(c).await? == 1)
}

pub(crate) async fn invitations_used_up(c: &mut Conn<'_>, day: NaiveDate, max: i32) -> Result<bool> {
    let full = invitation_days::table
        .filter(invitation_days::day.eq(Day(day)))
        .filter(invitation_days::sent.ge(max))
        .filter(invitation_days::owner_id.eq_any(partners::table.select(partners::id)));
    let one: Option<Id> = full.select(invitation_days::owner_id).limit(1).get_result(c).await.optional()?;
    Ok(one.is_some())
}

pub(crate) async fn delete_expired_invitation_days(c: &mut Conn<'_>, before: NaiveDate) -> Result<usize> {
    Ok(diesel::delete(invitation_days::table.filter(invitation_days::day.lt(Day(before)))).execute(c).await?)
}

/// The foreign key deletes the queued mails of the invitees.
pub(crate) async fn delete_invitees_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<usize> {
    let counts = invitation_counts::table.filter(invitation_counts::card_id.eq(Id(card_id)));
    diesel::delete(counts).perform(c).await?;
    let note = invitation_notes::table.filter(invitation_notes::card_id.eq(Id(card_id)));
    diesel::delete(note).perform(c).await?;
    Ok(diesel::delete(invitees::table.filter(invitees::card_id.eq(Id(card_id)))).execute(c).await?)
}

/// The invitees who were added before a time. Ids grow with time: the primary key finds them.
macro_rules! added_before {
    ($before:expr) => {
        invitees::table
            .filter(invitees::created_at.lt(At($before)))
            .filter(invitees::id.lt(Id(crate::store::id_before($before))))
    };
}

/// Deletes invitation counts and notes of that age too.
pub(crate) async fn delete_invitees_before(c: &mut Conn<'_>, before: Timestamp, at_most: i64) -> Result<usize> {
    diesel::delete(invitation_counts::table.filter(invitation_counts::last_at.lt(At(before)))).perform(c).await?;
    diesel::delete(invitation_notes::table.filter(invitation_notes::changed_at.lt(At(before)))).perform(c).await?;
    let old = added_before!(before).order(invitees::id).select(invitees::id);
    let last: Option<Id> = old.offset(at_most - 1).limit(1).get_result(c).await.optional()?;
    let gone = added_before!(before);
    Ok(match last {
        Some(last) => diesel::delete(gone.filter(invitees::id.le(last))).execute(c).await?,
        None => diesel::delete(gone).execute(c).await?,
    })
}

pub(crate) async fn invitees_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64> {
    Ok(added_before!(before).count().get_result(c).await?)
}

pub(crate) async fn invitation_notes_before(c: &mut Conn<'_>, before: Timestamp) -> Result<i64> {
    let old = invitation_notes::table.filter(invitation_notes::changed_at.lt(At(before)));
    Ok(old.count().get_result(c).await?)
}
