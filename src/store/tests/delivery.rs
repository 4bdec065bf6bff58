//! Deliveries: enqueued with their event, ordered by card and address, claimed once, sent again.

use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::base::{Timestamp, limits};
use crate::model::{Attempt, AttemptOutcome, Card, Delivery, DeliveryState, Scope, Topic, WebhookSubscription};
use crate::store::{CardScope, ClaimRequest, ClaimedDelivery, DeletedDeliveries, Finished, Lease, Verdict};

on_both_engines! {
    deliveries_of_a_card_stay_in_order_under_concurrent_changes,
    delivery_that_was_given_up_holds_up_nothing_and_takes_its_turn_when_it_is_sent_again,
    delivery_of_a_deleted_card_is_not_sent_again,
    attempts_of_a_delivery_that_is_sent_again_are_kept,
    delivery_is_claimed_by_one_of_many,
    claim_is_bounded_by_what_it_finds,
    expired_lease_is_claimed_again_and_its_late_result_is_ignored,
    expired_deliveries_are_deleted_with_their_attempts_and_bodies,
    undelivered_delivery_of_a_deleted_card_or_subscription_is_deleted_with_its_attempts,
}

/// Adds a partner with a subscription to changes and a card.
async fn followed(db: &TestDatabase) -> (WebhookSubscription, Card) {
    let partner_id = db.partner().await;
    let subscription = db.subscription(partner_id, Topic::CardsUpdate, "https://example.org/a");
    db.store.create_subscription(subscription.clone(), 20).await.unwrap();
    (subscription, db.created(partner_id, "a").await)
}

async fn change(db: &TestDatabase, card_id: Uuid, name: &str, at: Timestamp) {
    change_on(db, Topic::CardsUpdate, card_id, name, at).await;
}

async fn change_on(db: &TestDatabase, topic: Topic, card_id: Uuid, name: &str, at: Timestamp) {
    let (event, name) = (db.event(topic), name.to_owned());
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
    let requests = vec![ClaimRequest { subscription_id, count_max: 100 }];
    db.store.claim_deliveries(requests, at, lease).await.unwrap()
}

