//! The limits of deliveries in flight, and the retry schedule.

use super::in_flight::*;
use super::*;
use crate::base::{HttpUrl, Policy};
use crate::model::{DeliveryState, SubscriptionHealth, Topic, WebhookSubscription};
use crate::store::ClaimRequest;

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms).expect("within the calendar")
}

fn due(id: u128, failure_count: i64) -> WebhookSubscription {
    WebhookSubscription {
        id: Uuid::from_u128(id),
        partner_id: Uuid::nil(),
        topic: Topic::CardsCreate,
        callback_url: HttpUrl::trusted("https://hooks.example/"),
        api_version: "2026-10".to_owned(),
        test: false,
        created_at: at(0),
        updated_at: at(0),
        name: None,
        health: SubscriptionHealth { failure_count, ..SubscriptionHealth::default() },
    }
}

fn counts(requests: &[ClaimRequest]) -> Vec<(u128, usize)> {
    let mut counts: Vec<_> =
        requests.iter().map(|request| (request.subscription_id.as_u128(), request.count_max)).collect();
    counts.sort();
    counts
}

fn claimed(subscription_id: u128, sequence: usize) -> Claimed {
    let delivery = Delivery {
        id: Uuid::nil(),
        event_id: Uuid::nil(),
        subscription_id: Uuid::from_u128(subscription_id),
        partner_id: Uuid::nil(),
        card_id: Uuid::nil(),
        topic: Topic::CardsCreate,
        sequence: i64::try_from(sequence).expect("a small number"),
        test: false,
        api_version: String::new(),
        state: DeliveryState::Due,
        attempt_count: 0,
        schedule_step: 0,
        due_at: None,
        lease: None,
        leased_until: None,
        created_at: at(0),
        finished_at: None,
    };
    let callback_url = Url::parse("https://hooks.example/").expect("an address");
    let receiver = Arc::new(Receiver { callback_url, secrets: Arc::default() });
    Claimed { delivery, body: Bytes::new(), receiver, lease: Lease { id: Uuid::nil(), until: at(0) } }
}

fn enqueue(in_flight: &InFlight, id: u128, count: usize) -> Vec<Uuid> {
    in_flight.enqueue((0..count).map(|sequence| claimed(id, sequence)).collect(), at(0))
}

/// Returns whether the next pending delivery is sent, and its number.
fn next(in_flight: &InFlight, id: u128) -> Option<(bool, i64)> {
    in_flight.next(Uuid::from_u128(id)).map(|next| match next {
        Next::Send(claimed) => (true, claimed.delivery.sequence),
        Next::Release(claimed) => (false, claimed.delivery.sequence),
    })
}

fn finish(in_flight: &InFlight, id: u128, outcome: Option<AttemptOutcome>) {
    let subscription_id = Uuid::from_u128(id);
    if let Some(outcome) = outcome {
        in_flight.record_attempt(subscription_id, outcome);
    }
    in_flight.finish([subscription_id]);
}

#[test]
fn subscription_is_claimed_up_to_its_limit_and_refilled_when_half_is_free() {
    let in_flight = InFlight::default();
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, 0)], at(0))), [(1, CLAIMED_MAX)]);
    enqueue(&in_flight, 1, CLAIMED_MAX / 2 + 1);
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, 0), due(2, 0)], at(0))), [(2, CLAIMED_MAX)]);
    finish(&in_flight, 1, None);
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, 0)], at(0))), [(1, CLAIMED_MAX / 2)]);
}

#[test]
fn failing_subscription_gets_one_attempt_at_a_time_with_pauses() {
    let in_flight = InFlight::default();
    let many = i64::try_from(limits::SUBSCRIPTION_FAILURES_IN_A_ROW).expect("a small number");
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, many)], at(0))), [(1, 1)], "the count of other replicas");
    enqueue(&in_flight, 1, 1);
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, many)], at(10_000))), [], "one is in flight");
    finish(&in_flight, 1, Some(AttemptOutcome::TimeOut));
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, many)], at(999))), []);
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, many)], at(1_000))), [(1, 1)]);
    enqueue(&in_flight, 1, 1);
    finish(&in_flight, 1, Some(AttemptOutcome::Answered(204)));
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, 0)], at(1_000))), [(1, CLAIMED_MAX)], "the limit is lifted");
}

#[test]
fn global_limit_is_shared_by_all_subscriptions() {
    let in_flight = InFlight::default();
    let many = limits::DELIVERIES_IN_FLIGHT_MAX as u128 - 24;
    let subscriptions: Vec<_> = (1..=many).map(|id| due(id, 0)).collect();
    loop {
        let requests = in_flight.claim_requests(&subscriptions, at(0));
        assert!(requests.iter().all(|request| request.count_max <= 2), "none gets all");
        if requests.is_empty() {
            break;
        }
        for request in requests {
            enqueue(&in_flight, request.subscription_id.as_u128(), request.count_max);
        }
    }
    assert_eq!(in_flight.count(), limits::DELIVERIES_IN_FLIGHT_MAX);
    let served = in_flight.lock().values().filter(|queue| queue.in_flight > 0).count();
    assert_eq!(served, subscriptions.len());
}

#[test]
fn subscriptions_within_the_global_limit_are_served_fully() {
    let count = (limits::DELIVERIES_IN_FLIGHT_MAX / CLAIMED_MAX) as u128;
    let subscriptions: Vec<_> = (1..=count).map(|id| due(id, 0)).collect();
    let requests = InFlight::default().claim_requests(&subscriptions, at(0));
    assert!(requests.iter().all(|request| request.count_max == CLAIMED_MAX));
    assert_eq!(requests.len(), subscriptions.len());
}

