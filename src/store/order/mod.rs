//! Orders, their customers, and the activation of ordered cards (decisions S8, S9).

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;
use uuid::Uuid;

use super::audit::always;
use super::database::{Unit, query};
use super::schema::{customers, orders};
use super::sql_type::{At, Id, Name};
use super::{Result, Store};
use crate::base::Timestamp;
use crate::model::{Actor, Card, Customer, NewCustomer, NewOrder, Order, OrderLine, OrderNumber, Price};

impl Store {
    /// Returns the order of a card.
    pub async fn order_of(&self, card_id: Uuid) -> Result<Option<Order>> {
        query!(self.read(), order_of(card_id))
    }

    /// Returns the id of the card with this order number.
    pub async fn card_of_order(&self, number: &str) -> Result<Option<Uuid>> {
        query!(self.read(), card_of_order(number))
    }

    /// Returns the live orders from `from` on and before `to`, earliest first.
    pub async fn order_lines(&self, from: Timestamp, to: Timestamp) -> Result<Vec<OrderLine>> {
        query!(self.read(), order_lines(from, to))
    }

    /// Returns the newest live orders since a time, newest first.
    pub async fn newest_orders(&self, since: Timestamp, count_max: usize) -> Result<Vec<OrderLine>> {
        query!(self.read(), newest_orders(since, count_max))
    }

    /// Returns the cards whose activation is due, earliest first, and how often it was tried.
    pub async fn activations_due(&self, now: Timestamp, limit: usize) -> Result<Vec<(Uuid, i64)>> {
        query!(self.read(), activations_due(now, limit))
    }

    /// Sets the next attempt of an activation that failed.
    pub async fn postpone_activation(&self, card_id: Uuid, due_at: Timestamp, attempts: i64) -> Result<()> {
        query!(self.write(Unit::Statement, always), postpone_activation(card_id, due_at, attempts))
    }

    /// Deletes an activation that has nothing to do.
    pub async fn delete_activation(&self, card_id: Uuid) -> Result<()> {
        query!(self.write(Unit::Statement, always), delete_activation(card_id))
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = orders, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(super) struct OrderRow {
    id: Id,
    card_id: Id,
    partner_id: Id,
    pub(super) customer_id: Option<Id>,
    number: String,
    price_cents: i64,
    actor: Name<Actor>,
    test: bool,
    ordered_at: At,
}

impl OrderRow {
    pub(super) fn new(card: &Card, order: NewOrder, customer_id: Id, now: Timestamp) -> Self {
        OrderRow {
            id: Id(order.id),
            card_id: Id(card.id),
            partner_id: Id(card.partner_id),
            customer_id: Some(customer_id),
            number: order.number.as_str().to_owned(),
            price_cents: order.price.cents(),
            actor: Name(order.actor),
            test: card.test,
            ordered_at: At(now),
        }
    }

    pub(super) fn into_order(self, customer: Option<CustomerRow>) -> Order {
        Order {
            id: self.id.0,
            card_id: self.card_id.0,
            partner_id: self.partner_id.0,
            customer: customer.map(|row| Customer { id: row.id.0, email: row.email, name: row.name }),
            number: OrderNumber::trusted(self.number),
            price: Price::from_cents(self.price_cents).unwrap_or(Price::DEFAULT),
            actor: self.actor.0,
            test: self.test,
            ordered_at: self.ordered_at.0,
        }
    }
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = customers, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(super) struct CustomerRow {
    id: Id,
    partner_id: Id,
    email: String,
    name: Option<String>,
    test: bool,
    created_at: At,
}

impl CustomerRow {
    pub(super) fn new(card: &Card, customer: NewCustomer, now: Timestamp) -> Self {
        CustomerRow {
            id: Id(customer.id),
            partner_id: Id(card.partner_id),
            email: customer.email,
            name: customer.name,
            test: card.test,
            created_at: At(now),
        }
    }
}
