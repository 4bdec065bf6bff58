//! Limits in flight: what is claimed, how many workers send, and what is released.

use super::*;
use crate::base::HttpUrl;
use crate::model::{AttemptOutcome, SubscriptionHealth, Topic, WebhookSubscription};

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms).expect("within the calendar")
}

fn due(id: u128, failure_count: i64) -> DueSubscription {
    let subscription = WebhookSubscription {
        id: Uuid::from_u128(id),
        partner_id: Uuid::nil(),
        topic: Topic::CardsCreate,
        callback_url: HttpUrl::trusted("https://hooks.example/"),
        api_version: "2026-10".to_owned(),
        test: false,
        created_at: at(0),
        updated_at: at(0),
        name: None,
        health: SubscriptionHealth::default(),
    };
    DueSubscription { subscription, failure_count }
}

fn counts(orders: &[ClaimOrder]) -> Vec<(u128, usize)> {
    let mut counts: Vec<_> = orders.iter().map(|o| (o.subscription_id.as_u128(), o.count_max)).collect();
    counts.sort();
    counts
}

fn in_flight() -> Arc<InFlight<usize>> {
    Arc::default()
}

fn enqueue(in_flight: &Arc<InFlight<usize>>, id: u128, count: usize) -> Vec<SubscriptionWorker<usize>> {
    in_flight.enqueue((0..count).map(|item| (Uuid::from_u128(id), item)), at(0))
}

fn finish(in_flight: &InFlight<usize>, id: u128, outcome: Option<AttemptOutcome>) {
    let subscription_id = Uuid::from_u128(id);
    if let Some(outcome) = outcome {
        let attempt = Attempt { delivery_id: Uuid::nil(), number: 1, started_at: at(0), duration_ms: 1, outcome };
        in_flight.record_attempt(subscription_id, &attempt);
    }
    in_flight.finish([subscription_id]);
}

/// Records enough successes for the largest prefetch.
fn succeed(in_flight: &Arc<InFlight<usize>>, id: u128) {
    for _ in 0..=limits::DELIVERIES_PREFETCHED_MAX {
        enqueue(in_flight, id, 1);
        finish(in_flight, id, Some(AttemptOutcome::Answered(200)));
    }
}

#[test]
fn subscription_without_responses_uses_its_own_limit_only() {
    let in_flight = in_flight();
    let subscriptions = [due(1, 0), due(2, 0)];
    assert_eq!(counts(&in_flight.claim_orders(&subscriptions, at(0))), [(1, SENT_AT_ONCE), (2, SENT_AT_ONCE)]);
    enqueue(&in_flight, 1, SENT_AT_ONCE);
    assert_eq!(counts(&in_flight.claim_orders(&subscriptions, at(0))), [(2, SENT_AT_ONCE)]);
}

#[test]
fn subscription_that_succeeds_is_prefetched_up_to_a_limit() {
    let in_flight = in_flight();
    succeed(&in_flight, 1);
    assert_eq!(in_flight.lock()[&Uuid::from_u128(1)].prefetch, limits::DELIVERIES_PREFETCHED_MAX);
    let orders = in_one_transaction(in_flight.claim_orders(&[due(1, 0)], at(0)));
    assert_eq!(counts(&orders), [(1, limits::DELIVERIES_CLAIMED_AT_ONCE)]);
    enqueue(&in_flight, 1, 1);
    finish(&in_flight, 1, Some(AttemptOutcome::Answered(500)));
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, 1)], at(0))), [(1, SENT_AT_ONCE)]);
}

#[test]
fn prefetch_limit_follows_the_response_time() {
    let (pace, max) = (limits::DELIVERIES_PREFETCHED_FOR.as_millis() as i64, limits::DELIVERIES_PREFETCHED_MAX);
    for (duration_ms, prefetch) in
        [(0, max), (1, max), (pace / 10, 10 * SENT_AT_ONCE), (pace, SENT_AT_ONCE), (pace + 1, 0)]
    {
        assert_eq!(prefetch_max(duration_ms), prefetch, "{duration_ms} ms");
    }
}

#[test]
fn failing_subscription_gets_one_attempt_at_a_time_with_pauses() {
    let in_flight = in_flight();
    let many = i64::try_from(limits::SUBSCRIPTION_FAILURES_IN_A_ROW).expect("a small number");
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, many)], at(0))), [(1, 1)], "the count of other replicas");
    enqueue(&in_flight, 1, 1);
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, many)], at(10_000))), [], "one is in flight");
    finish(&in_flight, 1, Some(AttemptOutcome::TimeOut));
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, many)], at(999))), []);
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, many)], at(1_000))), [(1, 1)]);
    enqueue(&in_flight, 1, 1);
    finish(&in_flight, 1, Some(AttemptOutcome::Answered(204)));
    assert_eq!(
        counts(&in_flight.claim_orders(&[due(1, 0)], at(1_000))),
        [(1, SENT_AT_ONCE + 1)],
        "the limit is lifted"
    );
}

#[test]
fn global_limit_is_shared_by_all_subscriptions() {
    let in_flight = in_flight();
    let many = limits::DELIVERIES_IN_FLIGHT_MAX as u128 - 24;
    let subscriptions: Vec<_> = (1..=many).map(|id| due(id, 0)).collect();
    loop {
        let orders = in_one_transaction(in_flight.claim_orders(&subscriptions, at(0)));
        let claimed: usize = orders.iter().map(|order| order.count_max).sum();
        assert!(claimed <= limits::DELIVERIES_CLAIMED_AT_ONCE, "{claimed}");
        assert!(orders.iter().all(|order| order.count_max <= 2), "none gets all");
        if orders.is_empty() {
            break;
        }
        for order in orders {
            enqueue(&in_flight, order.subscription_id.as_u128(), order.count_max);
        }
    }
    assert_eq!(in_flight.count(), limits::DELIVERIES_IN_FLIGHT_MAX);
    let served = in_flight.lock().values().filter(|queue| queue.in_flight > 0).count();
    assert_eq!(served, subscriptions.len());
}

