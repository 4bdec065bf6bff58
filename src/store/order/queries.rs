//! Orders, their customers, and the activation of ordered cards (decisions S8, S9).

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Card, NewCustomer, NewOrder, Order, OrderLine, Price};
use crate::store::error::Inconsistent;
use crate::store::id_before;
use crate::store::order::{CustomerRow, OrderRow};
use crate::store::prepared_query::prepared;
use crate::store::schema::{activations, cards, customers, orders};
use crate::store::sql_type::{At, Id};

/// Adds the order of a locked card, and its customer if it is new.
pub(crate) async fn add_order(c: &mut Conn<'_>, card: &Card, order: NewOrder, now: Timestamp) -> Result<()> {
    let customer = put_customer(c, card, order.customer.clone(), now).await?;
    diesel::insert_into(orders::table).values(OrderRow::new(card, order, customer, now)).perform(c).await?;
    Ok(())
}

async fn put_customer(c: &mut Conn<'_>, card: &Card, customer: NewCustomer, now: Timestamp) -> Result<Id> {
    let email = customer.email.clone();
    let insert = diesel::insert_into(customers::table).values(CustomerRow::new(card, customer, now));
    insert.on_conflict((customers::partner_id, customers::email, customers::test)).do_nothing().perform(c).await?;
    let same = customers::table
        .filter(customers::partner_id.eq(Id(card.partner_id)))
        .filter(customers::email.eq(email))
        .filter(customers::test.eq(card.test));
    Ok(same.select(customers::id).get_result(c).await?)
}

pub(crate) async fn order_of(c: &mut Conn<'_>, card_id: Uuid) -> Result<Option<Order>> {
    let of_card = orders::table.filter(orders::card_id.eq(Id(card_id)));
    let Some(order): Option<OrderRow> = of_card.select(OrderRow::as_select()).get_result(c).await.optional()? else {
        return Ok(None);
    };
    let customer = match order.customer_id {
        Some(id) => {
            let row = customers::table.find(id).select(CustomerRow::as_select()).get_result(c).await.optional()?;
            Some(row.ok_or(Inconsistent("an order belongs to no customer"))?)
        }
        None => None,
    };
    Ok(Some(order.into_order(customer)))
}

/// Adds the activation of an ordered card.
pub(crate) async fn add_activation(c: &mut Conn<'_>, card: &Card, due_at: Timestamp) -> Result<()> {
    let row =
        (activations::card_id.eq(Id(card.id)), activations::due_at.eq(At(due_at)), activations::attempts.eq(0_i64));
    diesel::insert_into(activations::table).values(row).on_conflict_do_nothing().perform(c).await?;
    Ok(())
}

pub(crate) async fn activations_due(c: &mut Conn<'_>, now: Timestamp, limit: usize) -> Result<Vec<(Uuid, i64)>> {
    let due: Vec<(Id, i64)> = activations::table
        .filter(activations::due_at.le(At(now)))
        .order(activations::due_at)
        .limit(i64::try_from(limit).unwrap_or(i64::MAX))
        .select((activations::card_id, activations::attempts))
        .load(c)
        .await?;
    Ok(due.into_iter().map(|(id, attempts)| (id.0, attempts)).collect())
}

pub(crate) async fn postpone_activation(
    c: &mut Conn<'_>,
    card_id: Uuid,
    due_at: Timestamp,
    attempts: i64,
) -> Result<()> {
    let row = activations::table.filter(activations::card_id.eq(Id(card_id)));
    let later = (activations::due_at.eq(At(due_at)), activations::attempts.eq(attempts));
    prepared!(diesel::update(row).set(later)).perform(c).await?;
    Ok(())
}

pub(crate) async fn delete_activation(c: &mut Conn<'_>, card_id: Uuid) -> Result<()> {
    diesel::delete(activations::table.filter(activations::card_id.eq(Id(card_id)))).perform(c).await?;
    Ok(())
}

pub(crate) async fn card_of_order(c: &mut Conn<'_>, number: &str) -> Result<Option<Uuid>> {
    let one = orders::table.filter(orders::number.eq(number)).select(orders::card_id);
    Ok(one.get_result::<Id>(c).await.optional()?.map(|id| id.0))
}

/// The live orders, with the dossier number of the card unless it was deleted.
macro_rules! live_orders {
    () => {
        orders::table.left_join(cards::table.on(cards::id.eq(orders::card_id))).filter(orders::test.eq(false)).select((
            orders::partner_id,
            orders::ordered_at,
            orders::price_cents,
            orders::number,
            cards::external_dossier_id.nullable(),
        ))
    };
}

pub(crate) async fn order_lines(c: &mut Conn<'_>, from: Timestamp, to: Timestamp) -> Result<Vec<OrderLine>> {
    let within = live_orders!().filter(orders::id.ge(Id(id_before(from)))).filter(orders::id.lt(Id(id_before(to))));
    let rows = within.order(orders::id).load(c).await?;
    Ok(rows.into_iter().map(line).collect())
}

pub(crate) async fn newest_orders(c: &mut Conn<'_>, since: Timestamp, count_max: usize) -> Result<Vec<OrderLine>> {
    let newest = live_orders!().filter(orders::id.ge(Id(id_before(since)))).order(orders::id.desc());
    let rows = newest.limit(i64::try_from(count_max).unwrap_or(i64::MAX)).load(c).await?;
    Ok(rows.into_iter().map(line).collect())
}

fn line((partner_id, at, cents, number, external_dossier_id): (Id, At, i64, String, Option<String>)) -> OrderLine {
    OrderLine {
        partner_id: partner_id.0,
        ordered_at: at.0,
        price: Price::from_cents(cents).unwrap_or(Price::DEFAULT),
        number,
        external_dossier_id,
    }
}
