//! Idempotency keys: the cards and the response of a request, also under concurrent requests of several replicas.

use std::collections::HashSet;
use std::sync::Arc;

use diesel::sql_types::Text;
use diesel_async::RunQueryDsl as _;
use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{TestDatabase, later};
use crate::base::limits;
use crate::model::{Card, KeyMode};
use crate::store::database::Database;
use crate::store::{CreateCardError, IdempotencyClaim, IdempotencyKey, IdempotencyOutcome};

on_both_engines! {
    expired_claim_is_replaced_by_one_of_20,
    expired_claims_are_deleted_in_batches,
}

fn key(partner_id: Uuid, text: &str) -> IdempotencyKey {
    IdempotencyKey { partner_id, mode: KeyMode::Live, text: text.to_owned() }
}

/// A claim of the first field of a request, made so many seconds later.
fn claim(partner_id: Uuid, text: &str, request: u8, seconds: i64) -> IdempotencyClaim {
    IdempotencyClaim::new(key(partner_id, text), [request; 32], later(seconds))
}

fn outcome(request: u8, response: &str) -> IdempotencyOutcome {
    IdempotencyOutcome { request: [request; 32], response: response.to_owned() }
}

/// Asserts that every request got the same card.
fn assert_one_card(outcomes: Vec<Result<Arc<Card>, CreateCardError>>) {
    let card_of = |outcome: Result<Arc<Card>, _>| outcome.expect("a retry of the same request is never refused").id;
    assert_eq!(outcomes.into_iter().map(card_of).collect::<HashSet<_>>().len(), 1);
}

async fn expired_claim_is_replaced_by_one_of_20(db: &TestDatabase) {
    let partner_id = db.partner().await;
    db.store.create_card(db.new_card(partner_id, "old", Some(claim(partner_id, "k", 1, 0)))).await.unwrap();
    db.store.store_outcome(key(partner_id, "k"), outcome(1, "old")).await.unwrap();
    let day_later = |n: i64| claim(partner_id, "k", 2, 86_401 + n);
    let create = |n| db.store.create_card(db.new_card(partner_id, "new", Some(day_later(n))));
    assert_one_card(join_all((0..20).map(create)).await);
    let key = db.store.find_claimed_key(&day_later(0)).await.unwrap().unwrap();
    assert_eq!((key.outcome, db.count("idempotency_keys").await, db.count("cards").await), (None, 1, 2));
}

async fn expired_claims_are_deleted_in_batches(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let many = limits::IDEMPOTENCY_CLAIMS_DELETED_AT_ONCE + 20;
    for n in 0..many {
        let claim = claim(partner_id, &format!("k{n}"), 3, n);
        db.store.create_card(db.new_card(partner_id, &format!("d{n}"), Some(claim))).await.unwrap();
    }
    let deleted = db.store.delete_expired_claims(later(many - 3)).await.unwrap();
    assert_eq!(deleted as i64, many - 3);
    assert_eq!((db.count("idempotency_keys").await, db.count("cards").await), (3, many));
    assert_eq!(db.store.delete_expired_claims(later(0)).await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_flushes_a_card_before_its_answer_and_an_outcome_later() {
    let db = TestDatabase::postgres().await;
    let Database::Postgres(postgres) = &db.store.database else { unreachable!() };
    let (held, shared) = (postgres.connection().await.unwrap(), postgres.shared(None).await.unwrap());
    for (mut connection, waits) in [(&*held, "on"), (shared.connection(), "off")] {
        let setting = diesel::select(diesel::dsl::sql::<Text>("current_setting('synchronous_commit')"));
        assert_eq!(setting.get_result::<String>(&mut connection).await.unwrap(), waits);
    }
    drop((held, shared));

    let partner_id = db.partner().await;
    let keys: Vec<_> = (0..129).map(|number| number.to_string()).collect();
    for text in &keys {
        db.store.create_card(db.new_card(partner_id, text, Some(claim(partner_id, text, 1, 0)))).await.unwrap();
    }
    let store = |text: &String| db.store.store_outcome_of_creates(key(partner_id, text), outcome(1, text));
    for stored in join_all(keys.iter().map(store)).await {
        stored.unwrap();
    }
    assert_eq!(db.count("idempotency_keys WHERE response = key").await, i64::try_from(keys.len()).unwrap());
    db.close().await;
}
