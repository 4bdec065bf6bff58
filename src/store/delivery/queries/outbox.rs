//! The state of the outbox.

use diesel::prelude::*;
use uuid::Uuid;

use super::operator::next_with_due;
use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::store::Outbox;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::Id;

/// Counts along an index, and reads one row for each subscription.
pub(crate) async fn outbox(c: &mut Conn<'_>) -> Result<Outbox> {
    let unfinished = deliveries::table.filter(deliveries::finished_at.is_null()).count().get_result(c).await?;
    let mut due_since: Option<Timestamp> = None;
    let mut before = Uuid::nil();
    while let Some((id, first)) = next_with_due(c, before).await? {
        // Deliveries of a paused subscription wait for the operator.
        let sending = webhook_subscriptions::table
            .filter(webhook_subscriptions::id.eq(Id(id)))
            .filter(webhook_subscriptions::paused_at.is_null());
        if sending.select(webhook_subscriptions::id).get_result::<Id>(c).await.optional()?.is_some() {
            due_since = Some(due_since.map_or(first, |earlier| earlier.min(first)));
        }
        before = id;
    }
    Ok(Outbox { unfinished, due_since })
}
