//! Deletes cards with all personal data that depends on them (specification, section 1).
//!
//! The order stays, without its customer, for the partner's invoice. So do delivered notifications, without their
//! bodies, because the partner knows their ids.

use diesel::prelude::*;
use uuid::Uuid;

use super::delivery::{delete_attempts, delete_bodies};
use super::invitee::delete_invitees_of;
use super::photo::release_photo;
use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{DeliveryState, KeyMode, PhotoKey};
use crate::store::DeletedCard;
use crate::store::schema::{
    activations, cards, customers, deliveries, events, idempotency_keys, invitation_days, invitee_list_links, mails,
    orders, sessions, visits,
};
use crate::store::sql_type::{At, Id, Name};

pub(crate) async fn delete_card(c: &mut Conn<'_>, id: Uuid, now: Timestamp) -> Result<Option<DeletedCard>> {
    // The lock keeps others from changing the card, and from adding deliveries for it.
    let card = cards::table.filter(cards::id.eq(Id(id))).select((cards::partner_id, cards::deceased_photo_key));
    let card: Option<(Id, Option<String>)> = locked!(card).get_result(c).await.optional()?;
    let Some((partner_id, photo)) = card else { return Ok(None) };
    delete_responses(c, id).await?;
    delete_deliveries(c, id).await?;
    let invitees = delete_invitees_of(c, id).await?;
    diesel::delete(mails::table.filter(mails::card_id.eq(Id(id)))).perform(c).await?;
    diesel::delete(invitation_days::table.filter(invitation_days::owner_id.eq(Id(id)))).perform(c).await?;
    diesel::delete(invitee_list_links::table.filter(invitee_list_links::card_id.eq(Id(id)))).perform(c).await?;
    diesel::delete(sessions::table.filter(sessions::card_id.eq(Id(id)))).perform(c).await?;
    diesel::delete(visits::table.filter(visits::card_id.eq(Id(id)))).perform(c).await?;
    diesel::delete(activations::table.filter(activations::card_id.eq(Id(id)))).perform(c).await?;
    delete_customer(c, id).await?;
    diesel::delete(events::table.filter(events::card_id.eq(Id(id)))).perform(c).await?;
    diesel::delete(cards::table.filter(cards::id.eq(Id(id)))).perform(c).await?;
    let photo = photo.map(PhotoKey::trusted);
    if let Some(photo) = &photo {
        release_photo(c, photo, now).await?;
    }
    Ok(Some(DeletedCard { partner_id: partner_id.0, photo, invitees }))
}

/// Deletes the stored responses to requests that created the card or mention it.
async fn delete_responses(c: &mut Conn<'_>, id: Uuid) -> Result<()> {
    let claims: Vec<(Id, Name<KeyMode>, String)> = idempotency_keys::table
        .filter(idempotency_keys::card_id.eq(Id(id)))
        .select((idempotency_keys::partner_id, idempotency_keys::mode, idempotency_keys::key))
        .load(c)
        .await?;
    for (partner_id, mode, key) in claims {
        let of_key = idempotency_keys::table
            .filter(idempotency_keys::partner_id.eq(partner_id))
            .filter(idempotency_keys::mode.eq(mode))
            .filter(idempotency_keys::key.eq(key));
        diesel::delete(of_key).perform(c).await?;
    }
    let naming = idempotency_keys::table.filter(idempotency_keys::response.like(format!("%{id}%")));
    diesel::delete(naming).perform(c).await?;
    Ok(())
}

/// Deletes the bodies of the card's notifications, and the deliveries that were not delivered.
async fn delete_deliveries(c: &mut Conn<'_>, id: Uuid) -> Result<()> {
    let of_card: Vec<Id> = events::table.filter(events::card_id.eq(Id(id))).select(events::id).load(c).await?;
    delete_bodies(c, &of_card).await?;
    let mut deleted = Vec::new();
    for event in of_card {
        // The first 48 bits of a delivery's id are the time of its event.
        let timestamp = event.0.as_u128() >> 80;
        let (from, to) = (Uuid::from_u128(timestamp << 80), Uuid::from_u128((timestamp + 1) << 80));
        let of_event = deliveries::table
            .filter(deliveries::id.ge(Id(from)))
            .filter(deliveries::id.lt(Id(to)))
            .filter(deliveries::card_id.eq(Id(id)));
        let undelivered = of_event.filter(deliveries::state.ne(Name(DeliveryState::Delivered)));
        deleted.extend(diesel::delete(undelivered).returning(deliveries::id).load::<Id>(c).await?);
    }
    delete_attempts(c, deleted).await?;
    Ok(())
}

/// Removes the customer from the order, and deletes a customer without other orders.
async fn delete_customer(c: &mut Conn<'_>, id: Uuid) -> Result<()> {
    let order = orders::table.filter(orders::card_id.eq(Id(id)));
    let customer: Option<Option<Id>> = order.select(orders::customer_id).get_result(c).await.optional()?;
    let Some(Some(customer)) = customer else { return Ok(()) };
    diesel::update(order).set(orders::customer_id.eq(None::<Id>)).perform(c).await?;
    let others: i64 = orders::table.filter(orders::customer_id.eq(Some(customer))).count().get_result(c).await?;
    if others == 0 {
        diesel::delete(customers::table.filter(customers::id.eq(customer))).perform(c).await?;
    }
    Ok(())
}

pub(crate) async fn test_cards(c: &mut Conn<'_>, partner_id: Uuid, before: Timestamp) -> Result<Vec<Uuid>> {
    let ids: Vec<Id> = cards::table
        .filter(cards::partner_id.eq(Id(partner_id)))
        .filter(cards::test.eq(true))
        .filter(cards::created_at.lt(At(before)))
        .order(cards::id)
        .select(cards::id)
        .load(c)
        .await?;
    Ok(ids.into_iter().map(|id| id.0).collect())
}
