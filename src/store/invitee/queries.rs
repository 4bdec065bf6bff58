//! Invitee lists (decisions S6).

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{InvitationNote, Invitee, InviteeListLink};
use crate::store::prepared_query::prepared;
use crate::store::row::{InvitationNoteRow, InviteeRow};
use crate::store::schema::{cards, invitation_notes, invitee_list_links, invitees, mails};
use crate::store::sql_type::{At, Digest, Id};
use crate::store::{InviteeAddition, InviteeChange, StoreError};

pub(in crate::store) async fn invitees_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<Vec<Invitee>, StoreError> {
    let of_card = invitees::table.filter(invitees::card_id.eq(Id(card_id))).order((invitees::created_at, invitees::id));
    let rows: Vec<InviteeRow> = of_card.select(InviteeRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Invitee::from).collect())
}

pub(in crate::store) async fn invitee(
    c: &mut Conn<'_>,
    card_id: Uuid,
    id: Uuid,
) -> Result<Option<Invitee>, StoreError> {
    let one = invitees::table.filter(invitees::id.eq(Id(id))).filter(invitees::card_id.eq(Id(card_id)));
    let row = one.select(InviteeRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Invitee::from))
}

pub(in crate::store) async fn invitee_by_token(c: &mut Conn<'_>, token: &str) -> Result<Option<Invitee>, StoreError> {
    let one = invitees::table.filter(invitees::token.eq(token));
    let row = one.select(InviteeRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(Invitee::from))
}

/// Locks the card, so that other transactions cannot change its list.
async fn lock_list(c: &mut Conn<'_>, card_id: Uuid) -> Result<(), StoreError> {
    let card = cards::table.filter(cards::id.eq(Id(card_id))).select(cards::id);
    locked!(card).get_result::<Id>(c).await?;
    Ok(())
}

pub(in crate::store) async fn add_invitees(
    c: &mut Conn<'_>,
    card_id: Uuid,
    added: Vec<Invitee>,
    max: usize,
) -> Result<Vec<InviteeAddition>, StoreError> {
    lock_list(c, card_id).await?;
    let count: i64 = invitees::table.filter(invitees::card_id.eq(Id(card_id))).count().get_result(c).await?;
    let mut free = max.saturating_sub(usize::try_from(count).unwrap_or(usize::MAX));
    let mut additions = Vec::with_capacity(added.len());
    for invitee in added {
        let invitee = Invitee { card_id, ..invitee };
        if free == 0 {
            let listed = is_listed(c, &invitee).await?;
            additions.push(if listed { InviteeAddition::Duplicate } else { InviteeAddition::Full });
            continue;
        }
        let insert = diesel::insert_into(invitees::table).values(InviteeRow::from(invitee));
        let once = insert.on_conflict((invitees::card_id, invitees::email_folded)).do_nothing();
        additions.push(match once.execute(c).await? {
            0 => InviteeAddition::Duplicate,
            _ => {
                free -= 1;
                InviteeAddition::Added
            }
        });
    }
    Ok(additions)
}

/// Returns whether the address is on the list: a full list still reports duplicates.
async fn is_listed(c: &mut Conn<'_>, invitee: &Invitee) -> Result<bool, StoreError> {
    let Some(email) = &invitee.email else { return Ok(false) };
    let same = invitees::table
        .filter(invitees::card_id.eq(Id(invitee.card_id)))
        .filter(invitees::email_folded.eq(Some(email.to_lowercase())));
    Ok(same.select(invitees::id).get_result::<Id>(c).await.optional()?.is_some())
}