#[test]
fn large_prefetch_is_refilled_when_a_quarter_is_free() {
    let in_flight = in_flight();
    succeed(&in_flight, 1);
    let all = SENT_AT_ONCE + limits::DELIVERIES_PREFETCHED_MAX;
    enqueue(&in_flight, 1, all - all / 4 + 1);
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, 0)], at(0))), []);
    finish(&in_flight, 1, None);
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, 0)], at(0))), [(1, all / 4)]);
    in_flight.reset_prefetch(Uuid::from_u128(1));
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, 0)], at(0))), [], "enough is claimed");
}

#[test]
fn prefetch_leaves_half_of_the_global_limit_to_others() {
    let in_flight = in_flight();
    let busy: Vec<_> = (1..=3).map(|id| due(id, 0)).collect();
    (1..=3).for_each(|id| succeed(&in_flight, id));
    loop {
        let orders = in_one_transaction(in_flight.claim_orders(&busy, at(0)));
        let claimed: usize = orders.iter().map(|order| order.count_max).sum();
        assert!(claimed <= limits::DELIVERIES_CLAIMED_AT_ONCE, "{claimed}");
        if orders.is_empty() {
            break;
        }
        for order in orders {
            enqueue(&in_flight, order.subscription_id.as_u128(), order.count_max);
        }
    }
    let half = limits::DELIVERIES_IN_FLIGHT_MAX / 2;
    assert!((half..=half + 3 * SENT_AT_ONCE).contains(&in_flight.count()), "{}", in_flight.count());
    let four: Vec<_> = (1..=4).map(|id| due(id, 0)).collect();
    assert_eq!(counts(&in_flight.claim_orders(&four, at(0))), [(4, SENT_AT_ONCE)]);
}

#[test]
fn one_claim_serves_few_subscriptions_fully() {
    let subscriptions: Vec<_> = (1..=200).map(|id| due(id, 0)).collect();
    let orders = in_one_transaction(in_flight().claim_orders(&subscriptions, at(0)));
    assert!(orders.iter().all(|order| order.count_max == SENT_AT_ONCE));
    assert_eq!(orders.len(), limits::DELIVERIES_CLAIMED_AT_ONCE / SENT_AT_ONCE);
}

#[test]
fn little_capacity_goes_to_those_with_the_fewest_in_flight() {
    let order = |id: u128| ClaimOrder { subscription_id: Uuid::from_u128(id), count_max: 1 };
    let full = (1..=20).map(|id| (SENT_AT_ONCE - 1, order(id)));
    let empty = (0, ClaimOrder { count_max: SENT_AT_ONCE, ..order(21) });
    let shared = share(full.chain([empty]).collect(), 2);
    assert_eq!(counts(&shared), [(1, 1), (21, 1)]);
}

#[test]
fn queue_is_sent_in_order_by_a_limited_number_of_workers() {
    let in_flight = in_flight();
    let mut workers = enqueue(&in_flight, 1, SENT_AT_ONCE + 2);
    assert_eq!(workers.len(), SENT_AT_ONCE);
    assert_eq!(enqueue(&in_flight, 1, 1).len(), 0, "all workers run");
    assert_eq!(workers[0].next(), Some(Next::Send(0)));
    assert_eq!(workers[1].next(), Some(Next::Send(1)));
    let left = std::iter::from_fn(|| workers[0].next()).count();
    assert_eq!(left, SENT_AT_ONCE + 1, "the queue is empty, and the worker is removed");
    assert_eq!(enqueue(&in_flight, 1, 2).len(), 1, "another is started");
}

#[tokio::test]
async fn abandoned_delivery_is_not_in_flight() {
    let in_flight = in_flight();
    let mut workers = enqueue(&in_flight, 1, 2);
    assert_eq!((workers[0].next(), in_flight.count()), (Some(Next::Send(0)), 2));
    workers[0].abandon();
    assert_eq!((workers[0].next(), in_flight.count()), (Some(Next::Send(1)), 1));
    finish(&in_flight, 1, None);
    in_flight.wait_until_empty().await;
}

#[tokio::test]
async fn pending_delivery_of_a_failing_or_paused_subscription_is_released() {
    let in_flight = in_flight();
    let mut workers = enqueue(&in_flight, 1, 2);
    assert_eq!(workers[0].next(), Some(Next::Send(0)));
    in_flight.pause(Uuid::from_u128(1));
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, 0)], at(0))), [], "the row may have been read before the pause");
    assert_eq!(workers[0].next(), Some(Next::Release(1)));
    (0..2).for_each(|_| finish(&in_flight, 1, None));
    assert_eq!(counts(&in_flight.claim_orders(&[due(1, 0)], at(0))), [(1, SENT_AT_ONCE)], "it is resumed");

    let mut failing = enqueue(&in_flight, 2, limits::SUBSCRIPTION_FAILURES_IN_A_ROW + 2);
    for _ in 0..limits::SUBSCRIPTION_FAILURES_IN_A_ROW {
        assert!(matches!(failing[0].next(), Some(Next::Send(_))));
        finish(&in_flight, 2, Some(AttemptOutcome::Answered(500)));
    }
    assert!(matches!(failing[0].next(), Some(Next::Release(_))), "another is in flight");
    finish(&in_flight, 2, None);
    assert!(matches!(failing[0].next(), Some(Next::Send(_))), "one at a time");
    finish(&in_flight, 2, None);
    in_flight.wait_until_empty().await;
}
