//! The service connects to public addresses only (decisions, section 7); the check is made when it connects.

use card_service::base::HttpUrl;
use card_service::model::{AttemptOutcome, Scope, SubscriptionHealth, Topic, WebhookSubscription};

use crate::app::TestApp;

on_both_databases! {
    async fn name_that_leads_inside_is_refused_when_it_is_called(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        app.secret(account.id).await;
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
                health: SubscriptionHealth::default(),
            };
            let gid = card_service::base::GlobalId::new(card_service::base::Kind::WebhookSubscription, subscription.id);
            let (partner_id, id) = (account.id, subscription.id);
            app.store().create_subscription(subscription, 20).await.expect("the store answers");
            account.live().await.draft(host).await;
            app.next_attempt(&gid.to_string(), 1).await;
            let due = card_service::model::DeliveryState::Due;
            let [delivery] = app.deliveries(&gid.to_string(), due).await.try_into().expect("one");
            let attempts = app.store().attempts_of(delivery.id).await.expect("the store answers");
            assert_eq!(attempts.iter().map(|a| a.outcome).collect::<Vec<_>>(), [AttemptOutcome::Refused], "{host}");
            app.store().delete_subscription(Scope::account(partner_id), id).await.expect("the store answers");
        }
    }
}
