//! Remembered answers.

use super::database::{TestDatabase, later, now};
use crate::base::limits;
use crate::store::{IdempotencyClaim, IdempotencyRecord};

on_both_engines! {
    answer_is_remembered_once_until_it_expires,
    records_that_expired_are_forgotten_in_several_sweeps,
}

async fn answer_is_remembered_once_until_it_expires(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let claim = IdempotencyClaim { key: "k".to_owned(), ordinal: 0, fingerprint: [3; 32], not_before: later(-1) };
    db.store.create_card(db.new_card(partner_id, "d", Some(claim))).await.unwrap();
    let mut record = IdempotencyRecord { fingerprint: [3; 32], response: None, created_at: now() };
    assert_eq!(db.store.idempotency_record(partner_id, "k", now()).await.unwrap(), Some(record.clone()));

    // Byte for byte, and the first answer stays.
    let body = "{\"data\":{\"b\":1,\"a\":\"\\u0000 🌹\"}}\n";
    db.store.remember_response(partner_id, "k".to_owned(), body.to_owned()).await.unwrap();
    db.store.remember_response(partner_id, "k".to_owned(), "{}".to_owned()).await.unwrap();
    record.response = Some(body.to_owned());
    assert_eq!(db.store.idempotency_record(partner_id, "k", now()).await.unwrap(), Some(record));
    assert_eq!(db.store.idempotency_record(partner_id, "k", later(1)).await.unwrap(), None);
    assert_eq!(db.store.idempotency_record(db.uuid(), "k", now()).await.unwrap(), None);
    assert_eq!(db.store.idempotency_record(partner_id, "K", now()).await.unwrap(), None);
}

async fn records_that_expired_are_forgotten_in_several_sweeps(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let many = limits::IDEMPOTENCY_RECORDS_PER_SWEEP + 20;
    for n in 0..many {
        let claim =
            IdempotencyClaim { key: format!("k{n}"), ordinal: 0, fingerprint: [3; 32], not_before: later(-86_400) };
        let mut new = db.new_card(partner_id, &format!("d{n}"), Some(claim));
        new.card.created_at = later(n);
        db.store.create_card(new).await.unwrap();
    }
    let forgotten = db.store.forget_idempotency(later(many - 3)).await.unwrap();
    assert_eq!(forgotten as i64, many - 3);
    assert_eq!((db.count("idempotency_keys").await, db.count("idempotency_cards").await), (3, 3));
    assert_eq!(db.count("cards").await, many);
    assert_eq!(db.store.forget_idempotency(later(0)).await.unwrap(), 0);
}
