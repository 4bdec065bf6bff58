//! Two partners: neither can tell the other's objects from objects that do not exist.

use card_service::base::{GlobalId, Kind};
use card_service::model::DeliveryState;
use serde_json::json;

use super::root_field::{Question, Target, questions_of};
use crate::app::{Answer, Caller, TestApp};
use crate::schema::versions;

/// An answer without what differs between any two answers, and without what was asked for.
fn bare(answer: &Answer, named: &str) -> String {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| !["x-request-id", "date", "content-length"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name}: {}", value.to_str().expect("ASCII")))
        .collect();
    headers.sort();
    let mut body = answer.text().replace(answer.header("x-request-id").expect("a request id"), "<request>");
    if !named.is_empty() {
        body = body.replace(named, "<named>");
    }
    format!("{} {headers:?} {body}", answer.status)
}

/// Asks two strangers, one about what is another partner's and one about what is missing: no difference is seen.
async fn ask(question: &Question, version: &str, asked: [(&Target, &(Caller, String)); 2], foreign: &Target) {
    let mut answers = Vec::new();
    for (target, (stranger, own)) in asked {
        let named = (question.names)(target);
        let variables = json!({ "id": named, "value": named, "own": own });
        let answer = stranger.graphql(question.document, variables).await;
        assert_eq!(answer.status, 200, "{version} {}: {}", question.field, answer.text());
        assert!(!answer.text().contains(&foreign.card), "{version} {}: {}", question.field, answer.text());
        answers.push(bare(&answer, named.as_str().unwrap_or_default()));
    }
    assert_eq!(answers[0], answers[1], "{version} {}", question.field);
    let hidden = answers[0].contains("\"answer\":null") || answers[0].contains("NOT_FOUND");
    assert_eq!(hidden, question.names_object(), "{version} {}: {}", question.field, answers[0]);
}

on_both_databases! {
    async fn foreign_object_is_answered_like_a_missing_one_by_every_root_field(app: TestApp) {
        let ours = app.partner("Noord").await.live().await;
        let subscription = ours.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let card = ours.draft("2026-0142").await;
        let [delivery] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        let missing = Target {
            card: "gid://service/Card/00000000-0000-7000-8000-000000000000".to_owned(),
            subscription: "gid://service/WebhookSubscription/00000000-0000-7000-8000-000000000000".to_owned(),
            delivery: "gid://service/WebhookDelivery/00000000-0000-7000-8000-000000000000".to_owned(),
            theme: "gid://service/Card/00000000-0000-7000-8000-000000000000".to_owned(),
            dossier: "2026-0143".to_owned(),
            callback: "https://hooks.example/up".to_owned(),
        };
        let foreign = Target {
            theme: card.clone(),
            card: card.clone(),
            subscription: subscription.clone(),
            delivery: GlobalId::new(Kind::WebhookDelivery, delivery.id).to_string(),
            dossier: "2026-0142".to_owned(),
            callback: "https://hooks.example/in".to_owned(),
        };
        let before = app.row(&card).await;
        for (version, sdl) in versions() {
            // Two strangers, so that what one question leaves behind is not seen by the other; with test keys, because
            // live ones see no candidate.
            let mut strangers = Vec::new();
            for name in ["Zuid", "West"] {
                let stranger = app.partner(&format!("{name} {version}")).await.test().await.on_version(&version);
                let own = stranger.draft("own").await;
                strangers.push((stranger, own));
            }
            for question in questions_of(&sdl) {
                ask(question, &version, [(&missing, &strangers[0]), (&foreign, &strangers[1])], &foreign).await;
            }
        }
        assert_eq!(app.row(&card).await, before);
        assert_eq!(app.topics(&card).await, ["CARDS_CREATE"]);
        assert_eq!(app.deliveries(&subscription, DeliveryState::Due).await, [delivery]);
        assert_eq!(ours.unsubscribe(&subscription).await.1, [], "the subscription is still there");
    }
}
