//! Two partners, and the two modes of one partner: an object that a key may not see reads like a missing one.

use card_service::base::{GlobalId, Kind};
use card_service::model::DeliveryState;
use serde_json::json;

use super::root_field::{Question, Target, questions_of};
use crate::app::{Caller, TestApp, tamper};
use crate::schema::versions;

/// The caller that asks about an object of another owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outsider {
    /// Another partner.
    OtherPartner,
    /// The same partner, with a test key about live data.
    OtherMode,
}

impl Outsider {
    /// Returns whether the field answers TAKEN: a dossier number and a callback address are unique across the modes of one
    /// account (decisions K3, W5).
    fn is_refused_as_taken(self, question: &Question) -> bool {
        let unique = matches!(question.field, "cardCreate" | "webhookSubscriptionCreate");
        self == Outsider::OtherMode && unique && !question.names_id()
    }
}

/// Asks two outsiders, one about a foreign object and one about a missing one, and asserts that the answers are equal.
async fn ask(
    question: &Question,
    version: &str,
    outsider: Outsider,
    asked: [(&Target, &(Caller, String)); 2],
    foreign: &Target,
) {
    let at = format!("{version} {} {outsider:?}", question.field);
    let mut answers = Vec::new();
    for (target, (caller, own)) in asked {
        let named = (question.names)(target);
        let variables = json!({ "id": named, "value": named, "own": own });
        let answer = caller.graphql(question.document, variables).await;
        assert_eq!(answer.status, 200, "{at}: {}", answer.text());
        assert!(!answer.text().contains(&foreign.card), "{at}: {}", answer.text());
        let holds = answer.text().contains(&foreign.subscription) && named != foreign.subscription;
        assert!(!holds, "{at}: {}", answer.text());
        let bare = format!("{:?}", answer.bare());
        answers.push(match named.as_str().unwrap_or_default() {
            "" => bare,
            named => bare.replace(named, "<named>"),
        });
    }
    if outsider.is_refused_as_taken(question) {
        assert!(answers[1].contains("TAKEN") && !answers[0].contains("TAKEN"), "{at}: {answers:?}");
        return;
    }
    assert_eq!(answers[0], answers[1], "{at}");
    let hidden = answers[0].contains(r#"\"answer\":null"#) || answers[0].contains("NOT_FOUND");
    assert_eq!(hidden, question.names_object(), "{at}: {}", answers[0]);
}

on_both_databases! {
    async fn foreign_object_reads_like_a_missing_one_in_every_field(app: TestApp) {
        let missing = Target {
            card: "gid://service/Card/00000000-0000-7000-8000-000000000000".to_owned(),
            subscription: "gid://service/WebhookSubscription/00000000-0000-7000-8000-000000000000".to_owned(),
            delivery: "gid://service/WebhookDelivery/00000000-0000-7000-8000-000000000000".to_owned(),
            theme: "gid://service/Card/00000000-0000-7000-8000-000000000000".to_owned(),
            dossier: "2026-0143".to_owned(),
            callback: "https://hooks.example/up".to_owned(),
        };
        for (version, sdl) in versions() {
            for outsider in [Outsider::OtherPartner, Outsider::OtherMode] {
                let partner = app.partner(&format!("Noord {version} {outsider:?}")).await;
                let ours = partner.live().await;
                let subscription = ours.subscribe("CARDS_CREATE", "https://hooks.example/in").await;
                // Its notifications wait.
                let pause = "UPDATE webhook_subscriptions SET paused_at = created_at, pause_reason = 'GONE'";
                tamper(app.database_url(), pause).await;
                let card = ours.draft("2026-0142").await;
                let [delivery] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
                let foreign = Target {
                    theme: card.clone(),
                    card: card.clone(),
                    subscription: subscription.clone(),
                    delivery: GlobalId::new(Kind::WebhookDelivery, delivery.id).to_string(),
                    dossier: "2026-0142".to_owned(),
                    callback: "https://hooks.example/in".to_owned(),
                };
                let before = app.row(&card).await;
                // Two outsiders, so that the effects of one question do not change the answer to the other. They
                // use test keys, because live keys see no candidate version.
                let mut outsiders = Vec::new();
                for name in ["Zuid", "West"] {
                    let account = match (outsider, name) {
                        (Outsider::OtherMode, "West") => partner.clone(),
                        _ => app.partner(&format!("{name} {version} {outsider:?}")).await,
                    };
                    let caller = account.test().await.on_version(&version);
                    let own = caller.draft("own").await;
                    outsiders.push((caller, own));
                }
                for question in questions_of(&sdl) {
                    let asked = [(&missing, &outsiders[0]), (&foreign, &outsiders[1])];
                    ask(question, &version, outsider, asked, &foreign).await;
                }
                assert_eq!(app.row(&card).await, before);
                assert_eq!(app.topics(&card).await, ["CARDS_CREATE"]);
                let mut due = app.deliveries(&subscription, DeliveryState::Due).await;
                due.retain(|one| one.card_id == delivery.card_id); // a live subscription also gets the account's test cards
                assert_eq!(due, [delivery]);
                assert_eq!(ours.unsubscribe(&subscription).await.1, [], "the subscription is still there");
            }
        }
    }
}
