//! Subscriptions and their deliveries: which notification is sent next, and what follows an attempt (decisions W1 to W3).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use card_service::base::{Timestamp, limits};
use card_service::model::{
    Card, Delivery, DeliveryState, Event, Pause, PauseReason, SubscriptionHealth, WebhookSubscription, delivery_id,
    render,
};
use uuid::Uuid;

use super::Model;
use crate::network::{BUSY_SECONDS, Mood};
use crate::process::PUBLIC_BASE;

/// A subscription with its notifications by card and sequence.
#[derive(Clone)]
pub struct Subscription {
    pub row: WebhookSubscription,
    pub notifications: BTreeMap<(Uuid, i64), Notification>,
    /// The last notification that a recovery has sent again, while one runs.
    pub recover_after: Option<Uuid>,
    /// When this process last sent to it, while it has notifications that are due.
    pub attempted_at: Option<Timestamp>,
}

/// A delivery with its body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    pub row: Delivery,
    pub body: Arc<str>,
}

/// A notification that the next step of the worker claims.
#[derive(Clone, Debug)]
pub struct Expected {
    pub subscription_id: Uuid,
    pub place: (Uuid, i64),
    pub sent: Sent,
}

/// What becomes of a claimed notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    Answered(Mood),
    /// Handed back, because the receiver fails too often.
    Released,
}

impl Subscription {
    pub fn new(row: WebhookSubscription) -> Self {
        Self { row, notifications: BTreeMap::new(), recover_after: None, attempted_at: None }
    }

    fn unfinished(&self, card_id: Uuid) -> impl Iterator<Item = &Notification> {
        self.notifications
            .range((card_id, 0)..=(card_id, i64::MAX))
            .map(|(_, one)| one)
            .filter(|one| one.row.finished_at.is_none())
    }

    /// Forgets a deleted card; what was delivered of it stays.
    pub fn forget(&mut self, card_id: Uuid) {
        self.notifications.retain(|(card, _), one| *card != card_id || one.row.state == DeliveryState::Delivered);
    }

    /// Makes the next notification of a card due, unless one is.
    pub fn promote(&mut self, card_id: Uuid, now: Timestamp) {
        let next = self.unfinished(card_id).next().map(|one| one.row.sequence);
        if let Some(sequence) = next {
            let row = &mut self.notifications.get_mut(&(card_id, sequence)).expect("it is there").row;
            if row.state == DeliveryState::Waiting {
                (row.state, row.due_at) = (DeliveryState::Due, Some(now));
            }
        }
    }

    /// Sends a finished notification again. Returns false if it is not finished.
    fn send_again(&mut self, place: (Uuid, i64), now: Timestamp) -> bool {
        if self.notifications[&place].row.finished_at.is_none() {
            return false;
        }
        let others = self.unfinished(place.0).count() > 0;
        let mut waits = others;
        for (other, one) in &mut self.notifications {
            let row = &mut one.row;
            let is_later = other.0 == place.0 && other.1 > place.1 && row.finished_at.is_none();
            if is_later && row.due_at.is_some() && row.lease.is_none() {
                (row.state, row.due_at) = (DeliveryState::Waiting, None);
                waits = false;
            }
        }
        let row = &mut self.notifications.get_mut(&place).expect("it is there").row;
        row.state = if waits { DeliveryState::Waiting } else { DeliveryState::Due };
        (row.due_at, row.schedule_step, row.finished_at) = ((!waits).then_some(now), 0, None);
        true
    }

    /// Sends one notification again, or makes its next attempt now. Returns whether it did.
    pub fn resend(&mut self, place: (Uuid, i64), now: Timestamp) -> bool {
        let row = &mut self.notifications.get_mut(&place).expect("it is there").row;
        if row.finished_at.is_some() {
            return self.send_again(place, now);
        }
        let may = row.lease.is_none() && row.state == DeliveryState::Due;
        if may {
            (row.due_at, row.schedule_step) = (Some(now), 0);
        }
        may
    }

    /// Sends every notification in this state after another one again; counts them.
    pub fn resend_all(
        &mut self,
        state: DeliveryState,
        after: Uuid,
        exists: impl Fn(Uuid) -> bool,
        now: Timestamp,
    ) -> usize {
        let is_meant = |one: &Notification| one.row.state == state && one.row.id > after && exists(one.row.card_id);
        let meant: Vec<_> =
            self.notifications.iter().filter(|(_, one)| is_meant(one)).map(|(place, _)| *place).collect();
        meant.into_iter().filter(|place| self.send_again(*place, now)).count()
    }

