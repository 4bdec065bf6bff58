//! Claims due deliveries under a lease (decisions W3).

use diesel::prelude::*;
use uuid::Uuid;

use super::notification::with_bodies;
use super::operator::next_with_due;
use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::WebhookSubscription;
use crate::store::delivery::row::DeliveryRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Id};
use crate::store::subscription::SubscriptionRow;
use crate::store::{ClaimOrder, ClaimedDelivery, DueSubscription, Lease};

/// Takes one step of an index for each subscription with unfinished deliveries, however many those are.
pub(crate) async fn subscriptions_due(c: &mut Conn<'_>, now: Timestamp) -> Result<Vec<DueSubscription>> {
    let mut due = Vec::new();
    let mut before = Uuid::nil();
    while let Some((id, first)) = next_with_due(c, before).await? {
        if first <= now {
            let row: Option<(SubscriptionRow, i64)> = webhook_subscriptions::table
                .filter(webhook_subscriptions::id.eq(Id(id)))
                .filter(webhook_subscriptions::paused_at.is_null())
                .select((SubscriptionRow::as_select(), webhook_subscriptions::failure_count))
                .get_result(c)
                .await
                .optional()?;
            due.extend(row.map(|(row, failure_count)| DueSubscription {
                subscription: WebhookSubscription::from(row),
                failure_count,
            }));
        }
        before = id;
    }
    Ok(due)
}

pub(crate) async fn claim_deliveries(
    c: &mut Conn<'_>,
    orders: Vec<ClaimOrder>,
    now: Timestamp,
    lease: Lease,
) -> Result<Vec<ClaimedDelivery>> {
    let mut rows: Vec<DeliveryRow> = Vec::new();
    for order in orders {
        let due = deliveries::table
            .filter(deliveries::subscription_id.eq(Id(order.subscription_id)))
            .filter(deliveries::due_at.le(Some(At(now))))
            .order((deliveries::due_at, deliveries::id))
            .limit(i64::try_from(order.count_max).unwrap_or(i64::MAX))
            .select(DeliveryRow::as_select());
        rows.extend(skip_locked!(due).load::<DeliveryRow>(c).await?);
    }
    let leased = (deliveries::due_at.eq(Some(At(lease.until))), deliveries::lease.eq(Some(Id(lease.id))));
    let ids: Vec<Id> = rows.iter().map(DeliveryRow::id).collect();
    if !ids.is_empty() {
        prepared!(diesel::update(deliveries::table.filter(among!(deliveries::id, ids))).set(leased)).execute(c).await?;
    }
    // Every body exists: a body is deleted together with its unfinished deliveries, and these are locked.
    let claimed = with_bodies(c, rows).await?.into_iter().map(|(mut delivery, body)| {
        (delivery.due_at, delivery.lease) = (Some(lease.until), Some(lease.id));
        ClaimedDelivery { delivery, body }
    });
    Ok(claimed.collect())
}
