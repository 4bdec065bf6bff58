//! A new card by one statement, which PostgreSQL parses, plans, runs and commits at once. `queries::insert_card` does the same by
//! a statement for each row, and handles a claim or a card that is there already.

use std::collections::BTreeMap;

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryFragment};
use diesel::result::{DatabaseErrorKind, Error as DieselError};

use super::pool::settle;
use super::queries::Subscriber;
use super::{Postgres, QueryConn, RunQueryDsl, queries};
use crate::model::{Card, Delivery, Event, render};
use crate::store::card::row::{CardValues, EventRow};
use crate::store::delivery::row::DeliveryRow;
use crate::store::idempotency::ClaimRow;
use crate::store::prepared_query::PreparedQuery;
use crate::store::schema::{cards, deliveries, events, idempotency_keys, notifications};
use crate::store::sql_type::Id;
use crate::store::{IdempotencyClaim, NewCard, StoreError};

impl Postgres {
    /// Inserts a card without a photo, with its event, deliveries and claim. Also returns whether any delivery was enqueued.
    /// Returns `None`, and inserts nothing, if the key has a claim or the partner a card with the dossier number.
    pub(in crate::store) async fn insert_card(
        &self,
        new: &NewCard,
        public_base: &str,
    ) -> Result<Option<(Card, bool)>, StoreError> {
        let card = Card { event_count: 1, ..new.card.clone() };
        let event = new.event.clone().into_event(&card, card.event_count);
        let held = self.connection().await?;
        let since = held.since();
        let inserted = self.run_bounded(since, insert(&held, new.claim.as_ref(), &card, &event, public_base)).await;
        Ok(settle(held, inserted)?.map(|enqueued| (card, enqueued)))
    }
}

/// Returns whether any delivery was enqueued, or `None` if nothing was inserted.
async fn insert(
    mut c: QueryConn<'_>,
    claim: Option<&IdempotencyClaim>,
    card: &Card,
    event: &Event,
    public_base: &str,
) -> Result<Option<bool>, StoreError> {
    let subscriptions = queries::matching_subscriptions(&mut c, card, event.topic).await?;
    let enqueued = !subscriptions.is_empty();
    let mut inserts = Inserts(Vec::new());
    inserts.add(diesel::insert_into(events::table).values(EventRow::try_from(event)?));
    if enqueued {
        let mut bodies = BTreeMap::new();
        let mut added = Vec::new();
        for Subscriber { id, api_version, .. } in subscriptions {
            added.push(DeliveryRow::from(Delivery::new(event, id, api_version.clone())));
            bodies.entry(api_version).or_insert_with_key(|version| render(event, card, version, public_base));
        }
        let body = |(api_version, body)| {
            let event_id = notifications::event_id.eq(Id(event.id));
            (event_id, notifications::api_version.eq(api_version), notifications::body.eq(body))
        };
        let bodies: Vec<_> = bodies.into_iter().map(body).collect();
        inserts.add(diesel::insert_into(notifications::table).values(bodies));
        inserts.add(diesel::insert_into(deliveries::table).values(added));
    }
    inserts.add(diesel::insert_into(cards::table).values(CardValues::from(card)));
    if let Some(claim) = claim {
        inserts.add(diesel::insert_into(idempotency_keys::table).values(ClaimRow::new(card, claim)));
    }
    match PreparedQuery(inserts).execute(&mut c).await {
        Ok(_) => Ok(Some(enqueued)),
        Err(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Several INSERTs as one statement.
struct Inserts<'a>(Vec<Box<dyn QueryFragment<Pg> + Send + 'a>>);

impl<'a> Inserts<'a> {
    fn add(&mut self, insert: impl QueryFragment<Pg> + Send + 'a) {
        self.0.push(Box::new(insert));
    }
}

impl QueryFragment<Pg> for Inserts<'_> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let [others @ .., last] = &self.0[..] else { return Ok(()) };
        for (position, insert) in others.iter().enumerate() {
            out.push_sql(if position == 0 { "WITH " } else { ", " });
            out.push_identifier(&position.to_string())?;
            out.push_sql(" AS (");
            insert.walk_ast(out.reborrow())?;
            out.push_sql(") ");
        }
        last.walk_ast(out)
    }
}
