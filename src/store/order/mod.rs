//! Orders, and the activation of ordered cards (decisions S8, S9).

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{Order, OrderLine};

store_methods! {
    /// Returns the order of a card.
    pub read order_of(card_id: Uuid) -> Result<Option<Order>, StoreError>;
    /// Returns the id of the card with this order number.
    pub read card_of_order(number: &str) -> Result<Option<Uuid>, StoreError>;
    /// Returns the live orders from `from` on and before `to`, earliest first.
    pub read order_lines(from: Timestamp, to: Timestamp) -> Result<Vec<OrderLine>, StoreError>;
    /// Returns the cards whose activation is due, earliest first, and how often it was tried.
    pub read activations_due(now: Timestamp, limit: usize) -> Result<Vec<(Uuid, i64)>, StoreError>;
    /// Sets the next attempt of an activation that failed.
    pub write postpone_activation(card_id: Uuid, due_at: Timestamp, attempts: i64) -> Result<(), StoreError>;
    /// Deletes an activation that has nothing to do.
    pub write delete_activation(card_id: Uuid) -> Result<(), StoreError>;
}
