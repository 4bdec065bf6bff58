//! Rooms: what is claimed of whom, who sends it, and what is handed back.

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
        health: SubscriptionHealth::default(),
    };
    DueSubscription { subscription, failure_count }
}

fn counts(orders: &[ClaimOrder]) -> Vec<(u128, usize)> {
    let mut counts: Vec<_> = orders.iter().map(|o| (o.subscription_id.as_u128(), o.count_max)).collect();
    counts.sort();
    counts
}

fn rooms() -> Arc<Rooms<usize>> {
    Arc::default()
}

fn enter(rooms: &Arc<Rooms<usize>>, id: u128, count: usize) -> Vec<Sender<usize>> {
    rooms.enter((0..count).map(|item| (Uuid::from_u128(id), item)), at(0))
}

fn leave(rooms: &Rooms<usize>, id: u128, outcome: Option<AttemptOutcome>) {
    let subscription_id = Uuid::from_u128(id);
    if let Some(outcome) = outcome {
        let attempt = Attempt { delivery_id: Uuid::nil(), number: 1, started_at: at(0), duration_ms: 1, outcome };
        rooms.tried(subscription_id, &attempt);
    }
    rooms.leave([subscription_id]);
}

/// Lets a subscription answer so well that it may be claimed ahead as far as anybody.
fn answer_well(rooms: &Arc<Rooms<usize>>, id: u128) {
    for _ in 0..=limits::DELIVERIES_AHEAD_MAX {
        enter(rooms, id, 1);
        leave(rooms, id, Some(AttemptOutcome::Answered(200)));
    }
}

#[test]
fn subscription_that_takes_nothing_holds_its_own_places_and_no_more() {
    let rooms = rooms();
    let subscriptions = [due(1, 0), due(2, 0)];
    assert_eq!(counts(&rooms.orders(&subscriptions, at(0))), [(1, SENT_AT_ONCE), (2, SENT_AT_ONCE)]);
    enter(&rooms, 1, SENT_AT_ONCE);
    assert_eq!(counts(&rooms.orders(&subscriptions, at(0))), [(2, SENT_AT_ONCE)]);
}

#[test]
fn subscription_that_answers_well_is_claimed_ahead_up_to_a_limit() {
    let rooms = rooms();
    answer_well(&rooms, 1);
    assert_eq!(rooms.lock()[&Uuid::from_u128(1)].ahead, limits::DELIVERIES_AHEAD_MAX);
    let orders = in_one_transaction(rooms.orders(&[due(1, 0)], at(0)));
    assert_eq!(counts(&orders), [(1, limits::DELIVERIES_CLAIMED_AT_ONCE)]);
    enter(&rooms, 1, 1);
    leave(&rooms, 1, Some(AttemptOutcome::Answered(500)));
    assert_eq!(counts(&rooms.orders(&[due(1, 1)], at(0))), [(1, SENT_AT_ONCE)]);
}

#[test]
fn receiver_that_takes_its_time_is_claimed_ahead_as_far_as_it_comes_in_a_while() {
    let (pace, most) = (limits::DELIVERIES_AHEAD.as_millis() as i64, limits::DELIVERIES_AHEAD_MAX);
    for (duration_ms, ahead) in
        [(0, most), (1, most), (pace / 10, 10 * SENT_AT_ONCE), (pace, SENT_AT_ONCE), (pace + 1, 0)]
    {
        assert_eq!(ahead_max(duration_ms), ahead, "{duration_ms} ms");
    }
}

#[test]
fn subscription_that_fails_and_fails_is_tried_one_at_a_time_with_pauses() {
    let rooms = rooms();
    let many = i64::try_from(limits::SUBSCRIPTION_FAILURES_IN_A_ROW).expect("a small number");
    assert_eq!(counts(&rooms.orders(&[due(1, many)], at(0))), [(1, 1)], "as other replicas saw it");
    enter(&rooms, 1, 1);
    assert_eq!(counts(&rooms.orders(&[due(1, many)], at(10_000))), [], "one is under way");
    leave(&rooms, 1, Some(AttemptOutcome::TimeOut));
    assert_eq!(counts(&rooms.orders(&[due(1, many)], at(999))), []);
    assert_eq!(counts(&rooms.orders(&[due(1, many)], at(1_000))), [(1, 1)]);
    enter(&rooms, 1, 1);
    leave(&rooms, 1, Some(AttemptOutcome::Answered(204)));
    assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(1_000))), [(1, SENT_AT_ONCE + 1)], "it is well again");
}

#[test]
fn room_for_all_is_shared_however_many_they_are() {
    let rooms = rooms();
    let many = limits::DELIVERIES_UNDER_WAY_MAX as u128 - 24;
    let subscriptions: Vec<_> = (1..=many).map(|id| due(id, 0)).collect();
    loop {
        let orders = in_one_transaction(rooms.orders(&subscriptions, at(0)));
        let claimed: usize = orders.iter().map(|order| order.count_max).sum();
        assert!(claimed <= limits::DELIVERIES_CLAIMED_AT_ONCE, "{claimed}");
        assert!(orders.iter().all(|order| order.count_max <= 2), "nobody takes it all");
        if orders.is_empty() {
            break;
        }
        for order in orders {
            enter(&rooms, order.subscription_id.as_u128(), order.count_max);
        }
    }
    assert_eq!(rooms.under_way(), limits::DELIVERIES_UNDER_WAY_MAX);
    let served = rooms.lock().values().filter(|room| room.under_way > 0).count();
    assert_eq!(served, subscriptions.len());
}