#[test]
fn little_capacity_goes_to_those_with_the_fewest_in_flight() {
    let request = |id: u128| ClaimRequest { subscription_id: Uuid::from_u128(id), count_max: 1 };
    let full = (1..=20).map(|id| (SENT_AT_ONCE - 1, request(id)));
    let empty = (0, ClaimRequest { count_max: SENT_AT_ONCE, ..request(21) });
    let shared = share(full.chain([empty]).collect(), 2);
    assert_eq!(counts(&shared), [(1, 1), (21, 1)]);
}

#[test]
fn queue_is_sent_in_order_by_a_limited_number_of_tasks() {
    let in_flight = InFlight::default();
    assert_eq!(enqueue(&in_flight, 1, SENT_AT_ONCE + 2).len(), SENT_AT_ONCE);
    assert_eq!(enqueue(&in_flight, 1, 1).len(), 0, "all tasks run");
    assert_eq!((next(&in_flight, 1), next(&in_flight, 1)), (Some((true, 0)), Some((true, 1))));
    let left = std::iter::from_fn(|| next(&in_flight, 1)).count();
    assert_eq!(left, SENT_AT_ONCE + 1, "the queue is empty, and the task ends");
    assert_eq!(enqueue(&in_flight, 1, 2).len(), 1, "another is started");
}

#[tokio::test]
async fn pending_delivery_of_a_failing_or_paused_subscription_is_released() {
    let in_flight = InFlight::default();
    enqueue(&in_flight, 1, 2);
    assert_eq!(next(&in_flight, 1), Some((true, 0)));
    in_flight.pause(Uuid::from_u128(1));
    assert_eq!(
        counts(&in_flight.claim_requests(&[due(1, 0)], at(0))),
        [],
        "the row may have been read before the pause"
    );
    assert_eq!(next(&in_flight, 1), Some((false, 1)));
    (0..2).for_each(|_| finish(&in_flight, 1, None));
    assert_eq!(counts(&in_flight.claim_requests(&[due(1, 0)], at(0))), [(1, CLAIMED_MAX)], "it is resumed");

    enqueue(&in_flight, 2, limits::SUBSCRIPTION_FAILURES_IN_A_ROW + 2);
    let is_sent = || next(&in_flight, 2).expect("one is pending").0;
    for _ in 0..limits::SUBSCRIPTION_FAILURES_IN_A_ROW {
        assert!(is_sent());
        finish(&in_flight, 2, Some(AttemptOutcome::Answered(500)));
    }
    assert!(!is_sent(), "another is in flight");
    finish(&in_flight, 2, None);
    assert!(is_sent(), "one at a time");
    finish(&in_flight, 2, None);
    in_flight.wait_until_empty().await;
}

/// 2026-10-15T12:00:00Z.
fn now() -> Timestamp {
    Timestamp::from_millis(1_792_065_600_000).expect("within the calendar")
}

fn delay_of(step: i64, retry_after: Option<&str>, seed: u64) -> Option<f64> {
    match verdict(
        AttemptOutcome::Answered(503),
        step,
        retry_after,
        now(),
        &Policy::default().retry,
        &Entropy::seeded(seed),
    ) {
        Verdict::Retry { at } => Some((at.millis() - now().millis()) as f64 / 1_000.0),
        Verdict::Exhausted => None,
        Verdict::Delivered => panic!("503 is no success"),
    }
}

#[test]
fn retry_after_gives_more_time_and_never_less() {
    let jittered = delay_of(0, None, 1);
    for (asked, delay) in [
        ("120", Some(120.0)),
        (" 120 ", Some(120.0)),
        ("Thu, 15 Oct 2026 12:10:00 GMT", Some(600.0)),
        ("1", jittered),
        ("0", jittered),
        ("Thu, 15 Oct 2026 11:00:00 GMT", jittered),
        ("soon", jittered),
        ("-5", jittered),
        ("", jittered),
        ("86401", Some(86_400.0)),
        ("99999999999999999999999999", Some(86_400.0)),
        ("Thu, 15 Oct 2099 12:00:00 GMT", Some(86_400.0)),
        // RFC 9110, section 5.6.7: RFC 850 and asctime.
        ("Thursday, 15-Oct-26 12:10:00 GMT", Some(600.0)),
        ("Thu Oct 15 12:10:00 2026", Some(600.0)),
        ("Mon Nov  2 12:00:00 2026", Some(86_400.0)),
        // As curl takes them.
        ("Thu, 15 Oct 2026 14:10:00 +0200", Some(600.0)),
        ("15 Oct 2026 12:10:00 GMT", Some(600.0)),
        ("120.5", Some(120.0)),
        ("120 seconds", Some(120.0)),
    ] {
        assert_eq!(delay_of(0, Some(asked), 1), delay, "{asked:?}");
    }
}

#[test]
fn schedule_of_the_operator_is_followed_without_jitter() {
    let seconds = Duration::from_secs;
    let schedule = RetrySchedule { delays: vec![seconds(0), seconds(7)], jitter: 0.0 };
    let after = |step| verdict(AttemptOutcome::TimeOut, step, None, now(), &schedule, &Entropy::seeded(1));
    assert_eq!(after(0), Verdict::Retry { at: now().after(seconds(7)) });
    assert_eq!(after(1), Verdict::Exhausted);
}
