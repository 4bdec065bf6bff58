//! Partners, keys and session links.

use super::database::{TestDatabase, later, now};
use crate::base::HttpUrl;
use crate::model::{AccessKey, KeyMode, Partner, Price, SessionLink, SessionTarget};

on_both_engines! {
    partner_name_is_taken_once,
    key_is_found_by_digest_also_when_revoked,
    keys_of_a_partner_come_oldest_first,
    session_reads_back_as_it_was,
    open_store_answers_a_ping,
}

async fn partner_name_is_taken_once(db: &TestDatabase) {
    let partner = Partner {
        id: db.uuid(),
        name: "Uitvaart Noord".to_owned(),
        test_address: Some("test@example.org".to_owned()),
        refresh_address: Some(HttpUrl::trusted("https://voorbeeld.nl/nieuw")),
        price: Price::from_cents(12_34).expect("a price"),
        blocked: true,
        created_at: now(),
    };
    assert!(db.store.add_partner(partner.clone()).await.unwrap());
    assert!(!db.store.add_partner(Partner { id: db.uuid(), ..partner.clone() }).await.unwrap());
    assert_eq!(db.store.partner(partner.id).await.unwrap(), Some(partner.clone()));
    assert_eq!(db.store.partner_by_name("Uitvaart Noord").await.unwrap(), Some(partner.clone()));
    assert_eq!(db.store.partner_by_name("uitvaart noord").await.unwrap(), None);
    assert_eq!(db.store.partners().await.unwrap(), [partner]);
}

fn key(db: &TestDatabase, partner_id: uuid::Uuid, seconds: i64) -> AccessKey {
    AccessKey {
        id: db.uuid(),
        partner_id,
        mode: KeyMode::Test,
        digest: [seconds as u8; 32],
        last_four: "a6sa".to_owned(),
        label: Some("van de balie".to_owned()),
        created_at: later(seconds),
        expires_at: Some(later(1_000)),
        revoked_at: None,
        last_used_at: None,
    }
}

async fn key_is_found_by_digest_also_when_revoked(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let partner = db.store.partner(partner_id).await.unwrap().unwrap();
    let mut key = key(db, partner_id, 1);
    db.store.issue_key(key.clone()).await.unwrap();
    assert_eq!(db.store.key_by_digest(&key.digest).await.unwrap(), Some((key.clone(), partner.clone())));
    assert_eq!(db.store.key_by_digest(&[9; 32]).await.unwrap(), None);

    db.store.touch_key(key.id, later(20)).await.unwrap();
    assert!(db.store.revoke_key(key.id, later(30)).await.unwrap());
    assert!(!db.store.revoke_key(key.id, later(40)).await.unwrap());
    assert!(!db.store.revoke_key(db.uuid(), later(40)).await.unwrap());
    (key.last_used_at, key.revoked_at) = (Some(later(20)), Some(later(30)));
    assert_eq!(db.store.key_by_digest(&key.digest).await.unwrap(), Some((key, partner)));
}

async fn keys_of_a_partner_come_oldest_first(db: &TestDatabase) {
    let (partner_id, other) = (db.partner().await, db.partner().await);
    for seconds in [3, 1, 2] {
        db.store.issue_key(key(db, partner_id, seconds)).await.unwrap();
    }
    db.store.issue_key(key(db, other, 4)).await.unwrap();
    let keys = db.store.keys_of(partner_id).await.unwrap();
    assert_eq!(keys.iter().map(|k| k.digest[0]).collect::<Vec<_>>(), [1, 2, 3]);
}

async fn session_reads_back_as_it_was(db: &TestDatabase) {
    let card = db.created(db.partner().await, "d").await;
    let session = SessionLink {
        digest: [7; 32],
        card_id: card.id,
        target: SessionTarget::InviteeList,
        created_at: now(),
        expires_at: later(600),
        used_at: None,
        key_id: Some(db.uuid()),
    };
    db.store.open_session(session.clone()).await.unwrap();
    assert_eq!(db.store.session_by_digest(&[7; 32]).await.unwrap(), Some(session));
    assert_eq!(db.store.session_by_digest(&[8; 32]).await.unwrap(), None);
}

async fn open_store_answers_a_ping(db: &TestDatabase) {
    db.store.ping().await.unwrap();
}
