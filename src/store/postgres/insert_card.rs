//! The rows of a new card, inserted by one statement, which commits by itself.

use std::collections::BTreeMap;
use std::slice;
use std::sync::{Arc, PoisonError, RwLock};

use diesel::pg::{Pg, PgQueryBuilder};
use diesel::prelude::*;
use diesel::query_builder::{AstPass, QueryBuilder as _, QueryFragment, QueryId};

use super::queries::{self, NewCardRows};
use super::{Postgres, QueryConn, RunQueryDsl};
use crate::model::Card;
use crate::store::card::{InsertCardError, NewCard};
use crate::store::database::{CallContext, Unit};
use crate::store::schema::{deliveries, notifications};

impl Postgres {
    /// Inserts a card, with what comes with it: by one statement, or after the mark of its photo in one transaction. Also returns whether
    /// any delivery was enqueued. The subscriptions are asked for on a shared connection, so that one of the pool is held for less time.
    pub(in crate::store) async fn create_card(
        &self,
        context: &CallContext,
        new: &NewCard,
        public_base: &str,
    ) -> Result<(Arc<Card>, bool), InsertCardError> {
        let (card, event) = new.first_event();
        let (created, events) = (&card, slice::from_ref(&event));
        let deliveries =
            self.run_shared(context, async |c| queries::new_deliveries(c, created, events, public_base).await).await?;
        let enqueued = !deliveries.is_empty();
        let unit = if card.deceased.photo.is_some() { Unit::Transaction } else { Unit::Statement };
        let (created, claim) = (&card, new.claim.as_ref());
        self.write(
            context,
            unit,
            |()| true,
            async move |c| queries::insert_card(c, created, event, deliveries, claim).await,
        )
        .await?;
        Ok((Arc::new(card), enqueued))
    }
}

/// Inserts a card with its event, deliveries and claim. The rows always have the same order, so that two requests cannot deadlock.
pub(super) async fn insert_rows(c: &mut QueryConn<'_>, rows: NewCardRows) -> Result<(), InsertCardError> {
    let mut inserts = Inserts::default();
    inserts.add(1, rows.event);
    let (bodies, added) = (rows.deliveries.bodies, rows.deliveries.deliveries);
    if !added.is_empty() {
        inserts.add(bodies.len(), diesel::insert_into(notifications::table).values(bodies));
        inserts.add(added.len(), diesel::insert_into(deliveries::table).values(added));
    }
    inserts.add(1, rows.card);
    if let Some(claim) = rows.claim {
        inserts.add(1, claim);
    }
    Ok(inserts.perform(c).await?)
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
