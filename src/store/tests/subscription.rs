//! Subscriptions, and their limit when many are made at once.

use futures_util::future::join_all;

use super::database::TestDatabase;
use crate::model::{Scope, Topic};
use crate::store::CreateSubscriptionError;

on_both_engines! {
    subscription_reads_back_as_it_was,
    address_in_another_spelling_is_taken,
    address_of_2048_characters_is_kept,
    subscriptions_made_at_once_stay_within_the_limit,
}

async fn subscription_reads_back_as_it_was(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let subscription = db.subscription(partner_id, Topic::CardsActivated, "https://Example.org:443/a");
    db.store.create_subscription(subscription.clone(), 20).await.unwrap();
    assert_eq!(
        db.store.subscription(Scope::account(partner_id), subscription.id).await.unwrap(),
        Some(subscription.clone())
    );
    assert!(db.store.delete_subscription(Scope::account(partner_id), subscription.id).await.unwrap());
    assert!(!db.store.delete_subscription(Scope::account(partner_id), subscription.id).await.unwrap());
    assert_eq!(db.store.subscription(Scope::account(partner_id), subscription.id).await.unwrap(), None);
    db.store.create_subscription(subscription, 20).await.unwrap();
}

async fn address_in_another_spelling_is_taken(db: &TestDatabase) {
    let (partner_id, other) = (db.partner().await, db.partner().await);
    let make = async |partner_id, topic, address| {
        db.store.create_subscription(db.subscription(partner_id, topic, address), 1).await
    };
    make(partner_id, Topic::CardsUpdate, "https://example.org/a").await.unwrap();
    // Taken is said before "too many": it is the more helpful of the two.
    for same in ["https://example.org/a", "https://EXAMPLE.org:443/a", "https://example.org/x/../a"] {
        let taken = make(partner_id, Topic::CardsUpdate, same).await;
        assert!(matches!(taken, Err(CreateSubscriptionError::Taken { by_test: false })), "{same}: {taken:?}");
    }
    make(partner_id, Topic::CardsCreate, "https://example.org/a").await.unwrap();
    make(other, Topic::CardsUpdate, "https://example.org/a").await.unwrap();
    let many = make(partner_id, Topic::CardsUpdate, "https://example.org/A").await;
    assert!(matches!(many, Err(CreateSubscriptionError::TooMany)), "{many:?}");
}

async fn address_of_2048_characters_is_kept(db: &TestDatabase) {
    // Of characters that take twelve bytes each once they are encoded, and that do not compress well.
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

async fn subscriptions_made_at_once_stay_within_the_limit(db: &TestDatabase) {
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
