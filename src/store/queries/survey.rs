//! What the operator looks up: cards by what people call them, orders for an invoice.

use diesel::prelude::*;
use uuid::Uuid;

use super::{Conn, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{Card, OrderLine, Price};
use crate::store::StoreError;
use crate::store::row::CardRow;
use crate::store::schema::{cards, orders};
use crate::store::sql_type::{At, Id};

/// The cards with exactly this dossier number, whoever's.
pub(in crate::store) async fn cards_of_dossier(
    c: &mut Conn,
    external_dossier_id: &str,
) -> Result<Vec<Card>, StoreError> {
    let same = cards::table.filter(cards::external_dossier_id.eq(external_dossier_id)).order(cards::id);
    let rows: Vec<CardRow> = same.select(CardRow::as_select()).load(c).await?;
    Ok(rows.into_iter().map(Card::from).collect())
}

/// The id of the card that was ordered under this number.
pub(in crate::store) async fn card_of_order(c: &mut Conn, number: &str) -> Result<Option<Uuid>, StoreError> {
    let one = orders::table.filter(orders::number.eq(number)).select(orders::card_id);
    Ok(one.get_result::<Id>(c).await.optional()?.map(|id| id.0))
}

/// The live orders from `from` on and before `to`.
pub(in crate::store) async fn order_lines(
    c: &mut Conn,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<OrderLine>, StoreError> {
    let rows: Vec<(Id, At, i64)> = orders::table
        .filter(orders::test.eq(false))
        .filter(orders::ordered_at.ge(At(from)))
        .filter(orders::ordered_at.lt(At(to)))
        .select((orders::partner_id, orders::ordered_at, orders::price_cents))
        .load(c)
        .await?;
    let line = |(partner_id, at, cents): (Id, At, i64)| OrderLine {
        partner_id: partner_id.0,
        ordered_at: at.0,
        price: Price::from_cents(cents).unwrap_or(Price::DEFAULT),
    };
    Ok(rows.into_iter().map(line).collect())
}
