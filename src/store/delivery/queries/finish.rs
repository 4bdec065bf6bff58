//! Writes the results of claimed deliveries: attempts, states, and the failure counts of subscriptions (decisions W3).

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::prelude::*;
use uuid::Uuid;

use super::ordering::{anything_waits, lock_cards, promote_after};
use super::{Conn, Result, RunQueryDsl, insert_attempts};
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, DeliveryState, PauseReason};
use crate::store::delivery::row::AttemptRow;
use crate::store::prepared_query::prepared;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{Finished, Paused, Verdict};

/// Writes a batch in a few statements, however large it is. Returns the subscriptions that it paused.
pub(crate) async fn finish_deliveries(c: &mut Conn<'_>, batch: Vec<Finished>, now: Timestamp) -> Result<Vec<Paused>> {
    let counts = FailureCounts::of(&batch);
    lock_cards(c, batch.iter().map(|finished| Id(finished.card_id)).collect()).await?;
    let mut updates: HashMap<(DeliveryUpdate, Uuid), Vec<Id>> = HashMap::new();
    for finished in &batch {
        updates.entry((DeliveryUpdate::of(finished), finished.lease)).or_default().push(Id(finished.delivery_id));
    }
    let (mut ours, mut attempted) = (HashSet::new(), Vec::new());
    for ((update, lease), ids) in updates {
        let written = update_leased(c, update, lease, ids, now).await?;
        ours.extend(written.iter().map(|id| id.0));
        if update.tried {
            attempted.extend(written);
        }
    }
    let tried = batch.iter().filter(|finished| ours.contains(&finished.delivery_id));
    let tried: Vec<AttemptRow> = tried.filter_map(|finished| finished.attempt.as_ref()).map(AttemptRow::from).collect();
    if !tried.is_empty() {
        insert_attempts(c, tried).await?;
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

/// What is written to a finished delivery.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct DeliveryUpdate {
    state: DeliveryState,
    due_at: Option<Timestamp>,
    tried: bool,
}

impl DeliveryUpdate {
    fn of(finished: &Finished) -> Self {
        let (state, due_at) = match finished.verdict {
            Verdict::Delivered => (DeliveryState::Delivered, None),
            Verdict::Retry { at } => (DeliveryState::Due, Some(at)),
            Verdict::Exhausted => (DeliveryState::Failed, None),
        };
        Self { state, due_at, tried: finished.attempt.is_some() }
    }
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
    fn of(batch: &[Finished]) -> Self {
        let mut counts = Self::default();
        let attempts = batch.iter().filter_map(|finished| Some((finished.subscription_id, finished.attempt.as_ref()?)));
        for (subscription_id, attempt) in attempts {
            counts.0.entry(subscription_id).or_default().add(attempt);
        }
        counts
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
    prepared!(diesel::update(row).set(well)).execute(c).await?;
    Ok(())
}

async fn count_failures(c: &mut Conn<'_>, subscription_id: Uuid, failures: i64, first: Timestamp) -> Result<()> {
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(subscription_id)));
    let count = webhook_subscriptions::failure_count.eq(webhook_subscriptions::failure_count + failures);
    prepared!(diesel::update(row).set(count)).execute(c).await?;
    let begun = row.filter(webhook_subscriptions::failing_since.is_null());
    prepared!(diesel::update(begun).set(webhook_subscriptions::failing_since.eq(Some(At(first))))).execute(c).await?;
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
        webhook_subscriptions::updated_at.eq(At(now)),
    );
    Ok(prepared!(diesel::update(row).set(paused)).execute(c).await? == 1)
}
