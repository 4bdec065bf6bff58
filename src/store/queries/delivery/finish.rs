//! What became of claimed deliveries: the attempts, what comes next, and how the subscriptions fare (decisions W3).

use std::collections::{BTreeMap, HashMap, HashSet};

use diesel::prelude::*;
use uuid::Uuid;

use super::turn::{anything_may_wait, lock_cards, next_after};
use super::{Conn, RunQueryDsl, insert_attempts};
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, DeliveryState, PauseReason};
use crate::store::prepared_query::PreparedQuery;
use crate::store::row::AttemptRow;
use crate::store::schema::{deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{Finished, Paused, StoreError, Verdict};

/// Writes what became of a batch, in a few statements however large it is. The subscriptions that it paused.
pub(in crate::store) async fn finish_deliveries(
    c: &mut Conn,
    batch: Vec<Finished>,
    now: Timestamp,
) -> Result<Vec<Paused>, StoreError> {
    let failure_counts = FailureCounts::of(&batch);
    lock_cards(c, batch.iter().map(|finished| Id(finished.card_id)).collect()).await?;
    let mut alike: HashMap<(DeliveryUpdate, Uuid), Vec<Id>> = HashMap::new();
    for finished in &batch {
        alike.entry((DeliveryUpdate::of(finished), finished.lease)).or_default().push(Id(finished.delivery_id));
    }
    let (mut ours, mut over) = (HashSet::new(), Vec::new());
    for ((update, lease), ids) in alike {
        let written = update_deliveries(c, update, lease, ids, now).await?;
        ours.extend(written.iter().map(|id| id.0));
        if update.due_at.is_none() {
            over.extend(written);
        }
    }
    let tried = batch.iter().filter(|finished| ours.contains(&finished.delivery_id));
    let tried: Vec<AttemptRow> = tried.filter_map(|finished| finished.attempt.as_ref()).map(AttemptRow::from).collect();
    if !tried.is_empty() {
        insert_attempts(c, tried).await?;
    }
    if !over.is_empty() {
        let subscriptions = batch.iter().map(|finished| finished.subscription_id).collect();
        if anything_may_wait(c, subscriptions).await? {
            next_after(c, over, now).await?;
        }
    }
    failure_counts.write(c, now).await
}

/// What is written in a delivery whose lease ends.
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

/// Settles those that are held by the lease, and returns them: where it was lost, a delivery is somebody else's, or gone.
async fn update_deliveries(
    c: &mut Conn,
    update: DeliveryUpdate,
    lease: Uuid,
    ids: Vec<Id>,
    now: Timestamp,
) -> Result<Vec<Id>, StoreError> {
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
    Ok(PreparedQuery(diesel::update(held).set(row).returning(deliveries::id)).load(c).await?)
}

/// What a batch says about each subscription, which are written in the order of their ids.
#[derive(Default)]
struct FailureCounts(BTreeMap<Uuid, FailureCount>);

#[derive(Default)]
struct FailureCount {
    /// Whether an attempt succeeded.
    ended: bool,
    /// The failures after the last success, or all of them.
    failures: i64,
    first_failure: Option<Timestamp>,
    gone: bool,
}

impl FailureCounts {
    fn of(batch: &[Finished]) -> Self {
        let mut failure_counts = Self::default();
        let attempts = batch.iter().filter_map(|finished| Some((finished.subscription_id, finished.attempt.as_ref()?)));
        for (subscription_id, attempt) in attempts {
            failure_counts.0.entry(subscription_id).or_default().add(attempt);
        }
        failure_counts
    }

    async fn write(self, c: &mut Conn, now: Timestamp) -> Result<Vec<Paused>, StoreError> {
        let mut paused = Vec::new();
        for (subscription_id, counts) in self.0 {
            if counts.ended {
                clear_failures(c, subscription_id).await?;
            }
            let Some(first) = counts.first_failure else { continue };
            add_failures(c, subscription_id, counts.failures, first).await?;
            let reason = if counts.gone { PauseReason::Gone } else { PauseReason::Failures };
            let failing_before = if counts.gone { now } else { now.before(limits::SUBSCRIPTION_FAILING_MAX) };
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
            *self = Self { ended: true, ..Self::default() };
        } else {
            self.failures += 1;
            self.first_failure = self.first_failure.or(Some(attempt.started_at));
            self.gone |= attempt.outcome.is_gone();
        }
    }
}

/// Nothing is written for a subscription that has been well all along: its row is everybody's.
pub(super) async fn clear_failures(c: &mut Conn, subscription_id: Uuid) -> Result<(), StoreError> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::failure_count.gt(0));
    let well = (webhook_subscriptions::failing_since.eq(None::<At>), webhook_subscriptions::failure_count.eq(0));
    PreparedQuery(diesel::update(row).set(well)).execute(c).await?;
    Ok(())
}

async fn add_failures(c: &mut Conn, subscription_id: Uuid, failures: i64, first: Timestamp) -> Result<(), StoreError> {
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(subscription_id)));
    let count = webhook_subscriptions::failure_count.eq(webhook_subscriptions::failure_count + failures);
    PreparedQuery(diesel::update(row).set(count)).execute(c).await?;
    let begun = row.filter(webhook_subscriptions::failing_since.is_null());
    PreparedQuery(diesel::update(begun).set(webhook_subscriptions::failing_since.eq(Some(At(first)))))
        .execute(c)
        .await?;
    Ok(())
}

async fn pause(
    c: &mut Conn,
    subscription_id: Uuid,
    reason: PauseReason,
    failing_before: Timestamp,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::paused_at.is_null())
        .filter(webhook_subscriptions::failing_since.le(Some(At(failing_before))));
    let paused = (
        webhook_subscriptions::paused_at.eq(Some(At(now))),
        webhook_subscriptions::pause_reason.eq(Some(Name(reason))),
    );
    Ok(PreparedQuery(diesel::update(row).set(paused)).execute(c).await? == 1)
}
