//! Subscriptions, and their limit under concurrent creates.

use futures_util::future::join_all;

use super::database::TestDatabase;
use crate::model::{Scope, Topic};
use crate::store::CreateSubscriptionError;

on_both_engines! {
    address_of_2048_characters_is_stored,
    concurrent_subscriptions_stay_within_the_limit,
}

async fn address_of_2048_characters_is_stored(db: &TestDatabase) {
    // Characters that are twelve bytes long when encoded, and do not compress well.
    let partner_id = db.partner().await;
    let path: String = (0..2_028).filter_map(|n| char::from_u32(0x10000 + n * 37)).collect();
    let subscription = db.subscription(partner_id, Topic::CardsUpdate, &format!("https://example.org/{path}"));
    db.store.create_subscription(subscription.clone(), 20).await.unwrap();
    assert_eq!(
        db.store.subscription(Scope::account(partner_id), subscription.id).await.unwrap(),
        Some(subscription.clone())
    );
    let again = crate::model::WebhookSubscription { id: db.uuid(), ..subscription };
    let taken = db.store.create_subscription(again, 20).await;
    assert!(matches!(taken, Err(CreateSubscriptionError::Taken { by_test: false })), "{taken:?}");
}

async fn concurrent_subscriptions_stay_within_the_limit(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let make = |n: usize| {
        let address = format!("https://example.org/{n}");
        db.store.create_subscription(db.subscription(partner_id, Topic::CardsUpdate, &address), 5)
    };
    let outcomes = join_all((0..16).map(make)).await;
    let made = outcomes.iter().filter(|o| o.is_ok()).count();
    let refused = outcomes.iter().filter(|o| matches!(o, Err(CreateSubscriptionError::TooMany))).count();
    assert_eq!((made, refused), (5, 11), "{outcomes:?}");
    assert_eq!(db.count("webhook_subscriptions").await, 5);
}