pub(in crate::store) async fn change_invitee(
    c: &mut Conn<'_>,
    card_id: Uuid,
    id: Uuid,
    name: String,
    email: Option<String>,
) -> Result<InviteeChange, StoreError> {
    lock_list(c, card_id).await?;
    let Some(before) = invitee(c, card_id, id).await? else { return Ok(InviteeChange::NotFound) };
    let after = Invitee { name, email, ..before.clone() };
    let folded = after.email.as_deref().map(str::to_lowercase);
    if folded != before.email.as_deref().map(str::to_lowercase) {
        if is_listed(c, &after).await? {
            return Ok(InviteeChange::Duplicate);
        }
        diesel::delete(mails::table.filter(mails::invitee_id.eq(Some(Id(id))))).execute(c).await?;
        let unsent = (invitees::mail_count.eq(0), invitees::last_mail_at.eq(None::<At>));
        diesel::update(invitees::table.filter(invitees::id.eq(Id(id)))).set(unsent).execute(c).await?;
    }
    let written = (invitees::name.eq(after.name), invitees::email.eq(after.email), invitees::email_folded.eq(folded));
    diesel::update(invitees::table.filter(invitees::id.eq(Id(id)))).set(written).execute(c).await?;
    Ok(InviteeChange::Changed)
}

pub(in crate::store) async fn delete_invitee(c: &mut Conn<'_>, card_id: Uuid, id: Uuid) -> Result<bool, StoreError> {
    let one = invitees::table.filter(invitees::id.eq(Id(id))).filter(invitees::card_id.eq(Id(card_id)));
    Ok(diesel::delete(one).execute(c).await? == 1)
}

pub(in crate::store) async fn note_seen(c: &mut Conn<'_>, invitee_id: Uuid, now: Timestamp) -> Result<(), StoreError> {
    let unseen = invitees::table.filter(invitees::id.eq(Id(invitee_id))).filter(invitees::seen_at.is_null());
    prepared!(diesel::update(unseen).set(invitees::seen_at.eq(Some(At(now))))).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn invitation_note(
    c: &mut Conn<'_>,
    card_id: Uuid,
) -> Result<Option<InvitationNote>, StoreError> {
    let one = invitation_notes::table.filter(invitation_notes::card_id.eq(Id(card_id)));
    let row = one.select(InvitationNoteRow::as_select()).get_result(c).await.optional()?;
    Ok(row.map(InvitationNote::from))
}

pub(in crate::store) async fn change_invitation_note(
    c: &mut Conn<'_>,
    card_id: Uuid,
    note: Option<String>,
    seen: Option<Timestamp>,
    now: Timestamp,
) -> Result<bool, StoreError> {
    lock_list(c, card_id).await?;
    let stored = invitation_note(c, card_id).await?;
    if stored.as_ref().map(|stored| &stored.note) == note.as_ref() {
        return Ok(true);
    }
    if stored.map(|stored| stored.changed_at) != seen {
        return Ok(false);
    }
    diesel::delete(invitation_notes::table.filter(invitation_notes::card_id.eq(Id(card_id)))).execute(c).await?;
    if let Some(note) = note {
        let row = InvitationNoteRow::from(InvitationNote { card_id, note, changed_at: now });
        diesel::insert_into(invitation_notes::table).values(row).execute(c).await?;
    }
    Ok(true)
}

pub(in crate::store) async fn add_invitee_list_link(c: &mut Conn<'_>, link: InviteeListLink) -> Result<(), StoreError> {
    let row = (
        invitee_list_links::digest.eq(Digest(link.digest)),
        invitee_list_links::card_id.eq(Id(link.card_id)),
        invitee_list_links::created_at.eq(At(link.created_at)),
        invitee_list_links::expires_at.eq(At(link.expires_at)),
    );
    diesel::insert_into(invitee_list_links::table).values(row).execute(c).await?;
    Ok(())
}

pub(in crate::store) async fn invitee_list_link(
    c: &mut Conn<'_>,
    digest: &[u8; 32],
) -> Result<Option<InviteeListLink>, StoreError> {
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

pub(in crate::store) async fn invitee_list_links_until(
    c: &mut Conn<'_>,
    card_id: Uuid,
) -> Result<Option<Timestamp>, StoreError> {
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

pub(in crate::store) async fn delete_expired_invitee_list_links(
    c: &mut Conn<'_>,
    before: Timestamp,
) -> Result<usize, StoreError> {
    let ended = invitee_list_links::table.filter(invitee_list_links::expires_at.lt(At(before)));
    Ok(diesel::delete(ended).execute(c).await?)
}
