//! Idempotency keys: the cards and the response of a request, also under concurrent requests of several replicas.

use std::collections::HashSet;

use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::base::limits;
use crate::model::KeyMode;
use crate::store::{CreateCardError, CreatedCard, IdempotencyClaim, IdempotencyKey, IdempotencyRecord};

on_both_engines! {
    key_sent_20_times_concurrently_creates_one_card,
    key_of_another_request_is_refused,
    expired_claim_is_replaced_by_one_of_20,
    key_is_bound_to_the_first_request_that_succeeds,
    expired_records_are_deleted_in_batches,
}

fn key(partner_id: Uuid, text: &str) -> IdempotencyKey {
    IdempotencyKey { partner_id, mode: KeyMode::Live, text: text.to_owned() }
}

fn claim(partner_id: Uuid, text: &str, fingerprint: u8) -> IdempotencyClaim {
    IdempotencyClaim {
        key: key(partner_id, text),
        ordinal: 0,
        fingerprint: [fingerprint; 32],
        input: [7; 32],
        not_before: later(-86_400),
    }
}

/// Asserts that one request created a card, and that all others got the same one.
fn assert_one_fresh(outcomes: Vec<Result<CreatedCard, CreateCardError>>) {
    let (mut ids, mut fresh) = (HashSet::new(), 0);
    for outcome in outcomes {
        let outcome = outcome.expect("a retry of the same request is never refused");
        fresh += usize::from(matches!(outcome, CreatedCard::Fresh(_)));
        let (CreatedCard::Fresh(card) | CreatedCard::Earlier(card)) = outcome;
        ids.insert(card.id);
    }
    assert_eq!((fresh, ids.len()), (1, 1));
}

async fn key_sent_20_times_concurrently_creates_one_card(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let create = |_| db.store.create_card(db.new_card(partner_id, "2026-0142", Some(claim(partner_id, "k", 1))));
    assert_one_fresh(join_all((0..20).map(create)).await);
    assert_eq!((db.count("cards").await, db.count("events").await), (1, 1));
}

async fn key_of_another_request_is_refused(db: &TestDatabase) {
    let partner_id = db.partner().await;
    db.store.create_card(db.new_card(partner_id, "a", Some(claim(partner_id, "k", 1)))).await.unwrap();
    let other_input = IdempotencyClaim { input: [8; 32], ..claim(partner_id, "k", 1) };
    let reused = db.store.create_card(db.new_card(partner_id, "b", Some(other_input))).await;
    assert!(matches!(reused, Err(CreateCardError::KeyReused)), "{reused:?}");
    db.store.bind_request(key(partner_id, "k"), [1; 32], "{}".to_owned()).await.unwrap();
    // Also if the first request did not create its first card.
    for ordinal in [0, 1] {
        let claim = IdempotencyClaim { ordinal, ..claim(partner_id, "k", 2) };
        let reused = db.store.create_card(db.new_card(partner_id, "b", Some(claim))).await;
        assert!(matches!(reused, Err(CreateCardError::KeyReused)), "{reused:?}");
    }
    assert_eq!(db.count("cards").await, 1);
}

async fn expired_claim_is_replaced_by_one_of_20(db: &TestDatabase) {
    let partner_id = db.partner().await;
    db.store.create_card(db.new_card(partner_id, "old", Some(claim(partner_id, "k", 1)))).await.unwrap();
    db.store.bind_request(key(partner_id, "k"), [1; 32], "old".to_owned()).await.unwrap();
    let day_later = |n: i64| {
        let claim = IdempotencyClaim { not_before: later(1), ..claim(partner_id, "k", 2) };
        let mut new = db.new_card(partner_id, "new", Some(claim));
        new.card.created_at = later(86_400 + n);
        new.card.updated_at = new.card.created_at;
        new
    };
    assert_one_fresh(join_all((0..20).map(|n| db.store.create_card(day_later(n)))).await);
    let record = db.store.idempotency_record(&key(partner_id, "k"), later(1)).await.unwrap().unwrap();
    assert_eq!((record.fingerprint, record.bound, record.response), ([2; 32], false, None));
    assert_eq!(db.count("idempotency_cards").await, 1);
}

async fn key_is_bound_to_the_first_request_that_succeeds(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let key = key(partner_id, "k");
    db.store.create_card(db.new_card(partner_id, "d", Some(claim(partner_id, "k", 3)))).await.unwrap();
    // The request that created the card failed in part; the corrected one succeeds.
    let first = "{\"data\":{\"a\":\"\\u0000 🌹\"}}\n";
    let response = Some(first.to_owned());
    let record = IdempotencyRecord { fingerprint: [4; 32], bound: true, response, created_at: now() };
    for (fingerprint, response) in [(4, first), (3, "{}"), (4, "{}")] {
        db.store.bind_request(key.clone(), [fingerprint; 32], response.to_owned()).await.unwrap();
        assert_eq!(db.store.idempotency_record(&key, now()).await.unwrap(), Some(record.clone()));
    }
}

async fn expired_records_are_deleted_in_batches(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let many = limits::IDEMPOTENCY_RECORDS_DELETED_AT_ONCE + 20;
    for n in 0..many {
        let mut new = db.new_card(partner_id, &format!("d{n}"), Some(claim(partner_id, &format!("k{n}"), 3)));
        new.card.created_at = later(n);
        db.store.create_card(new).await.unwrap();
    }
    let deleted = db.store.delete_expired_idempotency(later(many - 3)).await.unwrap();
    assert_eq!(deleted as i64, many - 3);
    assert_eq!((db.count("idempotency_keys").await, db.count("idempotency_cards").await), (3, 3));
    assert_eq!(db.count("cards").await, many);
    assert_eq!(db.store.delete_expired_idempotency(later(0)).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn responses_share_commits_of_postgres_up_to_their_limit() {
    let db = TestDatabase::postgres().await;
    let partner_id = db.partner().await;
    let keys: Vec<_> = (0..2 * limits::RESPONSES_PER_COMMIT_MAX + 1).map(|number| number.to_string()).collect();
    for text in &keys {
        db.store.create_card(db.new_card(partner_id, text, Some(claim(partner_id, text, 1)))).await.unwrap();
    }
    let bind = |text: &String| db.store.bind_request(key(partner_id, text), [1; 32], text.clone());
    for bound in join_all(keys.iter().map(bind)).await {
        bound.unwrap();
    }
    assert_eq!(db.count("idempotency_keys WHERE response = key").await, i64::try_from(keys.len()).unwrap());
    // A row's xmin is the transaction that wrote it.
    let commits = db.count("(SELECT DISTINCT xmin::text FROM idempotency_keys) written").await;
    assert!((3..20).contains(&commits), "{commits} commits of {} responses", keys.len());
    let full = "(SELECT count(*) AS size FROM idempotency_keys GROUP BY xmin) written WHERE size > 64";
    assert_eq!((limits::RESPONSES_PER_COMMIT_MAX, db.count(full).await), (64, 0));
    db.close().await;
}
