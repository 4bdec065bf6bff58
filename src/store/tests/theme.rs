//! The list of themes in memory.

use chrono::Duration;

use super::database::{TestDatabase, now, settings};
use crate::base::{Clock, limits};
use crate::model::{PageRequest, PageStart};
use crate::store::{Store, StoreSettings};

on_both_engines! {
    theme_of_another_process_is_seen_when_the_list_is_too_old_and_a_theme_of_this_one_at_once,
}

async fn handles(store: &Store) -> Vec<String> {
    let all = PageRequest { start: PageStart::First, size: 9, after: None, before: None };
    store.themes_page(&all).await.unwrap().items.iter().map(|theme| theme.handle.clone()).collect()
}

async fn theme_of_another_process_is_seen_when_the_list_is_too_old_and_a_theme_of_this_one_at_once(db: &TestDatabase) {
    let clock = Clock::manual(now());
    let settings = StoreSettings { clock: clock.clone(), ..settings(&db.url) };
    let (store, closer) = Store::open(&settings).await.unwrap();
    let cached = Duration::from_std(limits::THEMES_CACHED).unwrap();

    let first = store.put_theme(db.theme("first", 1)).await.unwrap();
    assert_eq!(handles(&store).await, ["first"]);
    let other = db.store.put_theme(db.theme("other", 2)).await.unwrap();
    db.store.retire_theme(first.id, Some(now())).await.unwrap();
    clock.advance(cached - Duration::milliseconds(1));
    assert_eq!(handles(&store).await, ["first"]);
    assert_eq!(*store.theme(other.id).await.unwrap().expect("the other process's theme"), other);
    clock.advance(Duration::milliseconds(1));
    assert_eq!(handles(&store).await, ["other"]);
    assert_eq!(*store.theme(first.id).await.unwrap().expect("a retired theme"), first);

    store.put_theme(db.theme("third", 0)).await.unwrap();
    assert_eq!(handles(&store).await, ["third", "other"]);
    store.retire_theme(other.id, Some(now())).await.unwrap();
    assert_eq!(handles(&store).await, ["third"]);
    drop(store);
    closer.close().await;
}
