//! Attempts in the order of the work: deliveries are claimed under a lease, get their bodies, and are finished with the result of
//! the attempt (decisions W3).

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use uuid::Uuid;

use super::sequence::{anything_waits, lock_cards, promote_after};
use super::{Conn, Result, RunQueryDsl, write_successes};
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, Delivery, DeliveryState, PauseReason, WebhookSubscription};
use crate::store::delivery::row::{AttemptRow, DeliveryRow};
use crate::store::prepared_query::prepared;
use crate::store::schema::{attempts, deliveries, notifications, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};
use crate::store::subscription::SubscriptionRow;
use crate::store::{ClaimRequest, ClaimedDelivery, Finished, Lease, Paused, Verdict};

/// Selects the deliveries of a subscription that are due and not leased.
macro_rules! claimable {
    ($subscription_id:expr, $now:expr) => {
        deliveries::table
            .filter(deliveries::subscription_id.eq(Id($subscription_id)))
            .filter(deliveries::due_at.le(Some(At($now))))
            .filter(deliveries::leased_until.is_null().or(deliveries::leased_until.le(Some(At($now)))))
    };
}

/// Takes a few steps of an index for each subscription with unfinished deliveries, however many those are.
pub(crate) async fn subscriptions_due(c: &mut Conn<'_>, now: Timestamp) -> Result<Vec<WebhookSubscription>> {
    let mut due = Vec::new();
    let mut before = Uuid::nil();
    while let Some((id, first)) = next_with_due(c, before).await? {
        if first <= now {
            // Deliveries are leased earliest first. So if any due one is free, the last one is.
            let latest_claimable = claimable!(id, now)
                .order((deliveries::due_at.desc(), deliveries::id.desc()))
                .select(deliveries::id)
                .limit(1);
            let active = webhook_subscriptions::table
                .filter(webhook_subscriptions::id.eq(Id(id)))
                .filter(webhook_subscriptions::paused_at.is_null())
                .filter(latest_claimable.single_value().is_not_null())
                .select(SubscriptionRow::as_select());
            let row: Option<SubscriptionRow> = prepared!(active).get_result(c).await.optional()?;
            due.extend(row.map(WebhookSubscription::from));
        }
        before = id;
    }
    Ok(due)
}

/// Returns the id of the next subscription after the id `before` that has due deliveries, now or later, and the earliest due time of
/// these deliveries, leased deliveries included. Takes one step of an index.
pub(super) async fn next_with_due(c: &mut Conn<'_>, before: Uuid) -> Result<Option<(Uuid, Timestamp)>> {
    let next = deliveries::table
        .filter(deliveries::subscription_id.gt(Id(before)))
        .filter(deliveries::due_at.is_not_null())
        .order((deliveries::subscription_id, deliveries::due_at))
        .select((deliveries::subscription_id, deliveries::due_at.assume_not_null()))
        .limit(1);
    let next: Option<(Id, At)> = prepared!(next).get_result(c).await.optional()?;
    Ok(next.map(|(id, at)| (id.0, at.0)))
}

pub(crate) async fn claim_deliveries(
    c: &mut Conn<'_>,
    requests: Vec<ClaimRequest>,
    now: Timestamp,
    lease: Lease,
) -> Result<Vec<ClaimedDelivery>> {
    let mut rows: Vec<DeliveryRow> = Vec::new();
    for request in requests {
        let count_max = request.count_max.min(limits::DELIVERIES_CLAIMED_AT_ONCE - rows.len());
        if count_max == 0 {
            break;
        }
        let due = claimable!(request.subscription_id, now)
            .order((deliveries::due_at, deliveries::id))
            .limit(i64::try_from(count_max).unwrap_or(i64::MAX))
            .select(DeliveryRow::as_select());
        rows.extend(prepared!(skip_locked!(due)).load::<DeliveryRow>(c).await?);
    }
    let leased = (deliveries::lease.eq(Some(Id(lease.id))), deliveries::leased_until.eq(Some(At(lease.until))));
    let ids: Vec<Id> = rows.iter().map(DeliveryRow::id).collect();
    if !ids.is_empty() {
        prepared!(diesel::update(deliveries::table.filter(among!(deliveries::id, ids))).set(leased)).perform(c).await?;
    }
    // Every body exists: a body is deleted together with its unfinished deliveries, and these are locked.
    let claimed = with_bodies(c, rows).await?.into_iter().map(|(mut delivery, body)| {
        (delivery.lease, delivery.leased_until) = (Some(lease.id), Some(lease.until));
        ClaimedDelivery { delivery, body }
    });
    Ok(claimed.collect())
}

