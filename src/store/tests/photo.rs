//! Portraits, and when they may go.

use super::database::{TestDatabase, later, now};
use crate::model::PhotoKey;
use crate::store::CardScope;

on_both_engines! {
    photo_without_card_may_go,
    photo_of_a_card_stays_until_the_card_lets_it_go,
    photo_that_was_never_put_is_refused,
}

fn key(name: &str) -> PhotoKey {
    PhotoKey::trusted(format!("{name}.jpeg"))
}

async fn photo_without_card_may_go(db: &TestDatabase) {
    for (name, seconds) in [("a", 10), ("b", 0), ("c", 5)] {
        db.store.put_photo(key(name), 1_000, later(seconds), later(seconds)).await.unwrap();
    }
    assert_eq!(db.store.photos_unused(later(6), 10).await.unwrap(), [key("b"), key("c")]);
    assert_eq!(db.store.photos_unused(later(60), 1).await.unwrap(), [key("b")]);
    assert!(db.store.delete_photo(&key("b")).await.unwrap());
    assert!(!db.store.delete_photo(&key("b")).await.unwrap());
    assert_eq!(db.store.photos_unused(later(6), 10).await.unwrap(), [key("c")]);
}

async fn photo_of_a_card_stays_until_the_card_lets_it_go(db: &TestDatabase) {
    let partner_id = db.partner().await;
    for name in ["old", "new"] {
        db.store.put_photo(key(name), 1_000, now(), now()).await.unwrap();
    }
    let mut new = db.new_card(partner_id, "d", None);
    new.card.deceased.photo = Some(key("old"));
    let id = new.card.id;
    db.store.create_card(new).await.unwrap();
    assert_eq!(db.store.photos_unused(later(9_999), 10).await.unwrap(), [key("new")]);
    assert!(!db.store.delete_photo(&key("old")).await.unwrap());

    let show = async |photo: Option<PhotoKey>, seconds| {
        let change = db.store.change_card::<(), _>(CardScope::Any { id }, later(seconds), move |card| {
            card.deceased.photo = photo;
            Ok(vec![])
        });
        change.await.unwrap().unwrap();
    };
    show(Some(key("new")), 100).await;
    assert_eq!(db.store.photos_unused(later(9_999), 10).await.unwrap(), [key("old")]);
    assert_eq!(db.store.photos_unused(later(100), 10).await.unwrap(), [], "it was let go just now");
    show(None, 200).await;
    assert_eq!(db.store.photos_unused(later(9_999), 10).await.unwrap(), [key("old"), key("new")]);
    assert!(db.store.delete_photo(&key("old")).await.unwrap());
    assert!(db.store.delete_photo(&key("new")).await.unwrap());
}

async fn photo_that_was_never_put_is_refused(db: &TestDatabase) {
    let mut new = db.new_card(db.partner().await, "d", None);
    new.card.deceased.photo = Some(key("nowhere"));
    assert!(db.store.create_card(new).await.is_err());
    assert_eq!(db.count("cards").await, 0);
}
