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

/// By id.
pub type Subscriptions = BTreeMap<Uuid, Subscription>;

/// The card and the sequence of a notification.
pub type Place = (Uuid, i64);

/// A subscription with its notifications by card and sequence.
#[derive(Clone)]
pub struct Subscription {
    pub row: WebhookSubscription,
    pub notifications: BTreeMap<Place, Notification>,
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
    pub place: Place,
    pub sent: Sent,
}

/// The expected result of a claimed notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    Answered(Mood),
    /// Handed back, because the receiver fails too often.
    Released,
}

impl Subscription {
    pub fn new(row: WebhookSubscription) -> Self {
        Self { row, notifications: BTreeMap::new(), attempted_at: None }
    }

    fn unfinished(&self, card_id: Uuid) -> impl Iterator<Item = &Notification> {
        self.notifications
            .range((card_id, 0)..=(card_id, i64::MAX))
            .map(|(_, one)| one)
            .filter(|one| one.row.finished_at.is_none())
    }

    fn unfinished_cards(&self) -> BTreeSet<Uuid> {
        self.notifications.values().filter(|one| one.row.finished_at.is_none()).map(|one| one.row.card_id).collect()
    }

    /// Lets every due notification wait that is not being attempted, with its whole schedule.
    fn hold(&mut self) {
        for row in self.notifications.values_mut().map(|one| &mut one.row) {
            if row.due_at.is_some() && row.lease.is_none() {
                (row.state, row.due_at, row.schedule_step) = (DeliveryState::Waiting, None, 0);
            }
        }
    }

    fn is_failing(failures: i64) -> bool {
        usize::try_from(failures).is_ok_and(|failures| failures >= limits::SUBSCRIPTION_FAILURES_IN_A_ROW)
    }

    /// The notifications that are due, earliest first.
    fn due(&self, now: Timestamp) -> Vec<&Notification> {
        let mut due: Vec<_> = self
            .notifications
            .values()
            .filter(|one| one.row.due_at.is_some_and(|at| at <= now) && one.row.leased_until.is_none_or(|at| at <= now))
            .collect();
        due.sort_by_key(|one| (one.row.due_at, one.row.id));
        due
    }

    /// Returns the notifications that the next step of the worker claims, with their expected results.
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
}

/// The unfinished notifications of a card that wait for each other: to the subscriptions of a partner with one address,
/// or to a paused one. In the order of their events.
fn queue(all: &Subscriptions, id: Uuid, card_id: Uuid) -> Vec<(i64, Uuid)> {
    let row = &all[&id].row;
    let shares = |other: &WebhookSubscription| {
        other.id == row.id
            || (other.partner_id == row.partner_id
                && other.callback_url.url() == row.callback_url.url()
                && other.health.pause.is_none()
                && row.health.pause.is_none())
    };
    let sharing = all.values().filter(|other| shares(&other.row));
    let mut queue: Vec<(i64, Uuid)> =
        sharing.flat_map(|other| other.unfinished(card_id).map(|one| (one.row.sequence, other.row.id))).collect();
    queue.sort();
    queue
}

fn row_of(all: &mut Subscriptions, id: Uuid, place: Place) -> &mut Delivery {
    &mut all.get_mut(&id).expect("it is there").notifications.get_mut(&place).expect("it is there").row
}

/// Whether a notification is the first one of its queue.
pub fn is_first(all: &Subscriptions, id: Uuid, (card_id, sequence): Place) -> bool {
    queue(all, id, card_id).first() == Some(&(sequence, id))
}

fn make_due(row: &mut Delivery, now: Timestamp) {
    if row.state == DeliveryState::Waiting {
        (row.state, row.due_at) = (DeliveryState::Due, Some(now));
    }
}

fn hold(row: &mut Delivery) {
    if row.state == DeliveryState::Due && row.lease.is_none() {
        (row.state, row.due_at) = (DeliveryState::Waiting, None);
    }
}

/// Makes the first notification of each queue of a card due, and lets the others wait.
pub fn put_in_sequence(all: &mut Subscriptions, card_id: Uuid, now: Timestamp) {
    let ids: Vec<Uuid> = all.keys().copied().collect();
    for id in ids {
        let queue = queue(all, id, card_id);
        if queue.first().is_none_or(|(_, first)| *first != id) {
            continue;
        }
        let mut runs = false;
        for (sequence, id) in &queue {
            runs |= row_of(all, *id, (card_id, *sequence)).lease.is_some();
        }
        for (nth, (sequence, id)) in queue.into_iter().enumerate() {
            let row = row_of(all, id, (card_id, sequence));
            if nth == 0 && !runs { make_due(row, now) } else { hold(row) }
        }
    }
}