fn finished(delivery: &Delivery, outcome: AttemptOutcome, verdict: Verdict, at: Timestamp) -> Finished {
    Finished {
        delivery_id: delivery.id,
        subscription_id: delivery.subscription_id,
        card_id: delivery.card_id,
        lease: delivery.lease.expect("it was claimed"),
        attempt: Some((
            Attempt {
                delivery_id: delivery.id,
                number: delivery.attempt_count + 1,
                started_at: at,
                duration_ms: 1,
                outcome,
                cause: None,
            },
            verdict,
        )),
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

/// Adds a second subscription to the address of [`followed`].
async fn followed_twice(db: &TestDatabase) -> (WebhookSubscription, WebhookSubscription, Card) {
    let (first, card) = followed(db).await;
    let second = db.subscription(card.partner_id, Topic::CardsOrdered, "https://example.org/a");
    db.store.create_subscription(second.clone(), 20).await.unwrap();
    (first, second, card)
}

async fn deliveries_of_a_card_stay_in_order_under_concurrent_changes(db: &TestDatabase) {
    let (first, second, card) = followed_twice(db).await;
    let topics = [Topic::CardsUpdate, Topic::CardsOrdered].into_iter().cycle();
    let changing =
        (0..40).zip(topics).map(|(n, topic)| async move { change_on(db, topic, card.id, &n.to_string(), now()).await });
    // Deliveries are finished while others are enqueued behind them.
    let delivering = async {
        let mut seen = Vec::new();
        for _ in 0..10_000 {
            let claimed = [claim(db, first.id, now()).await, claim(db, second.id, now()).await].concat();
            assert!(claimed.len() <= 1, "one at a time: {claimed:?}");
            for delivery in claimed {
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

async fn delivery_that_was_given_up_holds_up_nothing_and_takes_its_turn_when_it_is_sent_again(db: &TestDatabase) {
    let (first, second, card) = followed_twice(db).await;
    for (topic, name) in [(Topic::CardsUpdate, "A"), (Topic::CardsOrdered, "B"), (Topic::CardsUpdate, "C")] {
        change_on(db, topic, card.id, name, now()).await;
    }
    let [given_up] = claim(db, first.id, now()).await.try_into().unwrap();
    assert_eq!(claim(db, second.id, now()).await, []);
    let failed = finished(&given_up, AttemptOutcome::TimeOut, Verdict::Exhausted, now());
    db.store.finish_deliveries(vec![failed], now()).await.unwrap();
    let [running] = claim(db, second.id, now()).await.try_into().unwrap();
    assert!(db.store.resend(given_up.id, now()).await.unwrap());
    assert_eq!(claim(db, first.id, now()).await, [], "an attempt of a later one runs");
    let retried = finished(&running, AttemptOutcome::TimeOut, Verdict::Retry { at: now() }, now());
    db.store.finish_deliveries(vec![retried], now()).await.unwrap();
    assert_eq!(claim(db, second.id, now()).await, [], "it waits for the earlier one");
    for (subscription, sequence) in [(&first, 2), (&second, 3), (&first, 4)] {
        let [delivery] = claim(db, subscription.id, now()).await.try_into().unwrap();
        assert_eq!(delivery.sequence, sequence);
        deliver(db, &delivery, now()).await;
    }
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

async fn attempts_of_a_delivery_that_is_sent_again_are_kept(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    change(db, card.id, "A", now()).await;
    let outcomes = [204, 500, 200].map(AttemptOutcome::Answered);
    let verdicts = [Verdict::Delivered, Verdict::Retry { at: now() }, Verdict::Delivered];
    for (outcome, verdict) in outcomes.into_iter().zip(verdicts) {
        let [delivery] = claim(db, subscription.id, now()).await.try_into().unwrap();
        db.store.finish_deliveries(vec![finished(&delivery, outcome, verdict, now())], now()).await.unwrap();
        if delivery.attempt_count == 0 {
            assert_eq!(db.count("attempts").await, 0, "a success is in the row of its delivery");
            assert!(db.store.resend(delivery.id, now()).await.unwrap());
        }
    }
    let [delivery] =
        db.store.deliveries_in_state(subscription.id, DeliveryState::Delivered, 9).await.unwrap().try_into().unwrap();
    let attempts = db.store.attempts_of(delivery.id).await.unwrap();
    let seen: Vec<_> = attempts.iter().map(|attempt| (attempt.number, attempt.outcome)).collect();
    assert_eq!(seen, [1, 2, 3].into_iter().zip(outcomes).collect::<Vec<_>>());
    let shown = db.store.webhook_delivery(Scope::account(card.partner_id), delivery.id).await.unwrap().unwrap();
    assert_eq!(shown.attempts, attempts);
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

async fn claim_is_bounded_by_what_it_finds(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let [hanging, fast] =
        ["a", "b"].map(|path| db.subscription(partner_id, Topic::CardsCreate, &format!("https://example.org/{path}")));
    for subscription in [&hanging, &fast] {
        db.store.create_subscription(subscription.clone(), 20).await.unwrap();
    }
    let max = limits::DELIVERIES_CLAIMED_AT_ONCE;
    let names: Vec<_> = (0..=max).map(|n| n.to_string()).collect();
    join_all(names.iter().map(|name| db.created(partner_id, name))).await;
    let claim = async |subscriptions: &[Uuid]| {
        let lease = Lease { id: db.uuid(), until: later(60) };
        let request = |id: &Uuid| ClaimRequest { subscription_id: *id, count_max: max + 1 };
        let claimed =
            db.store.claim_deliveries(subscriptions.iter().map(request).collect(), now(), lease).await.unwrap();
        let count = |id| claimed.iter().filter(|claimed| claimed.delivery.subscription_id == id).count();
        (count(hanging.id), count(fast.id))
    };
    let due = async || {
        let due = db.store.subscriptions_due(now()).await.unwrap().into_iter().map(|subscription| subscription.id);
        due.collect::<std::collections::HashSet<_>>()
    };
    assert_eq!(claim(&[hanging.id]).await, (max, 0));
    assert_eq!(due().await, [hanging.id, fast.id].into());
    assert_eq!(claim(&[hanging.id]).await, (1, 0));
    // A receiver whose deliveries are all leased takes nothing from the others.
    assert_eq!(due().await, [fast.id].into());
    assert_eq!(claim(&[hanging.id, fast.id]).await, (0, max));
}

async fn expired_lease_is_claimed_again_and_its_late_result_is_ignored(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    change(db, card.id, "A", now()).await;
    let [slow] = claim_with_bodies(db, subscription.id, now()).await.try_into().unwrap();
    assert!(claim(db, subscription.id, later(59)).await.is_empty());
    let [again] = claim_with_bodies(db, subscription.id, later(60)).await.try_into().unwrap();
    assert_eq!((slow.delivery.id, &slow.body), (again.delivery.id, &again.body));
    let (slow, again) = (slow.delivery, again.delivery);
    let failures = async || {
        let subscription = db.store.any_subscription(subscription.id).await.unwrap().expect("it is there");
        subscription.health.failure_count
    };
    for (outcome, verdict) in [(500, Verdict::Exhausted), (200, Verdict::Delivered)] {
        let late = finished(&slow, AttemptOutcome::Answered(outcome), verdict, later(61));
        db.store.finish_deliveries(vec![late], later(61)).await.unwrap();
        assert_eq!(in_state(db, subscription.id, DeliveryState::Due).await, [2]);
        assert!(db.store.attempts_of(slow.id).await.unwrap().is_empty());
        assert_eq!(failures().await, 0);
    }
    // Both results in one batch.
    let retry = Verdict::Retry { at: later(61) };
    let both = [(&slow, 500), (&again, 503)];
    let both = both.map(|(delivery, status)| finished(delivery, AttemptOutcome::Answered(status), retry, later(61)));
    db.store.finish_deliveries(both.to_vec(), later(61)).await.unwrap();
    let [attempt] = db.store.attempts_of(slow.id).await.unwrap().try_into().unwrap();
    assert_eq!((attempt.number, attempt.outcome), (1, AttemptOutcome::Answered(503)));
    assert_eq!(failures().await, 1);
    let [again] = claim(db, subscription.id, later(61)).await.try_into().unwrap();
    deliver(db, &again, later(61)).await;
    assert_eq!(in_state(db, subscription.id, DeliveryState::Delivered).await, [2]);
}

async fn expired_deliveries_are_deleted_with_their_attempts_and_bodies(db: &TestDatabase) {
    let (subscription, card) = followed(db).await;
    for name in ["A", "B", "C"] {
        change(db, card.id, name, now()).await;
    }
    let [delivery] = claim(db, subscription.id, now()).await.try_into().unwrap();
    deliver(db, &delivery, now()).await;
    assert_eq!(db.store.delete_expired_deliveries(now(), later(1)).await.unwrap(), DeletedDeliveries::default());
    let deleted = db.store.delete_expired_deliveries(later(1), later(1)).await.unwrap();
    assert_eq!(deleted, DeletedDeliveries { finished: 1, undelivered: 2 });
    assert_eq!((db.count("deliveries").await, db.count("attempts").await), (0, 0));
    assert_eq!(db.count("notifications").await, 0, "their bodies are gone with them");
}

async fn undelivered_delivery_of_a_deleted_card_or_subscription_is_deleted_with_its_attempts(db: &TestDatabase) {
    let (subscription, first) = followed(db).await;
    let second = db.created(first.partner_id, "b").await;
    for card in [&first, &second] {
        change(db, card.id, "A", now()).await;
    }
    for delivery in claim(db, subscription.id, now()).await {
        let failed = finished(&delivery, AttemptOutcome::Answered(500), Verdict::Retry { at: later(60) }, now());
        db.store.finish_deliveries(vec![failed], now()).await.unwrap();
    }
    assert_eq!((db.count("deliveries").await, db.count("attempts").await), (2, 2));
    db.store.delete_card(first.id, now()).await.unwrap().unwrap();
    assert_eq!((db.count("deliveries").await, db.count("attempts").await), (1, 1));
    assert_eq!(db.store.delete_unfinished(subscription.id, now()).await.unwrap(), 1);
    assert_eq!((db.count("deliveries").await, db.count("attempts").await), (0, 0));
}
