//! The client of version 2027-01: what it adds, and the day of a partner that looks after its notifications.

mod types;

use card_service::model::DeliveryState;
use cynic::{MutationBuilder, QueryBuilder};

use self::types::{
    ByDossierVariables, ByIdVariables, CardByDossierQuery, CardStatus, Node, NodeQuery, WebhookDeliveryAttemptOutcome,
    WebhookDeliveryRedeliver, WebhookDeliveryState, WebhookDeliveryUserErrorCode, WebhookSubscriptionPauseReason,
    WebhookSubscriptionQuery, WebhookSubscriptionStatus, WebhookSubscriptionUpdate, WebhookSubscriptionUpdateInput,
    WebhookSubscriptionUpdateVariables, WebhookSubscriptionUserErrorCode, WebhookSubscriptionVariables,
};
use super::run;
use crate::app::TestApp;
use crate::app::mock_server::Reply;

#[allow(clippy::all, dead_code, non_camel_case_types, non_snake_case)]
pub mod schema {
    cynic::use_schema!("schema/2027-01.graphql");
}

on_both_databases! {
    async fn partner_follows_its_notifications_through_typed_clients(app: TestApp) {
        let (caller, id) = app.follower_on_2027_01("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(200), Reply::Status(410)]);
        let card = caller.draft("2026-0142").await;
        let [arrived] = app.settle(&id, DeliveryState::Delivered, 1).await.try_into().expect("one");

        let by_dossier = |number: &str| {
            CardByDossierQuery::build(ByDossierVariables { external_dossier_id: number.to_owned() })
        };
        let found = run(&caller, by_dossier("2026-0142")).await.card_by_external_dossier_id.expect("a card");
        assert_eq!((found.id.inner(), found.status), (card.as_str(), CardStatus::Draft));
        assert!(found.ordered_at.is_none() && found.activated_at.is_none());
        assert!(run(&caller, by_dossier("2026-0143")).await.card_by_external_dossier_id.is_none());

        let read = || {
            WebhookSubscriptionQuery::build(WebhookSubscriptionVariables {
                id: id.clone().into(), first: Some(10), after: None,
            })
        };
        let subscription = run(&caller, read()).await.webhook_subscription.expect("a subscription");
        assert_eq!(subscription.status, WebhookSubscriptionStatus::Active);
        let [delivery] = &subscription.webhook_deliveries.nodes[..] else { panic!("{subscription:?}") };
        assert_eq!((delivery.state, delivery.attempt_count), (WebhookDeliveryState::Delivered, 1));
        assert_eq!(delivery.card_id.inner(), card);
        assert_eq!(delivery.attempts[0].outcome, WebhookDeliveryAttemptOutcome::Delivered);
        assert_eq!(delivery.attempts[0].http_status, Some(200));
        assert!(!subscription.webhook_deliveries.page_info.has_next_page);
        let node = run(&caller, NodeQuery::build(ByIdVariables { id: delivery.id.clone() })).await.node;
        assert!(matches!(node, Some(Node::WebhookDelivery(found)) if found.event_id == delivery.event_id));

        // The address goes away.
        caller.draft("2026-0143").await;
        app.next_attempt(&id, 1).await;
        let paused = run(&caller, read()).await.webhook_subscription.expect("a subscription");
        assert_eq!(paused.status, WebhookSubscriptionStatus::Paused);
        assert_eq!(paused.pause_reason, Some(WebhookSubscriptionPauseReason::Gone));
        assert!(paused.paused_at.is_some());
        let redeliver = || WebhookDeliveryRedeliver::build(ByIdVariables { id: delivery.id.clone() });
        let refused = run(&caller, redeliver()).await.webhook_delivery_redeliver.expect("a payload");
        assert_eq!(refused.user_errors[0].code, Some(WebhookDeliveryUserErrorCode::Unprocessable));

        let update = |url: &str| {
            WebhookSubscriptionUpdate::build(WebhookSubscriptionUpdateVariables {
                id: id.clone().into(),
                webhook_subscription: WebhookSubscriptionUpdateInput { callback_url: Some(url.into()) },
            })
        };
        let wrong = run(&caller, update("http://hooks.example/")).await.webhook_subscription_update.expect("a payload");
        assert_eq!(wrong.user_errors[0].code, Some(WebhookSubscriptionUserErrorCode::Invalid));
        app.mock_server().on("/moved", Reply::Status(200));
        let moved = update(&app.mock_server().secure_url("/moved"));
        let moved = run(&caller, moved).await.webhook_subscription_update.expect("a payload");
        assert_eq!(moved.webhook_subscription.expect("a subscription").status, WebhookSubscriptionStatus::Active);
        app.arrive("/moved", 1).await;

        let again = run(&caller, redeliver()).await.webhook_delivery_redeliver.expect("a payload");
        assert!(again.user_errors.is_empty());
        assert_eq!(again.webhook_delivery.expect("a delivery").id, delivery.id);
        app.arrive("/moved", 2).await;
        let delivered = app.settle(&id, DeliveryState::Delivered, 2).await;
        assert!(delivered.iter().any(|one| one.id == arrived.id && one.attempt_count == 2));
    }
}