/// Updates queues after attempts: the first notification is due, and an attempted one that is not the first waits.
fn promote_after(all: &mut Subscriptions, attempted: &[&Expected], now: Timestamp) {
    let is_waiting = |one: &Notification| one.row.state == DeliveryState::Waiting;
    let waits = |expected: &&Expected| {
        let cards: BTreeSet<Uuid> = all
            .values()
            .flat_map(|one| one.notifications.values())
            .filter(|one| is_waiting(one))
            .map(|one| one.row.card_id)
            .collect();
        cards.into_iter().any(|card_id| {
            let waiting = |(sequence, id): (i64, Uuid)| is_waiting(&all[&id].notifications[&(card_id, sequence)]);
            queue(all, expected.subscription_id, card_id).into_iter().any(waiting)
        })
    };
    if !attempted.iter().any(waits) {
        return;
    }
    let first_of = |expected: &&Expected| {
        let (card_id, sequence) = expected.place;
        let first = queue(all, expected.subscription_id, card_id).first().copied()?;
        let own = (sequence, expected.subscription_id);
        (first != own).then_some((card_id, own, first))
    };
    let overtaken: Vec<_> = attempted.iter().filter_map(first_of).collect();
    for (card_id, (sequence, id), _) in &overtaken {
        hold(row_of(all, *id, (*card_id, *sequence)));
    }
    for (card_id, _, (sequence, id)) in overtaken {
        make_due(row_of(all, id, (card_id, sequence)), now);
    }
}

/// Enqueues these notifications again, if they are finished. Returns how many were.
fn send_again(all: &mut Subscriptions, id: Uuid, places: Vec<Place>, now: Timestamp) -> usize {
    let mut count = 0;
    for place in &places {
        let row = row_of(all, id, *place);
        if row.finished_at.is_some() {
            (row.state, row.schedule_step, row.finished_at) = (DeliveryState::Waiting, 0, None);
            count += 1;
        }
    }
    let cards: BTreeSet<Uuid> = places.into_iter().map(|(card_id, _)| card_id).collect();
    cards.into_iter().for_each(|card_id| put_in_sequence(all, card_id, now));
    count
}

/// Returns an id before the ids of all notifications since a time.
pub fn id_before(since: Timestamp) -> Uuid {
    Uuid::from_u128(u128::try_from(since.millis()).unwrap_or(0) << 80)
}

/// The earliest and latest time of the next attempt of a notification whose attempt failed at `now`.
pub fn retry_window(row: &Delivery, mood: Mood, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let step = usize::try_from(row.schedule_step).ok()?;
    let delay = limits::DELIVERY_RETRY_SCHEDULE.get(step).filter(|_| row.state == DeliveryState::Due)?;
    let asked =
        if mood == Mood::Busy { std::time::Duration::from_secs(BUSY_SECONDS) } else { std::time::Duration::ZERO };
    let jittered = |share: f64| now.after(delay.mul_f64(share).max(asked));
    Some((jittered(0.8), jittered(1.2)))
}

impl Model {
    /// The subscriptions with the results of claimed notifications, which were written together. The time of the next
    /// attempt is not known yet where it is random; see [`retry_window`].
    pub fn finished(&self, claimed: &[Expected], now: Timestamp) -> Subscriptions {
        let mut all = self.subscriptions.clone();
        let mut results: BTreeMap<Uuid, (SubscriptionHealth, bool)> = BTreeMap::new();
        for expected in claimed {
            let health = all[&expected.subscription_id].row.health;
            let (health, gone) = results.entry(expected.subscription_id).or_insert((health, false));
            let row = row_of(&mut all, expected.subscription_id, expected.place);
            (row.lease, row.leased_until, row.due_at) = (None, None, Some(now));
            let Sent::Answered(mood) = expected.sent else { continue };
            row.attempt_count += 1;
            row.schedule_step += 1;
            let is_last =
                usize::try_from(row.schedule_step).is_ok_and(|step| step >= limits::DELIVERY_RETRY_SCHEDULE.len());
            if mood == Mood::Accepts {
                (row.state, row.due_at, row.finished_at) = (DeliveryState::Delivered, None, Some(now));
                (*health, *gone) = (SubscriptionHealth { pause: health.pause, ..SubscriptionHealth::default() }, false);
                continue;
            }
            if mood != Mood::Gone && is_last {
                (row.state, row.due_at, row.finished_at) = (DeliveryState::Failed, None, Some(now));
            }
            health.failure_count += 1;
            health.failing_since = health.failing_since.or(Some(now));
            *gone |= mood == Mood::Gone;
        }
        // One that is handed back is due again, before an earlier one of its card that is sent again.
        let attempted: Vec<_> = claimed.iter().filter(|expected| matches!(expected.sent, Sent::Answered(_))).collect();
        promote_after(&mut all, &attempted, now);
        for (id, (mut health, gone)) in results {
            let failing =
                health.failing_since.is_some_and(|since| since <= now.before(limits::SUBSCRIPTION_FAILING_MAX));
            let row = &mut all.get_mut(&id).expect("it is there").row;
            if (gone || failing) && health.pause.is_none() {
                let reason = if gone { PauseReason::Gone } else { PauseReason::Failures };
                (health.pause, row.updated_at) = (Some(Pause { at: now, reason }), now);
            }
            row.health = health;
        }
        all
    }

