//! Concurrent writes of one row or of a limited number of rows: none is lost, and none exceeds the limit.

use futures_util::future::join_all;

use super::database::{TestDatabase, later, now};
use crate::base::Entropy;
use crate::model::{KeyMode, Scope, Topic, WebhookSecret};
use crate::store::CardScope;

on_both_engines! {
    card_changed_by_8_at_once_counts_every_event,
    concurrent_themes_get_different_numbers,
    concurrent_secrets_stay_within_the_maximum,
    replicas_use_no_more_than_the_quota,
}

async fn card_changed_by_8_at_once_counts_every_event(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let card = db.created(partner_id, "d").await;
    let change = async |task: i64| {
        for round in 0..10 {
            let event = db.event(Topic::CardsUpdate);
            let scope = CardScope::Owned { scope: Scope::account(partner_id), id: card.id };
            let changed = db.store.change_card::<(), _>(scope, later(task * 10 + round), move |card| {
                // Each change adds to the one before it, so a lost update shows.
                let seen: i64 = card.family_contact.name.as_deref().unwrap_or("0").parse().unwrap();
                card.family_contact.name = Some((seen + 1).to_string());
                Ok(vec![event])
            });
            changed.await.unwrap().unwrap();
        }
    };
    join_all((0..8).map(change)).await;
    let card = db.store.any_card(card.id).await.unwrap().unwrap();
    assert_eq!((card.family_contact.name.as_deref(), card.event_count), (Some("80"), 81));
    let sequence: Vec<i64> = db.store.events_of(card.id).await.unwrap().iter().map(|e| e.sequence).collect();
    assert_eq!(sequence, (1..=81).collect::<Vec<_>>());
}

async fn concurrent_themes_get_different_numbers(db: &TestDatabase) {
    let handles: Vec<String> = (0..12).map(|n| format!("theme {}", n % 8)).collect();
    let themes = join_all(handles.iter().map(|handle| db.store.put_theme(db.theme(handle, 1)))).await;
    let mut numbers: Vec<i64> = themes.into_iter().map(|theme| theme.unwrap().number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>());
}

async fn concurrent_secrets_stay_within_the_maximum(db: &TestDatabase) {
    // The first was made with the partner.
    let (partner_id, max) = (db.partner().await, 3);
    let secret = |seconds| WebhookSecret::generate(partner_id, &Entropy::system(), later(seconds));
    let done = join_all((1..=8).map(|seconds| db.store.issue_webhook_secret(secret(seconds), max))).await;
    assert_eq!(done.iter().filter(|outcome| outcome.is_ok()).count(), max - 1);
    assert_eq!(db.store.active_webhook_secrets(partner_id, KeyMode::Live, later(9)).await.unwrap().len(), max);
}

async fn replicas_use_no_more_than_the_quota(db: &TestDatabase) {
    let takes = (0..8).map(|_| db.store.use_quota("a".to_owned(), 2, 10, later(-60), now()));
    let taken = join_all(takes).await;
    assert_eq!(taken.into_iter().filter(|taken| taken.as_ref().unwrap().is_none()).count(), 5);
}
