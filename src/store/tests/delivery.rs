//! Deliveries: enqueued with their event, ordered by card and subscription, claimed once, sent again.

use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::base::Timestamp;
use crate::model::{
    Attempt, AttemptOutcome, Card, Delivery, DeliveryState, PauseReason, Scope, Topic, WebhookSubscription,
};
use crate::store::{CardScope, ClaimOrder, ClaimedDelivery, DeletedDeliveries, Finished, Lease, Verdict};

on_both_engines! {
    delivery_is_enqueued_for_each_matching_subscription,
    delivery_waits_for_the_one_before_it_of_its_card,
    deliveries_of_a_card_stay_in_order_under_concurrent_changes,
    delivery_of_a_deleted_card_is_not_sent_again,
    delivery_is_claimed_by_one_of_many,
    expired_lease_is_claimed_again_and_its_late_result_is_ignored,
    subscription_is_paused_by_410_and_after_five_days_of_failures,
    resume_sends_failed_deliveries_before_pending_ones,
    replay_sends_deliveries_since_a_time_again,
    expired_deliveries_and_those_of_deleted_subscriptions_are_deleted,
    refused_change_enqueues_nothing,
}

/// Adds a partner with a subscription to changes and a card.
async fn followed(db: &TestDatabase) -> (WebhookSubscription, Card) {
    let partner_id = db.partner().await;
    let subscription = db.subscription(partner_id, Topic::CardsUpdate, "https://example.org/a");
    db.store.create_subscription(subscription.clone(), 20).await.unwrap();
    (subscription, db.created(partner_id, "a").await)
}

async fn change(db: &TestDatabase, card_id: Uuid, name: &str, at: Timestamp) {
    let (event, name) = (db.event(Topic::CardsUpdate), name.to_owned());
    let decide = move |card: &mut Card| {
        card.deceased.first_name = Some(name);
        Ok::<_, ()>(vec![event])
    };
    db.store.change_card(CardScope::Any { id: card_id }, at, decide).await.unwrap().unwrap();
}

async fn claim(db: &TestDatabase, subscription_id: Uuid, at: Timestamp) -> Vec<Delivery> {
    claim_with_bodies(db, subscription_id, at).await.into_iter().map(|claimed| claimed.delivery).collect()
}

async fn claim_with_bodies(db: &TestDatabase, subscription_id: Uuid, at: Timestamp) -> Vec<ClaimedDelivery> {
    let lease = Lease { id: db.uuid(), until: at.plus(chrono::Duration::seconds(60)) };
    let orders = vec![ClaimOrder { subscription_id, count_max: 100 }];
    db.store.claim_deliveries(orders, at, lease).await.unwrap()
}

fn finished(delivery: &Delivery, outcome: AttemptOutcome, verdict: Verdict, at: Timestamp) -> Finished {
    Finished {
        delivery_id: delivery.id,
        subscription_id: delivery.subscription_id,
        card_id: delivery.card_id,
        lease: delivery.lease.expect("it was claimed"),
        attempt: Some(Attempt {
            delivery_id: delivery.id,
            number: delivery.attempt_count + 1,
            started_at: at,
            duration_ms: 1,
            outcome,
        }),
        verdict,
    }
}

async fn deliver(db: &TestDatabase, delivery: &Delivery, at: Timestamp) {
    let done = finished(delivery, AttemptOutcome::Answered(200), Verdict::Delivered, at);
    assert_eq!(db.store.finish_deliveries(vec![done], at).await.unwrap(), []);
}

/// Returns the sequence numbers of a subscription's deliveries in a state, in order.
async fn in_state(db: &TestDatabase, subscription_id: Uuid, state: DeliveryState) -> Vec<i64> {
    let found = db.store.deliveries_in_state(subscription_id, state, 1_000).await.unwrap();
    let mut sequences: Vec<_> = found.iter().map(|delivery| delivery.sequence).collect();
    sequences.sort();
    sequences
}

