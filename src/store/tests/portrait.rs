//! Renditions of photos.

use super::database::{TestDatabase, later, now};
use crate::model::{PhotoKey, PixelSize, Portrait};

on_both_engines! {
    photo_is_claimed_until_its_renditions_are_made,
    photo_that_cannot_be_rendered_is_given_up,
}

async fn put(db: &TestDatabase, name: &str) -> PhotoKey {
    let key = PhotoKey::trusted(name);
    db.store.put_photo(key.clone(), 1, now(), now()).await.unwrap();
    key
}

async fn photo_is_claimed_until_its_renditions_are_made(db: &TestDatabase) {
    let key = put(db, "a.jpeg").await;
    assert_eq!(db.store.portrait(&key).await.unwrap(), None);
    let claim =
        async |seconds: i64| db.store.claim_photo_to_render(later(seconds), later(seconds + 60), 3).await.unwrap();
    assert_eq!(claim(0).await, Some(key.clone()));
    assert_eq!(claim(59).await, None);
    assert_eq!(claim(60).await, Some(key.clone()), "the lease ran out");
    let screen = PixelSize { width: 900, height: 1_200 };
    db.store.photo_rendered(key.clone(), Some(screen)).await.unwrap();
    assert_eq!(claim(9_999).await, None);
    assert_eq!(db.store.portrait(&key).await.unwrap(), Some(Portrait { photo: key, screen }));
}

async fn photo_that_cannot_be_rendered_is_given_up(db: &TestDatabase) {
    let (unreadable, deadly) = (put(db, "a.jpeg").await, put(db, "b.jpeg").await);
    db.store.photo_rendered(unreadable.clone(), None).await.unwrap();
    for round in 0..3 {
        let claimed = db.store.claim_photo_to_render(later(round), later(round + 1), 3).await.unwrap();
        assert_eq!(claimed.as_ref(), Some(&deadly));
    }
    assert_eq!(db.store.claim_photo_to_render(later(9_999), later(9_999), 3).await.unwrap(), None);
    assert_eq!(db.store.claim_photo_to_render(later(99_999), later(99_999), 3).await.unwrap(), None);
    assert_eq!(db.store.portrait(&unreadable).await.unwrap(), None);
}