/// Returns deliveries with their bodies. Leaves out deliveries of deleted cards, whose bodies were deleted too.
pub(super) async fn with_bodies(c: &mut Conn<'_>, rows: Vec<DeliveryRow>) -> Result<Vec<(Delivery, String)>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let deliveries: Vec<Delivery> = rows.into_iter().map(Delivery::from).collect();
    let bodies = bodies_of(c, &deliveries).await?;
    let with_body = |delivery: Delivery| {
        let body = bodies.get(&(delivery.event_id, delivery.api_version.clone()))?.clone();
        Some((delivery, body))
    };
    Ok(deliveries.into_iter().filter_map(with_body).collect())
}

/// Returns the bodies of these deliveries, by event and API version.
pub(super) async fn bodies_of(c: &mut Conn<'_>, deliveries: &[Delivery]) -> Result<HashMap<(Uuid, String), String>> {
    let events = deliveries.iter().map(|delivery| Id(delivery.event_id)).collect::<Vec<_>>();
    let of_events = notifications::table.filter(among!(notifications::event_id, events));
    let rows: Vec<(Id, String, String)> = prepared!(of_events).load(c).await?;
    Ok(rows.into_iter().map(|(event, version, body)| ((event.0, version), body)).collect())
}

/// Deletes the attempts of deliveries that this transaction has deleted, in this order: an attempt that is being written holds its
/// delivery.
pub(crate) async fn delete_attempts(c: &mut Conn<'_>, deleted: Vec<Id>) -> Result<()> {
    if deleted.is_empty() {
        return Ok(());
    }
    diesel::delete(attempts::table.filter(among!(attempts::delivery_id, deleted))).perform(c).await?;
    Ok(())
}

/// Deletes the bodies of these events.
pub(crate) async fn delete_bodies(c: &mut Conn<'_>, events: &[Id]) -> Result<()> {
    let of_events = notifications::table.filter(among!(notifications::event_id, events.iter().copied()));
    diesel::delete(of_events).perform(c).await?;
    Ok(())
}

/// Deletes the bodies of the oldest events up to `last`, a few at a time; counts them.
pub(crate) async fn delete_body_batch(c: &mut Conn<'_>, last: Uuid) -> Result<usize> {
    let old: Vec<Id> = notifications::table
        .filter(notifications::event_id.le(Id(last)))
        .order(notifications::event_id)
        .limit(limits::DELIVERIES_MOVED_AT_ONCE)
        .select(notifications::event_id)
        .load(c)
        .await?;
    if old.is_empty() {
        return Ok(0);
    }
    Ok(diesel::delete(notifications::table.filter(among!(notifications::event_id, old))).execute(c).await?)
}

