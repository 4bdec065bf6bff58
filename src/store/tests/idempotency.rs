//! Stored responses, and the requests that keys are bound to.

use super::database::{TestDatabase, later, now};
use crate::base::limits;
use crate::model::KeyMode;
use crate::store::{IdempotencyClaim, IdempotencyKey, IdempotencyRecord};

on_both_engines! {
    response_is_stored_once_until_it_expires,
    key_is_bound_to_the_first_request_that_succeeds,
    expired_records_are_deleted_in_batches,
}

fn claim_of(key: IdempotencyKey, not_before: crate::base::Timestamp) -> IdempotencyClaim {
    IdempotencyClaim { key, ordinal: 0, fingerprint: [3; 32], input: [7; 32], not_before }
}

async fn response_is_stored_once_until_it_expires(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let key = IdempotencyKey { partner_id, mode: KeyMode::Live, text: "k".to_owned() };
    let claim = claim_of(key.clone(), later(-1));
    db.store.create_card(db.new_card(partner_id, "d", Some(claim))).await.unwrap();
    let mut record = IdempotencyRecord { fingerprint: [3; 32], bound: false, response: None, created_at: now() };
    assert_eq!(db.store.idempotency_record(&key, now()).await.unwrap(), Some(record.clone()));

    // Byte for byte, and the first response stays.
    let body = "{\"data\":{\"b\":1,\"a\":\"\\u0000 🌹\"}}\n";
    db.store.bind_request(key.clone(), [3; 32], Some(body.to_owned())).await.unwrap();
    db.store.bind_request(key.clone(), [3; 32], Some("{}".to_owned())).await.unwrap();
    db.store.bind_request(key.clone(), [4; 32], None).await.unwrap();
    (record.bound, record.response) = (true, Some(body.to_owned()));
    assert_eq!(db.store.idempotency_record(&key, now()).await.unwrap(), Some(record));
    assert_eq!(db.store.idempotency_record(&key, later(1)).await.unwrap(), None);
    let others = [
        IdempotencyKey { partner_id: db.uuid(), ..key.clone() },
        IdempotencyKey { mode: KeyMode::Test, ..key.clone() },
        IdempotencyKey { text: "K".to_owned(), ..key },
    ];
    for other in others {
        assert_eq!(db.store.idempotency_record(&other, now()).await.unwrap(), None, "{other:?}");
    }
}

async fn key_is_bound_to_the_first_request_that_succeeds(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let key = IdempotencyKey { partner_id, mode: KeyMode::Test, text: "k".to_owned() };
    let claim = claim_of(key.clone(), later(-1));
    db.store.create_card(db.new_card(partner_id, "d", Some(claim))).await.unwrap();
    // The request that created the card failed in part; the corrected one succeeds, and holds a session link.
    db.store.bind_request(key.clone(), [4; 32], None).await.unwrap();
    db.store.bind_request(key.clone(), [3; 32], Some("late".to_owned())).await.unwrap();
    let record = IdempotencyRecord { fingerprint: [4; 32], bound: true, response: None, created_at: now() };
    assert_eq!(db.store.idempotency_record(&key, now()).await.unwrap(), Some(record));
}

async fn expired_records_are_deleted_in_batches(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let many = limits::IDEMPOTENCY_RECORDS_PER_SWEEP + 20;
    for n in 0..many {
        let key = IdempotencyKey { partner_id, mode: KeyMode::Live, text: format!("k{n}") };
        let claim = claim_of(key, later(-86_400));
        let mut new = db.new_card(partner_id, &format!("d{n}"), Some(claim));
        new.card.created_at = later(n);
        db.store.create_card(new).await.unwrap();
    }
    let deleted = db.store.delete_expired_idempotency(later(many - 3)).await.unwrap();
    assert_eq!(deleted as i64, many - 3);
    assert_eq!((db.count("idempotency_keys").await, db.count("idempotency_cards").await), (3, 3));
    assert_eq!(db.count("cards").await, many);
    assert_eq!(db.store.delete_expired_idempotency(later(0)).await.unwrap(), 0);
}