    /// Adds the notifications of a new event, which left the card as it is.
    pub fn notify(&mut self, event: &Event, card: &Card) {
        let matches = |row: &WebhookSubscription| row.partner_id == card.partner_id && row.topic == event.topic;
        let ids: Vec<Uuid> =
            self.subscriptions.values().map(|one| &one.row).filter(|row| matches(row)).map(|row| row.id).collect();
        for id in ids {
            let waits = !queue(&self.subscriptions, id, card.id).is_empty();
            let subscription = self.subscriptions.get_mut(&id).expect("it is there");
            let delivery = Delivery {
                id: delivery_id(event.id, id),
                event_id: event.id,
                subscription_id: id,
                partner_id: card.partner_id,
                card_id: card.id,
                topic: event.topic,
                sequence: event.sequence,
                test: false,
                api_version: subscription.row.api_version.clone(),
                state: if waits { DeliveryState::Waiting } else { DeliveryState::Due },
                attempt_count: 0,
                schedule_step: 0,
                due_at: (!waits).then_some(event.occurred_at),
                lease: None,
                leased_until: None,
                created_at: event.occurred_at,
                finished_at: None,
            };
            let body = render(event, card, &delivery.api_version, PUBLIC_BASE).into();
            subscription.notifications.insert((card.id, event.sequence), Notification { row: delivery, body });
        }
    }

    /// Sends one notification again, or makes its next attempt now. Returns whether it did.
    pub fn resend(&mut self, id: Uuid, place: Place, now: Timestamp) -> bool {
        let row = row_of(&mut self.subscriptions, id, place);
        if row.finished_at.is_some() {
            return send_again(&mut self.subscriptions, id, vec![place], now) == 1;
        }
        let may = row.lease.is_none() && row.state == DeliveryState::Due;
        if may {
            (row.due_at, row.schedule_step) = (Some(now), 0);
        }
        may
    }

    /// Sends every notification in this state after another one again; counts them.
    pub fn resend_all(&mut self, id: Uuid, state: DeliveryState, after: Uuid, now: Timestamp) -> usize {
        let is_meant = |one: &Notification| one.row.state == state && one.row.id > after;
        let notifications = self.subscriptions[&id].notifications.iter();
        let meant = notifications.filter(|(_, one)| is_meant(one)).map(|(place, _)| *place).collect();
        send_again(&mut self.subscriptions, id, meant, now)
    }

    /// Ends the pause. Returns how many had failed.
    pub fn resume(&mut self, id: Uuid, now: Timestamp) -> usize {
        let count = self.resend_all(id, DeliveryState::Failed, Uuid::nil(), now);
        let subscription = self.subscriptions.get_mut(&id).expect("it is there");
        subscription.hold();
        if subscription.row.health.pause.is_some() {
            subscription.row.updated_at = now;
        }
        subscription.row.health = SubscriptionHealth::default();
        let cards = self.subscriptions[&id].unfinished_cards();
        cards.into_iter().for_each(|card_id| put_in_sequence(&mut self.subscriptions, card_id, now));
        count
    }

    /// Puts everything in sequence that the worker looks at: the cards with unfinished notifications to a subscription that is
    /// not paused, or that was deleted.
    pub fn put_all_in_order(&mut self, now: Timestamp) {
        let active = self.subscriptions.values().filter(|one| one.row.health.pause.is_none());
        let mut cards: BTreeSet<Uuid> = active.flat_map(Subscription::unfinished_cards).collect();
        cards.append(&mut self.left);
        cards.into_iter().for_each(|card_id| put_in_sequence(&mut self.subscriptions, card_id, now));
        self.unordered = false;
    }

    /// Removes a subscription that was deleted.
    pub fn unsubscribe(&mut self, id: Uuid) {
        let removed = self.subscriptions.remove(&id).expect("it is there");
        self.left.extend(removed.unfinished_cards());
        self.unordered = true;
    }

    /// Returns the notifications that the next step of the webhook worker sends, if nothing fails.
    pub fn claimed(&mut self, mood: impl Fn(&str) -> Mood, now: Timestamp) -> Vec<Expected> {
        let mut all = Vec::new();
        for subscription in self.subscriptions.values_mut() {
            let row = &subscription.row;
            if row.health.pause.is_some() || subscription.due(now).is_empty() {
                subscription.attempted_at = None;
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
        let is_old = |one: &Notification| one.row.created_at < end;
        let mut cards = BTreeSet::new();
        for subscription in self.subscriptions.values_mut() {
            cards.extend(subscription.notifications.values().filter(|one| is_old(one)).map(|one| one.row.card_id));
            subscription.notifications.retain(|_, one| !is_old(one));
        }
        cards.into_iter().for_each(|card_id| put_in_sequence(&mut self.subscriptions, card_id, now));
    }
}
