//! Old data is deleted in batches, and cards are read in batches.

use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::model::{AuditEntry, SessionLink, SessionTarget};

on_both_engines! {
    old_rows_are_deleted_in_batches,
    cards_are_read_in_batches_up_to_the_last_old_one,
}

async fn old_rows_are_deleted_in_batches(db: &TestDatabase) {
    let (store, partner_id) = (&db.store, db.partner().await);
    for number in 0..5_u8 {
        let card_id = db.created(partner_id, &number.to_string()).await.id; // with an event
        let expires_at = later(-i64::from(number) - 1);
        let (digest, target) = ([number; 32], SessionTarget::Customizer);
        let link = SessionLink { digest, card_id, target, created_at: now(), expires_at, used_at: None, key_id: None };
        store.add_session_link(link).await.unwrap();
        let entry = AuditEntry {
            id: db.uuid(),
            at: later(-1),
            actor: String::new(),
            command: "card export",
            subject: String::new(),
            fields: &[],
        };
        store.with_audit(entry).record_command().await.unwrap();
    }
    assert_eq!(store.delete_events_before(now(), 2).await.unwrap(), 0, "they are as old as that and no older");
    let (mut events, mut audit, mut links) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..4 {
        events.push(store.delete_events_before(later(1), 2).await.unwrap());
        audit.push(store.delete_audit_before(now(), 2).await.unwrap());
        links.push(store.delete_session_links_before(now(), 2).await.unwrap());
    }
    assert_eq!((&events, &audit, &links), (&vec![2, 2, 1, 0], &vec![2, 2, 1, 0], &vec![2, 2, 1, 0]));
}

async fn cards_are_read_in_batches_up_to_the_last_old_one(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(db.created(partner_id, &number.to_string()).await.id);
    }
    ids.sort_unstable();
    assert!(db.store.card_ages(Uuid::nil(), now(), 9).await.unwrap().is_empty(), "none is older");
    let (mut read, mut after) = (Vec::new(), Uuid::nil());
    loop {
        let batch = db.store.card_ages(after, later(1), 2).await.unwrap();
        let Some(last) = batch.last() else { break };
        assert!(batch.len() <= 2);
        after = last.id;
        read.extend(batch.iter().map(|card| card.id));
    }
    assert_eq!(read, ids);
}
