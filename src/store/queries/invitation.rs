//! Invitations and their limits (decisions S6, S10).
//!
//! The counts have tables of their own, so that deleting an invitee and adding it again does not reset them.

use chrono::NaiveDate;
use diesel::prelude::*;
use uuid::Uuid;

use super::mail::queue_mail;
use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Invitee, Mail, counted_address};
use crate::store::prepared_query::prepared;
use crate::store::row::InviteeRow;
use crate::store::schema::{cards, invitation_counts, invitation_days, invitees, partners};
use crate::store::sql_type::{At, Day, Id};
use crate::store::{Invitation, InvitationLimits, StoreError};

pub(in crate::store) async fn invite(
    c: &mut Conn<'_>,
    mail: Mail,
    limits: InvitationLimits,
) -> Result<Invitation, StoreError> {
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
    if let Some(again) = last.map(|last| last.after(limits.again_after)).filter(|again| *again > mail.created_at) {
        return Ok(Invitation::TooSoon(again));
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
    insert.on_conflict(invitation_counts::digest).do_update().set(count).execute(c).await?;
    queue_mail(c, mail).await?;
    Ok(Invitation::Queued)
}

/// Returns how many invitations were queued for the address and this card, and when the last one was.
async fn queued_for(c: &mut Conn<'_>, digest: &[u8; 32]) -> Result<(i32, Option<Timestamp>), StoreError> {
    let row = invitation_counts::table.filter(invitation_counts::digest.eq(digest.to_vec()));
    let count = row.select((invitation_counts::sent, invitation_counts::last_at));
    let counted: Option<(i32, At)> = count.get_result(c).await.optional()?;
    Ok(counted.map_or((0, None), |(sent, At(last))| (sent, Some(last))))
}

/// Returns how many invitations a card or a partner sent on a day.
async fn sent_on(c: &mut Conn<'_>, owner_id: Uuid, test: bool, day: NaiveDate) -> Result<i32, StoreError> {
    let row = invitation_days::table.find((Id(owner_id), test, Day(day))).select(invitation_days::sent);
    Ok(row.get_result(c).await.optional()?.unwrap_or(0))
}

/// Counts one more invitation of a card or a partner on a day. Returns false and counts nothing if `max` is reached.
async fn count_on(c: &mut Conn<'_>, owner_id: Uuid, test: bool, day: NaiveDate, max: i32) -> Result<bool, StoreError> {
    let none = (
        invitation_days::owner_id.eq(Id(owner_id)),
        invitation_days::test.eq(test),
        invitation_days::day.eq(Day(day)),
        invitation_days::sent.eq(0),
    );
    diesel::insert_into(invitation_days::table).values(none).on_conflict_do_nothing().execute(c).await?;
    let below = invitation_days::table
        .filter(invitation_days::owner_id.eq(Id(owner_id)))
        .filter(invitation_days::test.eq(test))
        .filter(invitation_days::day.eq(Day(day)))
        .filter(invitation_days::sent.lt(max));
    let more = diesel::update(below).set(invitation_days::sent.eq(invitation_days::sent + 1));
    Ok(prepared!(more).execute(c).await? == 1)
}

pub(in crate::store) async fn invitations_used_up(
    c: &mut Conn<'_>,
    day: NaiveDate,
    max: i32,
) -> Result<bool, StoreError> {
    let full = invitation_days::table
        .filter(invitation_days::day.eq(Day(day)))
        .filter(invitation_days::sent.ge(max))
        .filter(invitation_days::owner_id.eq_any(partners::table.select(partners::id)));
    let one: Option<Id> = full.select(invitation_days::owner_id).limit(1).get_result(c).await.optional()?;
    Ok(one.is_some())
}

pub(in crate::store) async fn delete_expired_invitation_days(
    c: &mut Conn<'_>,
    before: NaiveDate,
) -> Result<usize, StoreError> {
    Ok(diesel::delete(invitation_days::table.filter(invitation_days::day.lt(Day(before)))).execute(c).await?)
}
