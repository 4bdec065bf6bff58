//! What became of claimed deliveries: the attempts, what comes next, and how the subscriptions fare (decisions W3).

use std::collections::BTreeMap;

use diesel::prelude::*;
use uuid::Uuid;

use super::turn::next_in_turn;
use super::{Conn, RunQueryDsl};
use crate::base::{Moment, limits};
use crate::model::{Attempt, DeliveryState, PauseReason};
use crate::store::fixed::Fixed;
use crate::store::row::AttemptRow;
use crate::store::schema::{attempts, deliveries, webhook_subscriptions};
use crate::store::sql_type::{At, Id, Name};
use crate::store::{Finished, Paused, StoreError, Verdict};

/// Writes what became of a batch, in the order in which it came about. The subscriptions that it paused.
pub(in crate::store) async fn finish_deliveries(
    c: &mut Conn,
    mut batch: Vec<Finished>,
    now: Moment,
) -> Result<Vec<Paused>, StoreError> {
    let streaks = Streaks::of(&batch);
    batch.sort_by_key(|finished| (finished.card_id, finished.subscription_id));
    for finished in &batch {
        // Where the lease was lost, the delivery is somebody else's, or gone; that an attempt was made is still true.
        let ours = settle(c, finished, now).await?;
        if let (true, Some(attempt)) = (ours, &finished.attempt) {
            let once = diesel::insert_into(attempts::table).values(AttemptRow::from(attempt));
            once.on_conflict_do_nothing().execute(c).await?;
        }
        if ours && !matches!(finished.verdict, Verdict::Again { .. }) {
            next_in_turn(c, finished.subscription_id, finished.card_id, now).await?;
        }
    }
    streaks.write(c, now).await
}

/// Ends a lease as its verdict says; false when it was no longer held.
async fn settle(c: &mut Conn, finished: &Finished, now: Moment) -> Result<bool, StoreError> {
    let tried = i64::from(finished.attempt.is_some());
    let row = deliveries::table
        .filter(deliveries::id.eq(Id(finished.delivery_id)))
        .filter(deliveries::lease.eq(Some(Id(finished.lease))));
    let (state, due_at) = match finished.verdict {
        Verdict::Delivered => (DeliveryState::Delivered, None),
        Verdict::Again { at } => (DeliveryState::Due, Some(at)),
        Verdict::GivenUp => (DeliveryState::Failed, None),
    };
    let settled = (
        deliveries::state.eq(Name(state)),
        deliveries::due_at.eq(due_at.map(At)),
        deliveries::lease.eq(None::<Id>),
        deliveries::attempt_count.eq(deliveries::attempt_count + tried),
        deliveries::schedule_step.eq(deliveries::schedule_step + tried),
        deliveries::finished_at.eq(due_at.is_none().then_some(At(now))),
    );
    Ok(Fixed(diesel::update(row).set(settled)).execute(c).await? == 1)
}

/// What a batch says about each subscription, which are written in the order of their ids.
#[derive(Default)]
struct Streaks(BTreeMap<Uuid, Streak>);

#[derive(Default)]
struct Streak {
    /// Whether an attempt succeeded.
    ended: bool,
    /// The failures after the last success, or all of them.
    failures: i64,
    first_failure: Option<Moment>,
    gone: bool,
}

impl Streaks {
    fn of(batch: &[Finished]) -> Self {
        let mut streaks = Self::default();
        let attempts = batch.iter().filter_map(|finished| Some((finished.subscription_id, finished.attempt.as_ref()?)));
        for (subscription_id, attempt) in attempts {
            streaks.0.entry(subscription_id).or_default().add(attempt);
        }
        streaks
    }

    async fn write(self, c: &mut Conn, now: Moment) -> Result<Vec<Paused>, StoreError> {
        let mut paused = Vec::new();
        for (subscription_id, streak) in self.0 {
            if streak.ended {
                end_streak(c, subscription_id).await?;
            }
            let Some(first) = streak.first_failure else { continue };
            lengthen_streak(c, subscription_id, streak.failures, first).await?;
            let reason = if streak.gone { PauseReason::Gone } else { PauseReason::Failures };
            let failing_before = if streak.gone { now } else { now.before(limits::SUBSCRIPTION_FAILING_MAX) };
            if pause(c, subscription_id, reason, failing_before, now).await? {
                paused.push(Paused { subscription_id, reason });
            }
        }
        Ok(paused)
    }
}

impl Streak {
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
pub(super) async fn end_streak(c: &mut Conn, subscription_id: Uuid) -> Result<(), StoreError> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::failure_count.gt(0));
    let well = (webhook_subscriptions::failing_since.eq(None::<At>), webhook_subscriptions::failure_count.eq(0));
    Fixed(diesel::update(row).set(well)).execute(c).await?;
    Ok(())
}

async fn lengthen_streak(c: &mut Conn, subscription_id: Uuid, failures: i64, first: Moment) -> Result<(), StoreError> {
    let row = webhook_subscriptions::table.filter(webhook_subscriptions::id.eq(Id(subscription_id)));
    let count = webhook_subscriptions::failure_count.eq(webhook_subscriptions::failure_count + failures);
    Fixed(diesel::update(row).set(count)).execute(c).await?;
    let begun = row.filter(webhook_subscriptions::failing_since.is_null());
    Fixed(diesel::update(begun).set(webhook_subscriptions::failing_since.eq(Some(At(first))))).execute(c).await?;
    Ok(())
}

async fn pause(
    c: &mut Conn,
    subscription_id: Uuid,
    reason: PauseReason,
    failing_before: Moment,
    now: Moment,
) -> Result<bool, StoreError> {
    let row = webhook_subscriptions::table
        .filter(webhook_subscriptions::id.eq(Id(subscription_id)))
        .filter(webhook_subscriptions::paused_at.is_null())
        .filter(webhook_subscriptions::failing_since.le(Some(At(failing_before))));
    let paused = (
        webhook_subscriptions::paused_at.eq(Some(At(now))),
        webhook_subscriptions::pause_reason.eq(Some(Name(reason))),
    );
    Ok(Fixed(diesel::update(row).set(paused)).execute(c).await? == 1)
}