/// Writes a batch in a few statements, and one for each failure. Returns the subscriptions that it paused.
pub(crate) async fn finish_deliveries(c: &mut Conn<'_>, batch: Vec<Finished>, now: Timestamp) -> Result<Vec<Paused>> {
    lock_cards(c, batch.iter().map(|finished| Id(finished.card_id)).collect()).await?;
    let mut successes = Vec::new();
    let mut updates: HashMap<(DeliveryUpdate, Uuid), Vec<Id>> = HashMap::new();
    for finished in &batch {
        let (state, due_at) = match finished.attempt {
            Some((attempt, Verdict::Delivered)) => {
                successes.push((Id(finished.lease), AttemptRow::from(&attempt)));
                continue;
            }
            Some((_, Verdict::Retry { at })) => (DeliveryState::Due, Some(at)),
            Some((_, Verdict::Exhausted)) => (DeliveryState::Failed, None),
            None => (DeliveryState::Due, Some(now)),
        };
        let update = DeliveryUpdate { state, due_at, tried: finished.attempt.is_some() };
        updates.entry((update, finished.lease)).or_default().push(Id(finished.delivery_id));
    }
    // Neighbours in the table and its indexes follow each other.
    successes.sort_by_key(|(_, row)| row.delivery_id.0);
    // The attempts that were written, by delivery and lease.
    let mut written = HashSet::new();
    if !successes.is_empty() {
        written.extend(write_successes(c, successes, now).await?);
    }
    for ((update, lease), ids) in updates {
        let updated = update_leased(c, update, lease, ids, now).await?;
        if update.tried {
            written.extend(updated.into_iter().map(|id| (id.0, lease)));
        }
    }
    let (mut attempted, mut counts) = (Vec::new(), FailureCounts::default());
    for Finished { delivery_id, subscription_id, lease, attempt, .. } in &batch {
        let Some((attempt, verdict)) = attempt.as_ref().filter(|_| written.contains(&(*delivery_id, *lease))) else {
            continue;
        };
        if *verdict != Verdict::Delivered {
            prepared!(diesel::insert_into(attempts::table).values(AttemptRow::from(attempt))).perform(c).await?;
        }
        attempted.push(Id(*delivery_id));
        counts.add(*subscription_id, attempt);
    }
    // After a failed attempt too: an earlier delivery may have been sent again while the attempt was running.
    if !attempted.is_empty() {
        let subscriptions = batch.iter().map(|finished| finished.subscription_id).collect();
        if anything_waits(c, subscriptions).await? {
            promote_after(c, attempted, now).await?;
        }
    }
    counts.write(c, now).await
}

/// Selects the successes of deliveries, in the columns of [`AttemptRow`].
macro_rules! successes {
    ($of:expr) => {
        deliveries::table
            .filter(among!(deliveries::id, $of))
            .filter(deliveries::success_started_at.is_not_null())
            .select((
                deliveries::id,
                deliveries::attempt_count,
                deliveries::success_started_at.assume_not_null(),
                deliveries::success_duration_ms.assume_not_null(),
                deliveries::success_status,
                None::<String>.into_sql::<Nullable<Text>>(),
                None::<String>.into_sql::<Nullable<Text>>(),
            ))
    };
}

/// Returns the last attempts of deliveries, at most `count_max` of each, oldest first.
pub(super) async fn last_attempts(
    c: &mut Conn<'_>,
    of: Vec<Id>,
    count_max: i64,
) -> Result<HashMap<Uuid, Vec<Attempt>>> {
    let mut found: HashMap<Uuid, Vec<Attempt>> = HashMap::new();
    if of.is_empty() {
        return Ok(found);
    }
    // Before the others: a delivery that is sent again meanwhile has its success in both.
    let mut rows: Vec<AttemptRow> = successes!(of.iter().copied()).load(c).await?;
    let others = attempts::table
        .inner_join(deliveries::table.on(deliveries::id.eq(attempts::delivery_id)))
        .filter(among!(attempts::delivery_id, of))
        .filter(attempts::number.gt(deliveries::attempt_count - count_max))
        .select(AttemptRow::as_select());
    rows.extend(others.load::<AttemptRow>(c).await?);
    rows.sort_by_key(|row| (row.delivery_id.0, row.number));
    rows.dedup_by_key(|row| (row.delivery_id.0, row.number));
    for attempt in rows.into_iter().map(Attempt::try_from) {
        let attempt = attempt?;
        found.entry(attempt.delivery_id).or_default().push(attempt);
    }
    Ok(found)
}

/// Copies the successes of deliveries that are to be sent again.
pub(super) async fn keep_successes(c: &mut Conn<'_>, of: Vec<Id>) -> Result<()> {
    diesel::insert_into(attempts::table).values(successes!(of)).into_columns(attempts::all_columns).perform(c).await?;
    Ok(())
}

/// The columns of a delivery whose attempt failed, or that is released.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DeliveryUpdate {
    state: DeliveryState,
    due_at: Option<Timestamp>,
    tried: bool,
}

