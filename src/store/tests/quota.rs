//! Quotas: used up to their maximum, and reset when their window ends.

use super::database::{TestDatabase, later, now};

on_both_engines! {
    quota_is_used_up_to_its_maximum_and_begins_again_after_its_window,
    replicas_use_no_more_than_the_quota,
}

async fn quota_is_used_up_to_its_maximum_and_begins_again_after_its_window(db: &TestDatabase) {
    let take = async |subject: &str, amount: i64, seconds: i64| {
        let (not_before, now) = (later(seconds - 60), later(seconds));
        db.store.use_quota(subject.to_owned(), amount, 10, not_before, now).await.unwrap()
    };
    assert_eq!(take("a", 4, 0).await, None);
    assert_eq!(take("a", 6, 30).await, None);
    assert_eq!(take("a", 1, 59).await, Some(now()), "its window began with the first use");
    assert_eq!(take("b", 10, 59).await, None, "another subject has its own");
    assert_eq!(take("a", 10, 60).await, None);
    assert_eq!(take("a", 1, 61).await, Some(later(60)));
    assert_eq!(take("c", 11, 61).await, Some(later(61)), "more than there ever is");
    assert_eq!(db.store.delete_expired_quotas(later(60)).await.unwrap(), 1);
    assert_eq!(take("a", 1, 62).await, Some(later(60)));
}

async fn replicas_use_no_more_than_the_quota(db: &TestDatabase) {
    let takes = (0..8).map(|_| db.store.use_quota("a".to_owned(), 2, 10, later(-60), now()));
    let taken = futures_util::future::join_all(takes).await;
    assert_eq!(taken.into_iter().filter(|taken| taken.as_ref().unwrap().is_none()).count(), 5);
}
