//! Two partners: neither can tell the other's objects from objects that do not exist.

use serde_json::json;

use super::root_field::{QUESTIONS, Target};
use crate::app::{Answer, TestApp};

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

on_both_databases! {
    async fn foreign_object_is_answered_like_a_missing_one_by_every_root_field(app: TestApp) {
        let ours = app.partner("Noord").await.live().await;
        let card = ours.draft("2026-0142").await;
        let subscription = ours.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
        let missing = Target {
            card: "gid://service/Card/00000000-0000-7000-8000-000000000000".to_owned(),
            subscription: "gid://service/WebhookSubscription/00000000-0000-7000-8000-000000000000".to_owned(),
            theme: "gid://service/Card/00000000-0000-7000-8000-000000000000".to_owned(),
            dossier: "2026-0143".to_owned(),
            callback: "https://hooks.example/up".to_owned(),
        };
        let foreign = Target {
            theme: card.clone(),
            card: card.clone(),
            subscription: subscription.clone(),
            dossier: "2026-0142".to_owned(),
            callback: "https://hooks.example/in".to_owned(),
        };
        let before = app.row(&card).await;
        // Two strangers, so that what one question leaves behind is not seen by the other.
        let strangers = [app.partner("Zuid").await.live().await, app.partner("West").await.live().await];
        let own = [strangers[0].draft("own").await, strangers[1].draft("own").await];
        for question in QUESTIONS {
            let mut answers = Vec::new();
            for ((target, stranger), own) in [&missing, &foreign].into_iter().zip(&strangers).zip(&own) {
                let named = (question.names)(target);
                let variables = json!({ "id": named, "value": named, "own": own });
                let answer = stranger.graphql(question.document, variables).await;
                assert_eq!(answer.status, 200, "{}: {}", question.field, answer.text());
                assert!(!answer.text().contains(&card), "{}: {}", question.field, answer.text());
                answers.push(bare(&answer, named.as_str().unwrap_or_default()));
            }
            assert_eq!(answers[0], answers[1], "{}", question.field);
            let hidden = answers[0].contains("\"answer\":null") || answers[0].contains("NOT_FOUND");
            let names_object = question.names_id();
            assert_eq!(hidden, names_object, "{}: {}", question.field, answers[0]);
        }
        assert_eq!(app.row(&card).await, before);
        assert_eq!(app.topics(&card).await, ["CARDS_CREATE"]);
        assert_eq!(ours.unsubscribe(&subscription).await.1, [], "the subscription is still there");
    }
}