    /// Ends the pause. Returns how many had failed.
    pub fn resume(&mut self, exists: impl Fn(Uuid) -> bool, now: Timestamp) -> usize {
        let count = self.resend_all(DeliveryState::Failed, Uuid::nil(), exists, now);
        for one in self.notifications.values_mut() {
            if one.row.due_at.is_some_and(|at| at > now) && one.row.lease.is_none() {
                (one.row.due_at, one.row.schedule_step) = (Some(now), 0);
            }
        }
        if self.row.health.pause.is_some() {
            self.row.updated_at = now;
        }
        self.row.health = SubscriptionHealth::default();
        count
    }

    /// The last notification that failed after another one.
    fn last_failed(&self, after: Uuid) -> Option<Uuid> {
        let failed = self.notifications.values().filter(|one| one.row.state == DeliveryState::Failed);
        failed.map(|one| one.row.id).filter(|id| *id > after).max()
    }

    /// Begins the recovery of everything that failed after a notification, or begins it earlier. Returns how many failed.
    pub fn recover(&mut self, after: Uuid) -> usize {
        let after = self.recover_after.map_or(after, |running| running.min(after));
        let is_meant = |one: &&Notification| one.row.state == DeliveryState::Failed && one.row.id > after;
        let count = self.notifications.values().filter(is_meant).count();
        if count > 0 {
            self.recover_after = Some(after);
        }
        count
    }

    /// Sends the next batch of a recovery, which holds everything that has failed; without any the recovery ends.
    pub fn recover_batch(&mut self, exists: impl Fn(Uuid) -> bool, now: Timestamp) {
        let Some(after) = self.recover_after else { return };
        self.recover_after = self.last_failed(after);
        self.resend_all(DeliveryState::Failed, after, exists, now);
    }

    fn is_failing(failures: i64) -> bool {
        usize::try_from(failures).is_ok_and(|failures| failures >= limits::SUBSCRIPTION_FAILURES_IN_A_ROW)
    }

    /// The notifications that are due, earliest first.
    fn due(&self, now: Timestamp) -> Vec<&Notification> {
        let mut due: Vec<_> =
            self.notifications.values().filter(|one| one.row.due_at.is_some_and(|at| at <= now)).collect();
        due.sort_by_key(|one| (one.row.due_at, one.row.id));
        due
    }

    /// What the next step of the worker claims, and what becomes of it.
    fn claimed(&self, mood: Mood, now: Timestamp) -> Vec<Expected> {
        let mut failures = self.row.health.failure_count;
        let mut due = self.due(now);
        if Self::is_failing(failures) {
            let pauses = self.attempted_at.is_some_and(|at| at.after(limits::SUBSCRIPTION_FAILING_PAUSE) > now);
            due.truncate(usize::from(!pauses));
        }
        due.truncate(limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION);
        let several = due.len() > 1;
        let expect = |one: &Notification| {
            let sent = if Self::is_failing(failures) && several { Sent::Released } else { Sent::Answered(mood) };
            match sent {
                Sent::Answered(Mood::Accepts) => failures = 0,
                Sent::Answered(_) => failures += 1,
                Sent::Released => {}
            }
            Expected { subscription_id: self.row.id, place: (one.row.card_id, one.row.sequence), sent }
        };
        due.into_iter().map(expect).collect()
    }

    /// Writes the results of claimed notifications, which were written together. The time of the next attempt is not known
    /// yet where it is random; see [`retry_window`].
    fn finish(&mut self, claimed: &[&Expected], now: Timestamp) {
        let mut health = self.row.health;
        let mut gone = false;
        for expected in claimed {
            let row = &mut self.notifications.get_mut(&expected.place).expect("it was claimed").row;
            row.lease = None;
            row.due_at = Some(now);
            let Sent::Answered(mood) = expected.sent else { continue };
            row.attempt_count += 1;
            row.schedule_step += 1;
            if mood == Mood::Accepts {
                (row.state, row.due_at, row.finished_at) = (DeliveryState::Delivered, None, Some(now));
                (health, gone) = (SubscriptionHealth { pause: health.pause, ..SubscriptionHealth::default() }, false);
                continue;
            }
            if mood != Mood::Gone
                && usize::try_from(row.schedule_step).is_ok_and(|step| step >= limits::DELIVERY_SCHEDULE.len())
            {
                (row.state, row.due_at, row.finished_at) = (DeliveryState::Failed, None, Some(now));
            }
            health.failure_count += 1;
            health.failing_since = health.failing_since.or(Some(now));
            gone |= mood == Mood::Gone;
        }
        let failing_long =
            health.failing_since.is_some_and(|since| since <= now.before(limits::SUBSCRIPTION_FAILING_MAX));
        if (gone || failing_long) && health.pause.is_none() {
            let reason = if gone { PauseReason::Gone } else { PauseReason::Failures };
            health.pause = Some(Pause { at: now, reason });
            self.row.updated_at = now;
        }
        self.row.health = health;
        // One that is handed back is due again, before an earlier one of its card that is sent again.
        for expected in claimed.iter().filter(|expected| matches!(expected.sent, Sent::Answered(_))) {
            let (card_id, sequence) = expected.place;
            let is_first = self.unfinished(card_id).next().is_none_or(|first| first.row.sequence >= sequence);
            let row = &mut self.notifications.get_mut(&expected.place).expect("it was claimed").row;
            if !is_first && row.finished_at.is_none() {
                (row.state, row.due_at) = (DeliveryState::Waiting, None);
            }
            self.promote(card_id, now);
        }
    }
}

