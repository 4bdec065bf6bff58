//! Recovery: everything that failed since a time is sent again, in batches, for the partner (version 2027-01; decisions W8).
//!
//! Oldest first, while later deliveries go on: those of a card wait for earlier ones as soon as these are enqueued.

use diesel::prelude::*;
use uuid::Uuid;

use super::operator::resend_batch;
use super::{Conn, Result, RunQueryDsl};
use crate::base::Timestamp;
use crate::model::{DeliveryState, Scope};
use crate::store::prepared_query::prepared;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::{Id, Name};

pub(crate) async fn start_recovery(c: &mut Conn<'_>, scope: Scope, after: Uuid) -> Result<i64> {
    let owned = webhook_subscriptions::table
        .filter(within!(webhook_subscriptions, scope))
        .order(webhook_subscriptions::id)
        .select((webhook_subscriptions::id, webhook_subscriptions::recover_after));
    let mut total = 0;
    for (id, running) in locked!(owned).load::<(Id, Option<Id>)>(c).await? {
        let after = running.map_or(after, |running| running.0.min(after));
        let failed = deliveries::table
            .filter(deliveries::subscription_id.eq(id))
            .filter(deliveries::state.eq(Name(DeliveryState::Failed)))
            .filter(deliveries::id.gt(Id(after)));
        let count: i64 = failed.count().get_result(c).await?;
        if count > 0 {
            set_position(c, id.0, Some(after)).await?;
        }
        total += count;
    }
    Ok(total)
}

pub(crate) async fn recovering(c: &mut Conn<'_>) -> Result<Vec<Uuid>> {
    let ids: Vec<Id> = webhook_subscriptions::table
        .filter(webhook_subscriptions::recover_after.is_not_null())
        .order(webhook_subscriptions::id)
        .select(webhook_subscriptions::id)
        .load(c)
        .await?;
    Ok(ids.into_iter().map(|id| id.0).collect())
}

pub(crate) async fn recover_batch(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    count_max: usize,
    now: Timestamp,
) -> Result<bool> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .select(webhook_subscriptions::recover_after);
    let position: Option<Option<Id>> = locked!(row).get_result(c).await.optional()?;
    let Some(Id(after)) = position.flatten() else { return Ok(false) };
    let count_max = i64::try_from(count_max).unwrap_or(i64::MAX);
    let sent = resend_batch(c, subscription_id, DeliveryState::Failed, (after, Uuid::max()), count_max, now).await?;
    set_position(c, subscription_id, sent.map(|(last, _)| last)).await?;
    Ok(sent.is_some())
}

async fn set_position(c: &mut Conn<'_>, subscription_id: Uuid, after: Option<Uuid>) -> Result<()> {
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(subscription_id)));
    prepared!(diesel::update(row).set(webhook_subscriptions::recover_after.eq(after.map(Id)))).execute(c).await?;
    Ok(())
}
