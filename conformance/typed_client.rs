//! The day of a partner whose programs use typed clients (the crate `client`).

use client::{
    ByIdVariables, CardCreate, CardCreateInput, CardCreateVariables, CardQuery, CardSessionCreate,
    CardSessionCreateVariables, CardSessionTarget, CardStatus, CardUpdate, CardUpdateInput, CardUpdateVariables,
    CardUserErrorCode, DeceasedInput, FamilyContactInput, Node, NodeQuery, ThemeQuery, ThemesQuery, ThemesVariables,
    WebhookSubscriptionCreate, WebhookSubscriptionCreateVariables, WebhookSubscriptionDelete, WebhookSubscriptionInput,
    WebhookSubscriptionTopic, WebhookSubscriptionsQuery, WebhookSubscriptionsVariables,
};
use cynic::{GraphQlResponse, MutationBuilder, Operation, QueryBuilder};

use crate::app::{Caller, TestApp};

/// Sends an operation and asserts an answer without errors.
async fn run<F: serde::de::DeserializeOwned, V: serde::Serialize>(caller: &Caller, operation: Operation<F, V>) -> F {
    let answer = caller.send(serde_json::to_string(&operation).expect("an operation is JSON")).await;
    let response: GraphQlResponse<F> = serde_json::from_slice(&answer.body)
        .unwrap_or_else(|e| panic!("the answer has its shape ({e}): {}", answer.text()));
    assert!(response.errors.is_none(), "{}", answer.text());
    response.data.expect("data")
}

on_both_databases! {
    /// The main path of section 1, in the partner's own types.
    async fn partners_day_runs_through_typed_clients(app: TestApp) {
        let live = app.live().await;
        app.theme("linnen", 1).await;

        let themes = run(&live, ThemesQuery::build(ThemesVariables { first: Some(10), after: None })).await.themes;
        let theme = themes.nodes.first().expect("a theme");
        assert_eq!((theme.handle.as_str(), themes.page_info.has_next_page), ("linnen", false));
        let by_number = ThemeQuery::build(ByIdVariables { id: theme.legacy_resource_id.clone().into() });
        assert_eq!(run(&live, by_number).await.theme.expect("a theme").id, theme.id);

        let subscribe = WebhookSubscriptionCreate::build(WebhookSubscriptionCreateVariables {
            topic: WebhookSubscriptionTopic::CardsOrdered,
            webhook_subscription: WebhookSubscriptionInput { callback_url: app.mock_server().secure_url("/in").as_str().into() },
        });
        let made = run(&live, subscribe).await.webhook_subscription_create.expect("a payload");
        assert!(made.user_errors.is_empty());
        let subscription = made.webhook_subscription.expect("a subscription");

        let create = || CardCreate::build(CardCreateVariables {
            input: CardCreateInput {
                external_dossier_id: "2026-0142".to_owned(),
                theme_id: Some(theme.id.clone()),
                deceased: Some(DeceasedInput {
                    first_name: Some("Aaltje".to_owned()),
                    date_of_birth: Some("1940-02-29".into()),
                }),
                family_contact: Some(FamilyContactInput { email: Some("jan@voorbeeld.nl".to_owned()) }),
            },
        });
        let made = run(&live, create()).await.card_create.expect("a payload");
        let card = made.card.expect("a card");
        assert_eq!((card.status, card.test), (CardStatus::Draft, false));
        assert_eq!(card.theme.as_ref().map(|theme| &theme.id), Some(&theme.id));
        let again = run(&live, create()).await.card_create.expect("a payload");
        assert_eq!(again.user_errors[0].code, Some(CardUserErrorCode::Taken));
        let path = ["input", "externalDossierId"].map(str::to_owned);
        assert_eq!(again.user_errors[0].field.as_deref(), Some(&path[..]));
        assert!(again.card.is_none());

        let update = CardUpdate::build(CardUpdateVariables {
            id: card.id.clone(),
            input: CardUpdateInput { livestream_url: Some("https://live.example/1".into()) },
        });
        let updated = run(&live, update).await.card_update.expect("a payload").card.expect("a card");
        assert_eq!(updated.livestream_url.map(|url| url.0).as_deref(), Some("https://live.example/1"));
        assert_eq!(updated.deceased.first_name.as_deref(), Some("Aaltje"));

        for target in [CardSessionTarget::Customizer, CardSessionTarget::InviteeList] {
            let session = CardSessionCreate::build(CardSessionCreateVariables { card_id: card.id.clone(), target });
            let session = run(&live, session).await.card_session_create.expect("a payload").card_session;
            let session = session.expect("a session");
            assert_eq!((session.target, session.expires_at.0.as_str()), (target, "2026-11-10T08:40:00.000Z"));
        }

        app.order(card.id.inner()).await;
        app.activate(card.id.inner()).await;
        let read = run(&live, CardQuery::build(ByIdVariables { id: card.id.clone() })).await.card.expect("a card");
        assert_eq!(read.status, CardStatus::Active);
        assert!(read.card_url.is_some());
        let node = run(&live, NodeQuery::build(ByIdVariables { id: card.id.clone() })).await.node;
        assert!(matches!(node, Some(Node::Card(found)) if found.id == card.id));

        let listed = run(&live, WebhookSubscriptionsQuery::build(WebhookSubscriptionsVariables {
            topics: Some(vec![WebhookSubscriptionTopic::CardsOrdered]),
        }));
        let nodes = listed.await.webhook_subscriptions.nodes;
        assert_eq!(nodes.iter().map(|node| &node.id).collect::<Vec<_>>(), [&subscription.id]);
        let delete = WebhookSubscriptionDelete::build(ByIdVariables { id: subscription.id.clone() });
        let deleted = run(&live, delete).await.webhook_subscription_delete.expect("a payload");
        assert_eq!(deleted.deleted_webhook_subscription_id, Some(subscription.id));
        assert!(deleted.user_errors.is_empty());
    }
}
