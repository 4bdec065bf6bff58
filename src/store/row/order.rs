//! Orders, and the customers who placed them.

use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sqlite::Sqlite;

use crate::base::Timestamp;
use crate::model::{Actor, Card, Customer, NewCustomer, NewOrder, Order, OrderNumber, Price};
use crate::store::schema::{customers, orders};
use crate::store::sql_type::{At, Id, Name};

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = orders, check_for_backend(Sqlite, Pg), treat_none_as_default_value = false)]
pub(in crate::store) struct OrderRow {
    id: Id,
    card_id: Id,
    partner_id: Id,
    pub(in crate::store) customer_id: Option<Id>,
    number: String,
    price_cents: i64,
    actor: Name<Actor>,
    test: bool,
    ordered_at: At,
}

impl OrderRow {
    pub(in crate::store) fn new(card: &Card, order: NewOrder, customer_id: Id, now: Timestamp) -> Self {
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

    pub(in crate::store) fn with(self, customer: Option<CustomerRow>) -> Order {
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
pub(in crate::store) struct CustomerRow {
    id: Id,
    partner_id: Id,
    email: String,
    name: Option<String>,
    test: bool,
    created_at: At,
}

impl CustomerRow {
    pub(in crate::store) fn new(card: &Card, customer: NewCustomer, now: Timestamp) -> Self {
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
