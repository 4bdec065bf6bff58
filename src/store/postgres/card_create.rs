//! Creates a card in two round trips: statements that do not depend on each other's answers are sent together.
//!
//! Called by [`Store::create_card`](crate::store::Store::create_card). The statements are those of
//! `queries::insert_card`, which runs them one by one on SQLite, and here if the key or the dossier number exists.

use diesel_async::AsyncPgConnection;
use futures_util::FutureExt as _;
use futures_util::future::{try_join, try_join4};

use super::pool::settle;
use super::queries::Subscriber;
use super::transaction::{self, Statement};
use super::{Postgres, QueryConn, queries};
use crate::model::{Card, Delivery, Event, render};
use crate::store::{IdempotencyClaim, NewCard, StoreError};

impl Postgres {
    /// Inserts a card with its event, deliveries and claim, in one transaction. Also returns whether any delivery was
    /// enqueued. Returns `None`, and inserts nothing, if the key has a claim or the partner a card with the dossier number.
    pub(in crate::store) async fn create_card(
        &self,
        new: &NewCard,
        public_base: &str,
    ) -> Result<Option<(Card, bool)>, StoreError> {
        let mut held = self.connection().await?;
        let since = held.since();
        let created = self.bounded(since, create(&mut held, new, public_base)).await;
        settle(held, created)
    }
}

async fn create(
    connection: &mut AsyncPgConnection,
    new: &NewCard,
    public_base: &str,
) -> Result<Option<(Card, bool)>, StoreError> {
    let card = Card { event_count: 1, ..new.card.clone() };
    let event = new.event.clone().happened(&card, card.event_count);
    transaction::open(connection)?;
    let inserted = insert(connection, new.claim.as_ref(), &card, &event, public_base).await;
    Ok(transaction::close(connection, inserted).await?.map(|enqueued| (card, enqueued)))
}

/// Sends the statements of a transaction in two parts. Returns whether any delivery was enqueued, or `None` if nothing was
/// committed.
async fn insert(
    c: QueryConn<'_>,
    claim: Option<&IdempotencyClaim>,
    card: &Card,
    event: &Event,
    public_base: &str,
) -> Result<Option<bool>, StoreError> {
    // In the order of `queries::insert_card`: the claim comes first, so that requests with the same key wait for it.
    let (mut claiming, mut using, mut inserting, mut reading) = (c, c, c, c);
    let claimed = async {
        match claim {
            Some(claim) => queries::insert_claim(&mut claiming, card, claim).await,
            None => Ok(true),
        }
    };
    let photo_used = async {
        match &card.deceased.photo {
            Some(photo) => queries::use_photo(&mut using, photo).await,
            None => Ok(()),
        }
    };
    let inserted = queries::insert_card_row(&mut inserting, card);
    let subscriptions = queries::matching_subscriptions(&mut reading, card, event.topic);
    let begun = try_join(transaction::statement(c, "BEGIN"), claimed);
    let ((_, claimed), (), inserted, subscriptions) = try_join4(begun, photo_used, inserted, subscriptions).await?;
    if !(claimed && inserted) {
        return Ok(None);
    }

    let enqueued = !subscriptions.is_empty();
    let mut statements: Vec<Statement<'_>> =
        vec![async move { queries::insert_event(&mut { c }, event).await }.boxed()];
    for Subscriber { id, api_version, .. } in subscriptions {
        let body = render(event, card, &api_version, public_base);
        let delivery = Delivery::new(event, id, api_version.clone());
        let insert_body = async move { queries::insert_body(&mut { c }, event.id, &api_version, body).await };
        statements.push(insert_body.boxed());
        statements.push(async move { queries::insert_delivery(&mut { c }, delivery).await }.boxed());
    }
    statements.push(transaction::statement(c, "COMMIT"));
    transaction::send(statements).await?;
    Ok(Some(enqueued))
}