/// Updates the deliveries that still have the lease, and returns them.
async fn update_leased(
    c: &mut Conn<'_>,
    update: DeliveryUpdate,
    lease: Uuid,
    ids: Vec<Id>,
    now: Timestamp,
) -> Result<Vec<Id>> {
    let held = deliveries::table.filter(among!(deliveries::id, ids)).filter(deliveries::lease.eq(Some(Id(lease))));
    let tried = i64::from(update.tried);
    let row = (
        deliveries::state.eq(Name(update.state)),
        deliveries::due_at.eq(update.due_at.map(At)),
        deliveries::lease.eq(None::<Id>),
        deliveries::leased_until.eq(None::<At>),
        deliveries::attempt_count.eq(deliveries::attempt_count + tried),
        deliveries::schedule_step.eq(deliveries::schedule_step + tried),
        deliveries::finished_at.eq(update.due_at.is_none().then_some(At(now))),
    );
    Ok(prepared!(diesel::update(held).set(row).returning(deliveries::id)).load(c).await?)
}

/// The failures in a batch by subscription. They are written in the order of ids, so that two replicas cannot deadlock.
#[derive(Default)]
struct FailureCounts(BTreeMap<Uuid, FailureCount>);

#[derive(Default)]
struct FailureCount {
    /// Whether an attempt succeeded.
    succeeded: bool,
    /// Failures since the last success of the batch, or all of them.
    failures: i64,
    first_failure: Option<Timestamp>,
    gone: bool,
}

impl FailureCounts {
    fn add(&mut self, subscription_id: Uuid, attempt: &Attempt) {
        self.0.entry(subscription_id).or_default().add(attempt);
    }

    async fn write(self, c: &mut Conn<'_>, now: Timestamp) -> Result<Vec<Paused>> {
        let mut paused = Vec::new();
        for (subscription_id, count) in self.0 {
            if count.succeeded {
                reset_failures(c, subscription_id).await?;
            }
            let Some(first) = count.first_failure else { continue };
            count_failures(c, subscription_id, count.failures, first).await?;
            let reason = if count.gone { PauseReason::Gone } else { PauseReason::Failures };
            let failing_before = if count.gone { now } else { now.before(limits::SUBSCRIPTION_FAILING_MAX) };
            if pause(c, subscription_id, reason, failing_before, now).await? {
                paused.push(Paused { subscription_id, reason });
            }
        }
        Ok(paused)
    }
}

impl FailureCount {
    fn add(&mut self, attempt: &Attempt) {
        if attempt.outcome.is_success() {
            *self = Self { succeeded: true, ..Self::default() };
        } else {
            self.failures += 1;
            self.first_failure = self.first_failure.or(Some(attempt.started_at));
            self.gone |= attempt.outcome.is_gone();
        }
    }
}

/// Resets the failure count. Writes nothing if it is 0, because many transactions share the row.
pub(super) async fn reset_failures(c: &mut Conn<'_>, subscription_id: Uuid) -> Result<()> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::failure_count.gt(0));
    let well = (webhook_subscriptions::failing_since.eq(None::<At>), webhook_subscriptions::failure_count.eq(0));
    prepared!(diesel::update(row).set(well)).perform(c).await?;
    Ok(())
}

async fn count_failures(c: &mut Conn<'_>, subscription_id: Uuid, failures: i64, first: Timestamp) -> Result<()> {
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(subscription_id)));
    let count = webhook_subscriptions::failure_count.eq(webhook_subscriptions::failure_count + failures);
    prepared!(diesel::update(row).set(count)).perform(c).await?;
    let begun = row.filter(webhook_subscriptions::failing_since.is_null());
    prepared!(diesel::update(begun).set(webhook_subscriptions::failing_since.eq(Some(At(first))))).perform(c).await?;
    Ok(())
}

async fn pause(
    c: &mut Conn<'_>,
    subscription_id: Uuid,
    reason: PauseReason,
    failing_before: Timestamp,
    now: Timestamp,
) -> Result<bool> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::paused_at.is_null())
        .filter(webhook_subscriptions::failing_since.le(Some(At(failing_before))));
    let paused = (
        webhook_subscriptions::paused_at.eq(Some(At(now))),
        webhook_subscriptions::pause_reason.eq(Some(Name(reason))),
        webhook_subscriptions::updated_at.eq(later_of!(webhook_subscriptions::updated_at, now)),
    );
    Ok(prepared!(diesel::update(row).set(paused)).execute(c).await? == 1)
}