#[test]
fn far_ahead_more_is_claimed_when_a_quarter_is_missing() {
    let rooms = rooms();
    answer_well(&rooms, 1);
    let all = SENT_AT_ONCE + limits::DELIVERIES_AHEAD_MAX;
    enter(&rooms, 1, all - all / 4 + 1);
    assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), []);
    leave(&rooms, 1, None);
    assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), [(1, all / 4)]);
    rooms.was_too_far_ahead(Uuid::from_u128(1));
    assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), [], "what is claimed is enough for now");
}

#[test]
fn claims_ahead_leave_room_for_everybody_else() {
    let rooms = rooms();
    let busy: Vec<_> = (1..=3).map(|id| due(id, 0)).collect();
    (1..=3).for_each(|id| answer_well(&rooms, id));
    loop {
        let orders = in_one_transaction(rooms.orders(&busy, at(0)));
        let claimed: usize = orders.iter().map(|order| order.count_max).sum();
        assert!(claimed <= limits::DELIVERIES_CLAIMED_AT_ONCE, "{claimed}");
        if orders.is_empty() {
            break;
        }
        for order in orders {
            enter(&rooms, order.subscription_id.as_u128(), order.count_max);
        }
    }
    let half = limits::DELIVERIES_UNDER_WAY_MAX / 2;
    assert!((half..=half + 3 * SENT_AT_ONCE).contains(&rooms.under_way()), "{}", rooms.under_way());
    let four: Vec<_> = (1..=4).map(|id| due(id, 0)).collect();
    assert_eq!(counts(&rooms.orders(&four, at(0))), [(4, SENT_AT_ONCE)]);
}

#[test]
fn few_are_claimed_for_at_once_but_for_those_as_many_as_they_can_send() {
    let subscriptions: Vec<_> = (1..=200).map(|id| due(id, 0)).collect();
    let orders = in_one_transaction(rooms().orders(&subscriptions, at(0)));
    assert!(orders.iter().all(|order| order.count_max == SENT_AT_ONCE));
    assert_eq!(orders.len(), limits::DELIVERIES_CLAIMED_AT_ONCE / SENT_AT_ONCE);
}

#[test]
fn when_little_is_free_it_goes_to_those_who_have_least() {
    let order = |id: u128| ClaimOrder { subscription_id: Uuid::from_u128(id), count_max: 1 };
    let full = (1..=20).map(|id| (SENT_AT_ONCE - 1, order(id)));
    let empty = (0, ClaimOrder { count_max: SENT_AT_ONCE, ..order(21) });
    let shared = share(full.chain([empty]).collect(), 2);
    assert_eq!(counts(&shared), [(1, 1), (21, 1)]);
}

#[test]
fn queue_is_worked_off_in_order_by_no_more_senders_than_may_send_at_once() {
    let rooms = rooms();
    let mut senders = enter(&rooms, 1, SENT_AT_ONCE + 2);
    assert_eq!(senders.len(), SENT_AT_ONCE);
    assert_eq!(enter(&rooms, 1, 1).len(), 0, "all are at work");
    assert_eq!(senders[0].next(), Some(Next::Send(0)));
    assert_eq!(senders[1].next(), Some(Next::Send(1)));
    let left = std::iter::from_fn(|| senders[0].next()).count();
    assert_eq!(left, SENT_AT_ONCE + 1, "the queue is empty, and the sender has gone");
    assert_eq!(enter(&rooms, 1, 2).len(), 1, "another takes its place");
}

#[tokio::test]
async fn what_a_sender_lost_is_under_way_no_more() {
    let rooms = rooms();
    let mut senders = enter(&rooms, 1, 2);
    assert_eq!((senders[0].next(), rooms.under_way()), (Some(Next::Send(0)), 2));
    senders[0].lost();
    assert_eq!((senders[0].next(), rooms.under_way()), (Some(Next::Send(1)), 1));
    leave(&rooms, 1, None);
    rooms.empty().await;
}

#[tokio::test]
async fn claimed_delivery_of_a_subscription_that_fails_or_was_paused_is_handed_back() {
    let rooms = rooms();
    let mut senders = enter(&rooms, 1, 2);
    assert_eq!(senders[0].next(), Some(Next::Send(0)));
    rooms.close(Uuid::from_u128(1));
    assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), [], "who read that it goes on may have read it before");
    assert_eq!(senders[0].next(), Some(Next::HandBack(1)));
    (0..2).for_each(|_| leave(&rooms, 1, None));
    assert_eq!(counts(&rooms.orders(&[due(1, 0)], at(0))), [(1, SENT_AT_ONCE)], "it goes on");

    let mut failing = enter(&rooms, 2, limits::SUBSCRIPTION_FAILURES_IN_A_ROW + 2);
    for _ in 0..limits::SUBSCRIPTION_FAILURES_IN_A_ROW {
        assert!(matches!(failing[0].next(), Some(Next::Send(_))));
        leave(&rooms, 2, Some(AttemptOutcome::Answered(500)));
    }
    assert!(matches!(failing[0].next(), Some(Next::HandBack(_))), "another is under way");
    leave(&rooms, 2, None);
    assert!(matches!(failing[0].next(), Some(Next::Send(_))), "one at a time");
    leave(&rooms, 2, None);
    rooms.empty().await;
}