async fn delivery_is_enqueued_for_each_matching_subscription(db: &TestDatabase) {
    let (first, card) = followed(db).await;
    change(db, card.id, "A", now()).await;
    let mut second = db.subscription(card.partner_id, Topic::CardsUpdate, "https://example.org/b");
    second.api_version = "2027-01".to_owned();
    let mut third = db.subscription(card.partner_id, Topic::CardsUpdate, "https://example.org/c");
    third.api_version = second.api_version.clone();
    let other_topic = db.subscription(card.partner_id, Topic::CardsOrdered, "https://example.org/a");
    let foreign = db.subscription(db.partner().await, Topic::CardsUpdate, "https://example.org/a");
    for subscription in [&second, &third, &other_topic, &foreign] {
        db.store.create_subscription(subscription.clone(), 20).await.unwrap();
    }
    change(db, card.id, "B", later(1)).await;
    assert_eq!(db.count("deliveries").await, 4);
    let of = async |id| db.store.deliveries_in_state(id, DeliveryState::Due, 9).await.unwrap();
    assert_eq!((of(second.id).await.len(), of(third.id).await.len()), (1, 1));
    assert_eq!((of(first.id).await.len(), in_state(db, first.id, DeliveryState::Waiting).await), (1, vec![3]));
    let due = db.store.subscriptions_due(later(1)).await.unwrap();
    assert_eq!(due.len(), 3);

    // One body for each event and version, shared by the deliveries.
    assert_eq!(db.count("notifications").await, 3);
    for (subscription, version, sequence) in [(&first, "2026-10", 2), (&second, "2027-01", 3), (&third, "2027-01", 3)] {
        let [claimed] = claim_with_bodies(db, subscription.id, later(1)).await.try_into().unwrap();
        let wanted = [format!(r#""apiVersion":"{version}","#), format!(r#""sequence":{sequence},"#)];
        assert!(wanted.iter().all(|part| claimed.body.contains(part)), "{}", claimed.body);
    }
}

async fn delivery_waits_for_the_one_before_it_of_its_card(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    let other = db.created(card.partner_id, "b").await;
    for name in ["A", "B", "C"] {
        change(db, card.id, name, now()).await;
    }
    change(db, other.id, "A", now()).await;
    let mut claimed = claim(db, subscription.id, now()).await;
    claimed.sort_by_key(|delivery| delivery.card_id != card.id);
    assert_eq!(claimed.iter().map(|d| (d.card_id, d.sequence)).collect::<Vec<_>>(), [(card.id, 2), (other.id, 2)]);
    assert!(claim(db, subscription.id, now()).await.is_empty(), "what is claimed is claimed");
    // While it fails, the later deliveries of its card wait.
    let again = Verdict::Retry { at: later(5) };
    let failed = finished(&claimed[0], AttemptOutcome::Answered(500), again, now());
    db.store.finish_deliveries(vec![failed], now()).await.unwrap();
    assert!(claim(db, subscription.id, later(4)).await.is_empty());
    for expected in [2, 3, 4] {
        let claimed = claim(db, subscription.id, later(5)).await;
        assert_eq!(claimed.iter().map(|d| d.sequence).collect::<Vec<_>>(), [expected]);
        deliver(db, &claimed[0], later(5)).await;
    }
    let attempts = db.store.attempts_of(claimed[0].id).await.unwrap();
    let outcomes: Vec<_> = attempts.iter().map(|attempt| (attempt.number, attempt.outcome)).collect();
    assert_eq!(outcomes, [(1, AttemptOutcome::Answered(500)), (2, AttemptOutcome::Answered(200))]);
}

async fn deliveries_of_a_card_stay_in_order_under_concurrent_changes(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    let changing = (0..40).map(|n| async move { change(db, card.id, &n.to_string(), now()).await });
    // Deliveries are finished while others are enqueued behind them.
    let delivering = async {
        let mut seen = Vec::new();
        for _ in 0..10_000 {
            for delivery in claim(db, subscription.id, now()).await {
                seen.push(delivery.sequence);
                deliver(db, &delivery, now()).await;
            }
            if seen.len() == 40 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        seen
    };
    let (_, seen) = tokio::join!(join_all(changing), delivering);
    assert_eq!(seen, (2..=41).collect::<Vec<_>>());
}

async fn delivery_of_a_deleted_card_is_not_sent_again(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    change(db, card.id, "A", now()).await;
    let [delivery] = claim(db, subscription.id, now()).await.try_into().unwrap();
    deliver(db, &delivery, now()).await;
    db.store.delete_card(card.id, now()).await.unwrap().unwrap();
    assert_eq!(db.store.body_of(delivery.id).await.unwrap(), None);
    assert!(!db.store.resend(delivery.id, now()).await.unwrap(), "there is nothing to send");
    // Nor if the card is deleted after its body was read, which can happen on PostgreSQL only.
    if db.url.starts_with("postgres") {
        db.run("INSERT INTO notifications SELECT event_id, api_version, 'read before' FROM deliveries").await.unwrap();
        assert!(!db.store.resend(delivery.id, now()).await.unwrap());
    }
}

async fn delivery_is_claimed_by_one_of_many(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    for n in 0..30 {
        let card = db.created(card.partner_id, &format!("n-{n}")).await;
        change(db, card.id, "A", now()).await;
    }
    let claims = join_all((0..6).map(|_| claim(db, subscription.id, now()))).await;
    let mut ids: Vec<_> = claims.into_iter().flatten().map(|delivery| delivery.id).collect();
    ids.sort();
    let count = ids.len();
    ids.dedup();
    assert_eq!((ids.len(), count), (30, 30));
}

async fn expired_lease_is_claimed_again_and_its_late_result_is_ignored(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    change(db, card.id, "A", now()).await;
    let [slow] = claim_with_bodies(db, subscription.id, now()).await.try_into().unwrap();
    assert!(claim(db, subscription.id, later(59)).await.is_empty());
    let [again] = claim_with_bodies(db, subscription.id, later(60)).await.try_into().unwrap();
    assert_eq!((slow.delivery.id, &slow.body), (again.delivery.id, &again.body));
    let (slow, again) = (slow.delivery, again.delivery);
    let late = finished(&slow, AttemptOutcome::Answered(500), Verdict::Exhausted, later(61));
    db.store.finish_deliveries(vec![late], later(61)).await.unwrap();
    assert_eq!(in_state(db, subscription.id, DeliveryState::Due).await, [2]);
    deliver(db, &again, later(61)).await;
    assert_eq!(in_state(db, subscription.id, DeliveryState::Delivered).await, [2]);
}

async fn subscription_is_paused_by_410_and_after_five_days_of_failures(db: &TestDatabase) {
    const DAY: i64 = 24 * 60 * 60;
    let (subscription, card) = followed(db).await;
    let fail = async |seconds: i64, outcome| {
        let [delivery] = claim(db, subscription.id, later(seconds)).await.try_into().unwrap();
        let at = later(seconds);
        let failed = finished(&delivery, outcome, Verdict::Retry { at }, at);
        let paused = db.store.finish_deliveries(vec![failed], at).await.unwrap();
        paused.iter().map(|paused| paused.reason).collect::<Vec<_>>()
    };
    let health = async || db.store.any_subscription(subscription.id).await.unwrap().unwrap().health;
    change(db, card.id, "A", now()).await;
    assert_eq!(fail(0, AttemptOutcome::NoConnection).await, []);
    assert_eq!(fail(5 * DAY - 1, AttemptOutcome::TimeOut).await, []);
    assert_eq!((health().await.failing_since, health().await.failure_count), (Some(now()), 2));
    assert_eq!(fail(5 * DAY, AttemptOutcome::Answered(500)).await, [PauseReason::Failures]);
    assert_eq!(health().await.pause.map(|pause| pause.at), Some(later(5 * DAY)));
    assert!(db.store.subscriptions_due(later(9 * DAY)).await.unwrap().is_empty(), "nothing is sent to it");

    assert_eq!(db.store.resume_subscription(subscription.id, later(9 * DAY)).await.unwrap(), Some(0));
    assert_eq!(health().await, Default::default());
    assert_eq!(db.store.subscriptions_due(later(9 * DAY)).await.unwrap().len(), 1);
    assert_eq!(fail(9 * DAY, AttemptOutcome::Answered(410)).await, [PauseReason::Gone]);
}

async fn resume_sends_failed_deliveries_before_pending_ones(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    for name in ["A", "B", "C", "D"] {
        change(db, card.id, name, now()).await;
    }
    for verdict in [Verdict::Exhausted, Verdict::Exhausted, Verdict::Retry { at: later(9_999) }] {
        let [delivery] = claim(db, subscription.id, now()).await.try_into().unwrap();
        let failed = finished(&delivery, AttemptOutcome::TimeOut, verdict, now());
        db.store.finish_deliveries(vec![failed], now()).await.unwrap();
    }
    assert_eq!(in_state(db, subscription.id, DeliveryState::Failed).await, [2, 3]);
    assert_eq!(db.store.resume_subscription(subscription.id, later(1)).await.unwrap(), Some(2));
    for expected in [2, 3, 4, 5] {
        let [delivery] = claim(db, subscription.id, later(1)).await.try_into().unwrap();
        assert_eq!((delivery.sequence, delivery.schedule_step), (expected, if expected == 4 { 1 } else { 0 }));
        deliver(db, &delivery, later(1)).await;
    }
    assert_eq!(db.store.resume_subscription(db.uuid(), now()).await.unwrap(), None);
}

async fn replay_sends_deliveries_since_a_time_again(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    for (n, name) in ["A", "B", "C"].into_iter().enumerate() {
        let at = later(i64::try_from(n).unwrap());
        // The ids of events contain their time, and `now` is always the same here.
        change(db, card.id, name, at).await;
        let [delivery] = claim(db, subscription.id, at).await.try_into().unwrap();
        deliver(db, &delivery, at).await;
    }
    assert_eq!(db.store.replay_deliveries(subscription.id, later(1), later(9)).await.unwrap(), Some(0));
    assert_eq!(db.store.replay_deliveries(subscription.id, now(), later(9)).await.unwrap(), Some(3));
    for expected in [2, 3, 4] {
        let [delivery] = claim(db, subscription.id, later(9)).await.try_into().unwrap();
        assert_eq!((delivery.sequence, delivery.attempt_count), (expected, 1));
        deliver(db, &delivery, later(9)).await;
    }
    let [any, ..] = &db.store.deliveries_in_state(subscription.id, DeliveryState::Delivered, 9).await.unwrap()[..]
    else {
        panic!("they are delivered")
    };
    assert_eq!(db.store.attempts_of(any.id).await.unwrap().len(), 2);
    assert!(db.store.resend(any.id, later(10)).await.unwrap());
    assert_eq!(db.store.replay_deliveries(db.uuid(), now(), now()).await.unwrap(), None);
}

async fn expired_deliveries_and_those_of_deleted_subscriptions_are_deleted(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    change(db, card.id, "A", now()).await;
    change(db, card.id, "B", now()).await;
    let [delivery] = claim(db, subscription.id, now()).await.try_into().unwrap();
    deliver(db, &delivery, now()).await;
    assert_eq!(db.store.delete_expired_deliveries(now(), later(1)).await.unwrap(), DeletedDeliveries::default());
    let deleted = db.store.delete_expired_deliveries(later(1), later(1)).await.unwrap();
    assert_eq!(deleted, DeletedDeliveries { finished: 1, undelivered: 1, cancelled: 0 });
    assert_eq!((db.count("deliveries").await, db.count("attempts").await), (0, 0));
    assert_eq!(db.count("notifications").await, 0, "their bodies are gone with them");

    change(db, card.id, "C", now()).await;
    change(db, card.id, "D", now()).await;
    assert!(db.store.delete_subscription(Scope::account(card.partner_id), subscription.id).await.unwrap());
    assert!(db.store.subscriptions_due(later(1)).await.unwrap().is_empty(), "nothing goes to a cancelled one");
    let deleted = db.store.delete_expired_deliveries(now(), later(1)).await.unwrap();
    assert_eq!(deleted, DeletedDeliveries { finished: 0, undelivered: 0, cancelled: 2 });
}

async fn refused_change_enqueues_nothing(db: &TestDatabase) {
    let (_, card) = followed(db).await;
    let refuse = |card: &mut Card| {
        card.deceased.first_name = Some("A".to_owned());
        Err::<Vec<_>, _>(())
    };
    assert!(db.store.change_card(CardScope::Any { id: card.id }, now(), refuse).await.is_err());
    assert_eq!((db.count("deliveries").await, db.count("events").await), (0, 1));
}
