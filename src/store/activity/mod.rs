//! What happened in a range of time, for the first page of the administration. Ids begin with the time at which they were made, so that
//! the primary keys find the rows of a range.

use uuid::Uuid;

use super::database::query;
use super::{Result, Store};
use crate::base::Timestamp;

/// The rows to count: of one partner or of all, of live or of test cards, from a time on and before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActivityFilter {
    pub partner_id: Option<Uuid>,
    pub test: bool,
    pub from: Timestamp,
    pub to: Timestamp,
}

impl Store {
    /// Counts the cards that were created, and the cards that went online.
    pub async fn count_cards(&self, filter: ActivityFilter) -> Result<(i64, i64)> {
        query!(self.read(), count_cards(filter))
    }

    /// Counts the orders.
    pub async fn count_orders(&self, filter: ActivityFilter) -> Result<i64> {
        query!(self.read(), count_orders(filter))
    }

    /// Returns the ids of the subscriptions of one partner or of all.
    pub async fn subscription_ids(&self, partner_id: Option<Uuid>) -> Result<Vec<Uuid>> {
        query!(self.read(), subscription_ids(partner_id))
    }

    /// Counts the failed deliveries of events to these subscriptions.
    pub async fn count_failed_deliveries(&self, subscriptions: Vec<Uuid>, filter: ActivityFilter) -> Result<i64> {
        query!(self.read(), count_failed_deliveries(subscriptions, filter))
    }

    /// Returns when the mails that wait were queued.
    pub async fn waiting_mail_times(&self, filter: ActivityFilter) -> Result<Vec<Timestamp>> {
        query!(self.read(), waiting_mail_times(filter))
    }

    /// Returns when mails were refused or given up.
    pub async fn failed_mail_times(&self, filter: ActivityFilter) -> Result<Vec<Timestamp>> {
        query!(self.read(), failed_mail_times(filter))
    }
}
