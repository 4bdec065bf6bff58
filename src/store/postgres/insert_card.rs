//! A new card by one statement, which commits by itself. `queries::insert_card` does the same by a statement for each row, and handles
//! a claim or a card that is there already.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use diesel::pg::{Pg, PgQueryBuilder};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryBuilder as _, QueryFragment, QueryId};
use diesel::result::{DatabaseErrorKind, Error as DieselError};

use super::queries::Subscriber;
use super::{Postgres, QueryConn, RunQueryDsl};
use crate::model::{Card, Delivery, Event, render};
use crate::store::card::row::{CardValues, EventRow};
use crate::store::delivery::row::DeliveryRow;
use crate::store::engine::share;
use crate::store::idempotency::ClaimRow;
use crate::store::insert::insert;
use crate::store::schema::{deliveries, notifications};
use crate::store::sql_type::Id;
use crate::store::{IdempotencyClaim, NewCard, StoreError};

impl Postgres {
    /// Inserts a card without a photo, with its event, deliveries and claim. Also returns whether any delivery was enqueued.
    /// Returns `None`, and inserts nothing, if the key has a claim or the partner a card with the dossier number.
    pub(in crate::store) async fn insert_card(
        &self,
        new: &NewCard,
        public_base: &str,
    ) -> Result<Option<(Arc<Card>, bool)>, StoreError> {
        let created = Arc::new(Card { event_count: 1, ..new.card.clone() });
        let card = &*created;
        let event = &new.event.clone().into_event(card, card.event_count);
        let subscribers = share!(self, matching_subscriptions(card, event.topic))?;
        let enqueued = !subscribers.is_empty();
        let inserts = inserts(card, event, subscribers, new.claim.as_ref(), public_base);
        let held = self.connection().await?;
        let inserted = self.run_bounded(held.since(), inserts.run(&held)).await;
        Ok(self.settle(held, inserted)?.then_some((created, enqueued)))
    }
}

/// Returns the rows of a card, always in the same order, so that two requests cannot deadlock.
fn inserts(
    card: &Card,
    event: &Event,
    subscribers: Vec<Subscriber>,
    claim: Option<&IdempotencyClaim>,
    public_base: &str,
) -> Inserts {
    let mut inserts = Inserts::default();
    inserts.add(1, insert(EventRow::from(event.clone())));
    if !subscribers.is_empty() {
        let mut bodies = BTreeMap::new();
        let mut added = Vec::new();
        for Subscriber { id, api_version, .. } in subscribers {
            added.push(DeliveryRow::from(Delivery::new(event, id, api_version.clone())));
            bodies.entry(api_version).or_insert_with_key(|version| render(event, card, version, public_base));
        }
        let body = |(api_version, body)| {
            let event_id = notifications::event_id.eq(Id(event.id));
            (event_id, notifications::api_version.eq(api_version), notifications::body.eq(body))
        };
        let bodies: Vec<_> = bodies.into_iter().map(body).collect();
        inserts.add(bodies.len(), diesel::insert_into(notifications::table).values(bodies));
        inserts.add(added.len(), diesel::insert_into(deliveries::table).values(added));
    }
    inserts.add(1, insert(CardValues::from(card)));
    if let Some(claim) = claim {
        inserts.add(1, insert(ClaimRow::new(card, claim)));
    }
    inserts
}

/// Several INSERTs as one prepared statement, whose SQL depends on their numbers of rows alone.
#[derive(Default)]
struct Inserts {
    together: Together,
    rows: Vec<usize>,
}

#[derive(Default)]
struct Together(Vec<Box<dyn QueryFragment<Pg> + Send + Sync>>);

impl Inserts {
    fn add(&mut self, rows: usize, insert: impl QueryFragment<Pg> + Send + Sync + 'static) {
        self.together.0.push(Box::new(insert));
        self.rows.push(rows);
    }

    /// Returns false, and inserts nothing, if there is a row with the same unique key.
    async fn run(self, mut c: QueryConn<'_>) -> Result<bool, StoreError> {
        match self.execute(&mut c).await {
            Ok(_) => Ok(true),
            Err(DieselError::DatabaseError(DatabaseErrorKind::UniqueViolation, _)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl QueryFragment<Pg> for Together {
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

impl QueryFragment<Pg> for Inserts {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.together.walk_ast(out)
    }

    /// Writes the SQL once for the same numbers of rows.
    fn to_sql(&self, out: &mut PgQueryBuilder, backend: &Pg) -> QueryResult<()> {
        static WRITTEN: RwLock<BTreeMap<Vec<usize>, Arc<str>>> = RwLock::new(BTreeMap::new());
        let known = WRITTEN.read().unwrap_or_else(PoisonError::into_inner).get(&self.rows).cloned();
        let sql = match known {
            Some(sql) => sql,
            None => {
                let mut written = PgQueryBuilder::default();
                self.together.to_sql(&mut written, backend)?;
                let sql: Arc<str> = written.finish().into();
                WRITTEN.write().unwrap_or_else(PoisonError::into_inner).insert(self.rows.clone(), Arc::clone(&sql));
                sql
            }
        };
        out.push_sql(&sql);
        Ok(())
    }

    fn is_safe_to_cache_prepared(&self, _: &Pg) -> QueryResult<bool> {
        Ok(true)
    }
}

impl QueryId for Inserts {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false; // the statement is found by its SQL
}