/// The subscriptions of claimed notifications, with the results of these.
pub fn finished(
    subscriptions: &BTreeMap<Uuid, Subscription>,
    claimed: &[Expected],
    now: Timestamp,
) -> BTreeMap<Uuid, Subscription> {
    let ids: BTreeSet<Uuid> = claimed.iter().map(|expected| expected.subscription_id).collect();
    let finish = |id: Uuid| {
        let mut subscription = subscriptions[&id].clone();
        let own: Vec<&Expected> = claimed.iter().filter(|expected| expected.subscription_id == id).collect();
        subscription.finish(&own, now);
        (id, subscription)
    };
    ids.into_iter().map(finish).collect()
}

/// The id before those of all notifications since a time.
pub fn id_before(since: Timestamp) -> Uuid {
    Uuid::from_u128(u128::try_from(since.millis()).unwrap_or(0) << 80)
}

/// The earliest and latest time of the next attempt of a notification whose attempt failed at `now`.
pub fn retry_window(row: &Delivery, mood: Mood, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let step = usize::try_from(row.schedule_step).ok()?;
    let delay = limits::DELIVERY_SCHEDULE.get(step).filter(|_| row.state == DeliveryState::Due)?;
    let asked =
        if mood == Mood::Busy { std::time::Duration::from_secs(BUSY_SECONDS) } else { std::time::Duration::ZERO };
    let jittered = |share: f64| now.after(delay.mul_f64(share).max(asked));
    Some((jittered(0.8), jittered(1.2)))
}

impl Model {
    /// Adds the notifications of a new event, which left the card as it is.
    pub fn notify(&mut self, event: &Event, card: &Card) {
        for subscription in self.subscriptions.values_mut() {
            let row = &subscription.row;
            if row.partner_id != card.partner_id || row.topic != event.topic || (row.test && !card.test) {
                continue;
            }
            let waits = subscription.unfinished(card.id).next().is_some();
            let delivery = Delivery {
                id: delivery_id(event.id, row.id),
                event_id: event.id,
                subscription_id: row.id,
                partner_id: card.partner_id,
                card_id: card.id,
                topic: event.topic,
                sequence: event.sequence,
                test: card.test,
                api_version: row.api_version.clone(),
                state: if waits { DeliveryState::Waiting } else { DeliveryState::Due },
                attempt_count: 0,
                schedule_step: 0,
                due_at: (!waits).then_some(event.occurred_at),
                lease: None,
                created_at: event.occurred_at,
                finished_at: None,
            };
            let body = render(event, card, &row.api_version, PUBLIC_BASE).into();
            subscription.notifications.insert((card.id, event.sequence), Notification { row: delivery, body });
        }
    }

    /// What the next step of the webhook worker sends, if nothing fails.
    pub fn claimed(&mut self, mood: impl Fn(&str) -> Mood, now: Timestamp) -> Vec<Expected> {
        let mut all = Vec::new();
        let accounts = self.partners.clone();
        for subscription in self.subscriptions.values_mut() {
            let row = &subscription.row;
            if row.health.pause.is_some() || subscription.due(now).is_empty() {
                subscription.attempted_at = None;
                continue;
            }
            let account = accounts.iter().find(|account| account.partner.id == row.partner_id).expect("it has one");
            if account.partner.blocked || account.signing(row.mode(), now).is_empty() {
                continue;
            }
            let claimed = subscription.claimed(mood(row.callback_url.url().as_str()), now);
            if !claimed.is_empty() {
                subscription.attempted_at = Some(now);
            }
            all.extend(claimed);
        }
        all
    }

    /// Deletes the notifications of old events, as housekeeping does.
    pub fn expire_notifications(&mut self, now: Timestamp) {
        let end = now.before(limits::DELIVERY_HELD);
        for subscription in self.subscriptions.values_mut() {
            let is_old = |one: &Notification| one.row.created_at < end;
            let ended: Vec<Uuid> =
                subscription.notifications.values().filter(|one| is_old(one)).map(|one| one.row.card_id).collect();
            subscription.notifications.retain(|_, one| !is_old(one));
            ended.into_iter().for_each(|card_id| subscription.promote(card_id, now));
        }
    }
}
