//! The audit log: a write of an audited store is recorded if it did something, whatever it returns.

use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::base::Progress;
use crate::model::{AuditEntry, SessionSelection, Topic};
use crate::store::Store;

on_both_engines! {
    write_is_recorded_if_it_did_something,
}

/// Returns a store that adds an audit record.
fn audited(db: &TestDatabase) -> Store {
    let (actor, subject) = (String::new(), String::new());
    db.store.with_audit(AuditEntry { id: db.uuid(), at: now(), actor, command: "test", subject, fields: &[] })
}

async fn write_is_recorded_if_it_did_something(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let card = db.created(partner_id, "d").await;
    let subscription = db.subscription(partner_id, Topic::CardsUpdate, "https://example.org/a");
    db.store.create_subscription(subscription.clone(), 20).await.unwrap();

    assert!(!audited(db).revoke_key(Uuid::nil(), now()).await.unwrap());
    assert_eq!(audited(db).delete_card(Uuid::nil(), now()).await.unwrap(), None);
    assert_eq!(audited(db).revoke_sessions(SessionSelection::Card(card.id), now()).await.unwrap(), 0);
    assert_eq!(audited(db).resume_subscription(Uuid::nil(), now(), &Progress::default()).await.unwrap(), None);
    assert_eq!(db.count("audit").await, 0, "nothing was done");

    assert!(audited(db).set_partner_blocked(partner_id, true).await.unwrap());
    assert!(!audited(db).set_partner_blocked(partner_id, true).await.unwrap());
    assert_eq!(db.count("audit").await, 1, "the second one changed nothing");
    db.run("UPDATE webhook_subscriptions SET recover_after = id").await.unwrap();
    assert!(!audited(db).recover_batch(subscription.id, 9, later(1)).await.unwrap(), "no failed delivery is left");
    assert_eq!(db.count("audit").await, 2, "it ended the recovery");
    audited(db).record_command().await.unwrap();
    assert_eq!(db.count("audit").await, 3);
    assert!(audited(db).delete_card(card.id, now()).await.unwrap().is_some());
    assert_eq!(db.count("audit").await, 4);
}
