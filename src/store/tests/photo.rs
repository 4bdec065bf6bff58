//! Photos: when they can be deleted, and their renditions.

use super::database::{TestDatabase, later, now};
use crate::model::{PhotoKey, PixelSize, Portrait};
use crate::store::CardScope;

on_both_engines! {
    unused_photo_can_be_deleted,
    photo_of_a_card_stays_until_the_card_releases_it,
    unknown_photo_is_refused,
    photo_marked_for_deletion_is_on_no_card,
    photo_is_claimed_until_its_renditions_are_made,
    photo_that_cannot_be_rendered_is_given_up,
    rendering_that_is_taken_back_does_not_count,
}

fn key(name: &str) -> PhotoKey {
    PhotoKey::trusted(format!("{name}.jpeg"))
}

/// Deletes a photo, if it can be marked for deletion. Returns whether it was deleted.
async fn removed(db: &TestDatabase, name: &str) -> bool {
    let marked = db.store.mark_photo_for_deletion(key(name)).await.unwrap();
    assert_eq!(db.store.delete_photo(key(name)).await.unwrap(), marked, "an unmarked photo stays");
    marked
}

async fn unused_photo_can_be_deleted(db: &TestDatabase) {
    for (name, seconds) in [("a", 10), ("b", 0), ("c", 5)] {
        db.store.put_photo(key(name), 1_000, later(seconds), later(seconds)).await.unwrap();
    }
    assert_eq!(db.store.photos_unused(later(6), 10).await.unwrap(), [key("b"), key("c")]);
    assert_eq!(db.store.photos_unused(later(60), 1).await.unwrap(), [key("b")]);
    assert!(removed(db, "b").await);
    assert!(!removed(db, "b").await);
    assert_eq!(db.store.photos_unused(later(6), 10).await.unwrap(), [key("c")]);
}

async fn photo_of_a_card_stays_until_the_card_releases_it(db: &TestDatabase) {
    let partner_id = db.partner().await;
    for name in ["old", "new"] {
        db.store.put_photo(key(name), 1_000, now(), now()).await.unwrap();
    }
    let mut new = db.new_card(partner_id, "d", None);
    new.card.deceased.photo = Some(key("old"));
    let id = new.card.id;
    db.store.create_card(new).await.unwrap();
    assert_eq!(db.store.photos_unused(later(9_999), 10).await.unwrap(), [key("new")]);
    assert!(!removed(db, "old").await);

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
    assert!(removed(db, "old").await && removed(db, "new").await);
}

async fn unknown_photo_is_refused(db: &TestDatabase) {
    let mut new = db.new_card(db.partner().await, "d", None);
    new.card.deceased.photo = Some(key("nowhere"));
    assert!(db.store.create_card(new).await.is_err());
    assert_eq!(db.count("cards").await, 0);
}

async fn photo_marked_for_deletion_is_on_no_card(db: &TestDatabase) {
    db.store.put_photo(key("a"), 1_000, later(500), later(500)).await.unwrap();
    assert!(db.store.photo_is_there(&key("a")).await.unwrap());
    assert!(db.store.mark_photo_for_deletion(key("a")).await.unwrap());
    // Until its bytes are deleted it is the first of the unused photos.
    assert!(db.store.mark_photo_for_deletion(key("a")).await.unwrap());
    assert_eq!(db.store.photos_unused(now(), 10).await.unwrap(), [key("a")]);
    assert!(!db.store.photo_is_there(&key("a")).await.unwrap());
    assert!(!db.store.record_rendering(key("a"), None).await.unwrap(), "a photo that is rendered now is deleted too");
    let mut new = db.new_card(db.partner().await, "d", None);
    new.card.deceased.photo = Some(key("a"));
    assert!(db.store.create_card(new).await.is_err());
    assert!(db.store.delete_photo(key("a")).await.unwrap());
    assert_eq!(db.count("photos").await, 0);
}

/// Claims a photo to render for a minute from `seconds` on.
async fn claim(db: &TestDatabase, seconds: i64) -> Option<PhotoKey> {
    db.store.claim_photo_to_render(later(seconds), later(seconds + 60), 3).await.unwrap()
}

async fn photo_is_claimed_until_its_renditions_are_made(db: &TestDatabase) {
    db.store.put_photo(key("a"), 1, now(), now()).await.unwrap();
    assert_eq!(db.store.portrait(&key("a")).await.unwrap(), None);
    assert_eq!(claim(db, 0).await, Some(key("a")));
    assert_eq!(claim(db, 59).await, None);
    assert_eq!(claim(db, 60).await, Some(key("a")), "the lease ran out");
    let screen = PixelSize { width: 900, height: 1_200 };
    db.store.record_rendering(key("a"), Some(screen)).await.unwrap();
    assert_eq!(claim(db, 9_999).await, None);
    assert_eq!(db.store.portrait(&key("a")).await.unwrap(), Some(Portrait { photo: key("a"), screen }));
}

async fn photo_that_cannot_be_rendered_is_given_up(db: &TestDatabase) {
    for name in ["unreadable", "deadly"] {
        db.store.put_photo(key(name), 1, now(), now()).await.unwrap();
    }
    db.store.record_rendering(key("unreadable"), None).await.unwrap();
    for round in 0..3 {
        assert_eq!(claim(db, round * 60).await, Some(key("deadly")));
    }
    assert_eq!((claim(db, 9_999).await, claim(db, 99_999).await), (None, None));
    assert_eq!(db.store.portrait(&key("unreadable")).await.unwrap(), None);
}

async fn rendering_that_is_taken_back_does_not_count(db: &TestDatabase) {
    db.store.put_photo(key("a"), 1_000, now(), now()).await.unwrap();
    // However long the object store is unavailable.
    for minutes in 0..10 {
        assert_eq!(claim(db, minutes * 60).await, Some(key("a")), "{minutes}");
        db.store.postpone_rendering(key("a")).await.unwrap();
    }
    for minutes in 10..13 {
        assert_eq!(claim(db, minutes * 60).await, Some(key("a")), "{minutes}");
    }
    assert_eq!(claim(db, 13 * 60).await, None, "a photo that ends its worker is left alone");
}
