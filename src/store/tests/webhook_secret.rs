//! Signing secrets: how many are active, and their rotation.

use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{TestDatabase, later};
use crate::base::Entropy;
use crate::model::{SigningSecret, WebhookSecret};
use crate::store::AddSecretError;

on_both_engines! {
    secret_reads_back_as_it_was_newest_first,
    secret_beyond_the_maximum_is_refused_until_one_expires,
    rotation_expires_the_old_secret_at_the_given_time,
    rotation_without_a_secret_or_during_another_one_is_refused,
    concurrent_secrets_stay_within_the_maximum,
    secrets_of_another_partner_are_not_returned,
}

const MAX: usize = 2;

fn secret(db: &TestDatabase, partner_id: Uuid, seconds: i64) -> WebhookSecret {
    WebhookSecret {
        id: db.uuid(),
        partner_id,
        secret: SigningSecret::generate(&Entropy::system()),
        created_at: later(seconds),
        expires_at: None,
        revoked_at: None,
    }
}

async fn issued(db: &TestDatabase, partner_id: Uuid, seconds: i64) -> WebhookSecret {
    let secret = secret(db, partner_id, seconds);
    db.store.issue_webhook_secret(secret.clone(), MAX).await.expect("there is room");
    secret
}

async fn active(db: &TestDatabase, partner_id: Uuid, seconds: i64) -> Vec<SigningSecret> {
    db.store.webhook_secrets(partner_id, later(seconds)).await.unwrap()
}

async fn secret_reads_back_as_it_was_newest_first(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let (one, two) = (issued(db, partner_id, 1).await, issued(db, partner_id, 2).await);
    assert_eq!(active(db, partner_id, 2).await, [two.secret.clone(), one.secret.clone()]);
    assert_eq!(db.store.webhook_secrets_of(partner_id).await.unwrap(), [two, one]);
}

async fn secret_beyond_the_maximum_is_refused_until_one_expires(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let (one, two) = (issued(db, partner_id, 1).await, issued(db, partner_id, 2).await);
    let third = secret(db, partner_id, 3);
    assert!(matches!(db.store.issue_webhook_secret(third.clone(), MAX).await, Err(AddSecretError::TooMany)));
    assert!(db.store.revoke_webhook_secret(one.id, later(4)).await.unwrap());
    assert!(!db.store.revoke_webhook_secret(one.id, later(5)).await.unwrap(), "once is enough");
    assert!(!db.store.revoke_webhook_secret(db.uuid(), later(5)).await.unwrap());
    db.store.issue_webhook_secret(third.clone(), MAX).await.expect("there is room again");
    assert_eq!(active(db, partner_id, 4).await, [third.secret, two.secret]);
    let all = db.store.webhook_secrets_of(partner_id).await.unwrap();
    assert_eq!(all[2], WebhookSecret { revoked_at: Some(later(4)), ..one });
}

async fn rotation_expires_the_old_secret_at_the_given_time(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let old = issued(db, partner_id, 1).await;
    let new = secret(db, partner_id, 10);
    let ended = db.store.rotate_webhook_secret(new.clone(), later(20)).await.expect("one is active");
    assert_eq!(ended, WebhookSecret { expires_at: Some(later(20)), ..old.clone() });
    assert_eq!(active(db, partner_id, 19).await, [new.secret.clone(), old.secret]);
    assert_eq!(active(db, partner_id, 20).await, std::slice::from_ref(&new.secret));
    assert_eq!(db.store.webhook_secrets_of(partner_id).await.unwrap(), [new, ended]);
}

async fn rotation_without_a_secret_or_during_another_one_is_refused(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let first = secret(db, partner_id, 1);
    let none = db.store.rotate_webhook_secret(first, later(9)).await;
    assert!(matches!(none, Err(AddSecretError::NoneActive)));
    let (one, two) = (issued(db, partner_id, 1).await, issued(db, partner_id, 2).await);
    let busy = db.store.rotate_webhook_secret(secret(db, partner_id, 3), later(9)).await;
    assert!(matches!(busy, Err(AddSecretError::TooMany)));
    assert_eq!(db.store.webhook_secrets_of(partner_id).await.unwrap(), [two, one], "nothing was written");
}

async fn concurrent_secrets_stay_within_the_maximum(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let all = (1..=8).map(|seconds| db.store.issue_webhook_secret(secret(db, partner_id, seconds), MAX));
    let done = join_all(all).await;
    assert_eq!(done.iter().filter(|outcome| outcome.is_ok()).count(), MAX);
    assert_eq!(active(db, partner_id, 9).await.len(), MAX);
}

async fn secrets_of_another_partner_are_not_returned(db: &TestDatabase) {
    let (partner_id, other) = (db.partner().await, db.partner().await);
    issued(db, partner_id, 1).await;
    assert_eq!(active(db, other, 2).await, []);
    assert_eq!(db.store.webhook_secrets_of(other).await.unwrap(), []);
}
