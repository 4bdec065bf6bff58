//! Retries of failed deliveries, and addresses that are refused when they are called (decisions W3, section 7).

use card_service::base::{GlobalId, HttpUrl, Kind};
use card_service::model::{AttemptOutcome, DeliveryState, Scope, SubscriptionHealth, Topic, WebhookSubscription};

use super::arrival::subscription_id;
use crate::app::TestApp;
use crate::app::mock_server::Reply;

/// Advances the clock to the next attempt.
fn pass_seconds(app: &TestApp, seconds: f64) {
    app.pass(chrono::Duration::milliseconds((seconds * 1_000.0).ceil() as i64));
}

/// The outcomes of the attempts of the only delivery in this state.
async fn outcomes(app: &TestApp, subscription: &str, state: DeliveryState) -> Vec<AttemptOutcome> {
    let [delivery] = app.settle(subscription, state, 1).await.try_into().expect("one delivery");
    let attempts = app.store().attempts_of(delivery.id).await.expect("the store answers");
    assert_eq!(
        attempts.iter().map(|attempt| attempt.number).collect::<Vec<_>>(),
        (1..).take(attempts.len()).collect::<Vec<_>>()
    );
    attempts.iter().map(|attempt| attempt.outcome).collect()
}

on_both_databases! {
    async fn failure_is_tried_again_by_the_schedule_until_it_is_given_up(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(500));
        caller.draft("1").await;
        let hours = 3_600.0;
        let schedule =
            [5.0, 300.0, 1_800.0, 2.0 * hours, 5.0 * hours, 10.0 * hours, 14.0 * hours, 20.0 * hours, 24.0 * hours];
        for (made, delay) in (1..).zip(schedule) {
            let wait = app.next_attempt(&subscription, made).await;
            assert!((0.8..=1.2).contains(&(wait / delay)), "attempt {made}: {wait} s");
            let made = usize::try_from(made).expect("a small number");
            assert_eq!(app.arrivals("/hook").len(), made);
            if made == 1 {
                pass_seconds(&app, wait - 0.002);
                app.assert_quiet("/hook", made).await;
                pass_seconds(&app, 0.002);
            } else {
                pass_seconds(&app, wait);
            }
            app.arrive("/hook", made + 1).await;
        }
        assert_eq!(outcomes(&app, &subscription, DeliveryState::Failed).await, [AttemptOutcome::Answered(500); 10]);
        let arrived = app.arrivals("/hook");
        let attempts: Vec<_> = arrived.iter().map(|a| a.header("x-service-attempt").to_owned()).collect();
        assert_eq!(attempts, (1..=10).map(|n| n.to_string()).collect::<Vec<_>>());
        let ids: std::collections::BTreeSet<_> = arrived.iter().map(|a| a.header("webhook-id").to_owned()).collect();
        assert_eq!(ids.len(), 1, "the id stays on every attempt");
        let timestamps: std::collections::BTreeSet<_> =
            arrived.iter().map(|a| a.header("webhook-timestamp").to_owned()).collect();
        assert_eq!(timestamps.len(), 10, "each attempt is signed afresh");
    }

    async fn failure_of_each_kind_is_recorded_and_retried(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        let elsewhere = app.mock_server().secure_url("/elsewhere");
        app.mock_server().play("/hook", [
            Reply::Reset,
            Reply::Redirect { status: 307, location: elsewhere.clone() },
            Reply::Redirect { status: 301, location: elsewhere },
            Reply::Status(404),
            Reply::Status(200),
        ]);
        caller.draft("1").await;
        for made in 1..=4 {
            let wait = app.next_attempt(&subscription, made).await;
            pass_seconds(&app, wait);
        }
        assert_eq!(outcomes(&app, &subscription, DeliveryState::Delivered).await, [
            AttemptOutcome::NoConnection,
            AttemptOutcome::Answered(307),
            AttemptOutcome::Answered(301),
            AttemptOutcome::Answered(404),
            AttemptOutcome::Answered(200),
        ]);
        assert!(app.arrivals("/elsewhere").is_empty(), "a redirect is not followed");
    }

    async fn response_body_huge_or_endless_is_not_read_and_status_counts(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Unannounced { bytes: 50_000_000 }, Reply::Drip, Reply::Status(204)]);
        for dossier in ["1", "2", "3"] {
            caller.draft(dossier).await;
        }
        app.settle(&subscription, DeliveryState::Delivered, 3).await;
        app.assert_quiet("/hook", 3).await;
    }

    async fn receiver_that_asks_for_time_gets_it(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        let retry_after = |status, value: String| Reply::Told { status, header: ("retry-after", value) };
        let date = app.now().plus(chrono::Duration::seconds(700)).utc().format("%a, %d %b %Y %H:%M:%S GMT").to_string();
        app.mock_server().play("/hook", [retry_after(429, "120".to_owned()), retry_after(503, date), retry_after(429, "1".to_owned()), Reply::Status(200)]);
        caller.draft("1").await;
        let wait = app.next_attempt(&subscription, 1).await;
        assert_eq!(wait, 120.0);
        pass_seconds(&app, wait);
        // A date counts from now, of which 120 seconds have passed.
        let wait = app.next_attempt(&subscription, 2).await;
        assert_eq!(wait, 580.0);
        pass_seconds(&app, wait);
        let wait = app.next_attempt(&subscription, 3).await;
        assert!(wait >= 0.8 * 1_800.0, "less than the schedule is not granted: {wait}");
        pass_seconds(&app, wait);
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
    }

    async fn operator_sends_one_again(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        caller.draft("1").await;
        let [delivery] = app.settle(&subscription, DeliveryState::Delivered, 1).await.try_into().expect("one");
        assert!(app.store().resend(delivery.id, app.now()).await.expect("the store answers"));
        let arrived = app.arrive("/hook", 2).await;
        assert_eq!(arrived[0].seen.body, arrived[1].seen.body);
        assert_eq!(arrived[0].header("webhook-id"), arrived[1].header("webhook-id"));
        assert_eq!(arrived[1].header("x-service-attempt"), "2");
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        assert!(!app.store().resend(subscription_id(&subscription), app.now()).await.expect("the store answers"));
    }

    async fn name_that_leads_inside_is_refused_when_it_is_called(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        // As if these names had led elsewhere when they were subscribed: DNS answers change.
        for host in ["inside.example", "half.example", "mapped.example", "10.0.0.1", "[::ffff:127.0.0.1]", "127.0.0.1:1"] {
            let subscription = WebhookSubscription {
                id: app.services().entropy.uuid(app.now()),
                partner_id: account.id,
                topic: Topic::CardsCreate,
                callback_url: HttpUrl::trusted(format!("https://{host}/hook")),
                api_version: "2026-10".to_owned(),
                test: false,
                created_at: app.now(),
                updated_at: app.now(),
                name: None,
                health: SubscriptionHealth::default(),
            };
            let gid = GlobalId::new(Kind::WebhookSubscription, subscription.id);
            let (partner_id, id) = (account.id, subscription.id);
            app.store().create_subscription(subscription, 20).await.expect("the store answers");
            account.live().await.draft(host).await;
            app.next_attempt(&gid.to_string(), 1).await;
            let refused = outcomes(&app, &gid.to_string(), DeliveryState::Due).await;
            assert_eq!(refused, [AttemptOutcome::Refused], "{host}");
            app.store().delete_subscription(Scope::account(partner_id), id).await.expect("the store answers");
        }
    }
}

on_sqlite! {
    /// Waits for the fifteen seconds in real time.
    async fn receiver_that_never_answers_is_left_after_fifteen_seconds(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Silence, Reply::Status(200)]);
        let began = std::time::Instant::now();
        caller.draft("1").await;
        let wait = app.next_attempt(&subscription, 1).await;
        let elapsed = began.elapsed().as_secs_f64();
        assert!(elapsed >= 14.5, "{elapsed}");
        pass_seconds(&app, wait);
        let outcomes = outcomes(&app, &subscription, DeliveryState::Delivered).await;
        assert_eq!(outcomes, [AttemptOutcome::TimeOut, AttemptOutcome::Answered(200)]);
    }
}
