//! webhook/subscribe and webhook/unsubscribe.

use super::*;
use crate::base::{GlobalId, Kind, limits};
use crate::model::{Topic, WebhookSubscription, text};
use crate::operation::webhook::{self, Subscribe};

const FIELD: [&str; 2] = ["webhookSubscription", "callbackUrl"];

impl Fixture {
    async fn subscribe(&self, topic: Topic, address: &str) -> Result<WebhookSubscription, OperationError> {
        let callback_url = Parsed::Value(HttpUrl::parse(address).expect("an address"));
        webhook::subscribe(&self.services, &self.caller, Subscribe { topic, callback_url }).await
    }
}

fn message<T: std::fmt::Debug>(result: Result<T, OperationError>) -> (UserErrorCode, String) {
    match result {
        Err(OperationError::Refused(errors)) => match <[_; 1]>::try_from(errors) {
            Ok([error]) => {
                assert_eq!(error.field, FIELD);
                (error.code, error.message)
            }
            Err(errors) => panic!("one error was expected: {errors:?}"),
        },
        other => panic!("the input is wrong, and was answered with {other:?}"),
    }
}

#[tokio::test]
async fn subscription_is_kept_as_written_in_the_version_of_the_request() {
    let fixture = Fixture::new().await;
    let address = "https://Hooks.voorbeeld.nl:443/melding";
    let made = fixture.subscribe(Topic::CardsOrdered, address).await.expect("the address is right");
    let stored = fixture.services.store.subscription(fixture.caller.scope(), made.id).await;
    assert_eq!(stored.expect("the store works"), Some(made.clone()));
    assert_eq!((made.callback_url.as_str(), made.api_version.as_str()), (address, "2026-10"));
}

#[tokio::test]
async fn subscription_of_an_address_outbound_would_not_call_names_the_rule() {
    let fixture = Fixture::new().await;
    for (address, rule) in [
        ("https://127.0.0.1/", text::CALLBACK_NOT_PUBLIC),
        ("https://[::1]/", text::CALLBACK_NOT_PUBLIC),
        ("https://localhost/", text::CALLBACK_NOT_PUBLIC),
        ("https://onbekend.voorbeeld.nl/", text::CALLBACK_UNRESOLVED),
        ("http://hooks.voorbeeld.nl/", text::CALLBACK_NOT_HTTPS),
    ] {
        let told = message(fixture.subscribe(Topic::CardsCreate, address).await);
        assert_eq!(told, (UserErrorCode::Invalid, rule.to_owned()), "{address}");
    }
}

#[tokio::test]
async fn subscription_is_taken_by_topic_and_normalised_address_within_the_account() {
    let mut fixture = Fixture::new().await;
    fixture.subscribe(Topic::CardsCreate, "https://hooks.voorbeeld.nl").await.expect("the first");
    let again = fixture.subscribe(Topic::CardsCreate, "https://HOOKS.voorbeeld.nl:443/").await;
    assert_eq!(message(again), (UserErrorCode::Taken, text::CALLBACK_TAKEN.to_owned()));
    fixture.subscribe(Topic::CardsUpdate, "https://hooks.voorbeeld.nl").await.expect("another topic");
    fixture.subscribe(Topic::CardsCreate, "https://hooks.voorbeeld.nl/b").await.expect("another address");
    fixture.caller = Fixture::partner(&fixture.services, "ander").await;
    fixture.subscribe(Topic::CardsCreate, "https://hooks.voorbeeld.nl").await.expect("another partner");
}

#[tokio::test]
async fn subscription_beyond_the_most_on_a_topic_is_refused() {
    let fixture = Fixture::new().await;
    let max = limits::SUBSCRIPTIONS_PER_TOPIC_MAX;
    let address = |n: usize| format!("https://hooks.voorbeeld.nl/{n}");
    for n in 0..max {
        fixture.subscribe(Topic::CardsCreate, &address(n)).await.expect("there is room");
    }
    let one_more = fixture.subscribe(Topic::CardsCreate, &address(max)).await;
    assert_eq!(message(one_more), (UserErrorCode::Invalid, text::too_many_subscriptions(max)));
    let again = fixture.subscribe(Topic::CardsCreate, &address(0)).await;
    assert_eq!(message(again).0, UserErrorCode::Taken);
    fixture.subscribe(Topic::CardsUpdate, &address(max)).await.expect("another topic has room");
}

#[tokio::test]
async fn unsubscribe_deletes_the_partners_own_subscription_once() {
    let mut fixture = Fixture::new().await;
    let made = fixture.subscribe(Topic::CardsCreate, "https://hooks.voorbeeld.nl").await.expect("right");
    let id = GlobalId::new(Kind::WebhookSubscription, made.id);
    let owner = fixture.caller.clone();
    fixture.caller = Fixture::partner(&fixture.services, "ander").await;
    let not_found = [(UserErrorCode::NotFound, vec!["id"])];
    for wrong in [id.to_string().as_str(), "", "1", &GlobalId::new(Kind::Card, made.id).to_string()] {
        let result = webhook::unsubscribe(&fixture.services, &fixture.caller, wrong).await;
        assert_eq!(refused(result), not_found, "{wrong:?}");
    }
    let deleted = webhook::unsubscribe(&fixture.services, &owner, &id.to_string()).await;
    assert_eq!(deleted.expect("the subscription is there"), id);
    assert_eq!(refused(webhook::unsubscribe(&fixture.services, &owner, &id.to_string()).await), not_found);
}
