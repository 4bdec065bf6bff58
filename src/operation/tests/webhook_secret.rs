//! webhook/secret.

use std::time::Duration;

use crate::base::limits::{SECRET_OVERLAP, SECRET_OVERLAP_MAX};
use crate::model::{Partner, SigningSecret};
use crate::operation::fixture::Fixture;
use crate::operation::partner;
use crate::operation::webhook::secret::{self, NewSecretError, RevokeSecretError, fingerprint};

async fn with_partner() -> (Fixture, Partner) {
    let fixture = Fixture::new().await;
    let partner = partner::add(&fixture.services, "Zorg").await.expect("the name is free");
    (fixture, partner)
}

impl Fixture {
    async fn active(&self, partner: &Partner) -> Vec<SigningSecret> {
        self.services.store.webhook_secrets(partner.id, self.services.clock.now()).await.expect("the store works")
    }
}

#[tokio::test]
async fn rotated_secret_signs_beside_the_new_one_until_the_overlap_is_over() {
    let (fixture, partner) = with_partner().await;
    let services = &fixture.services;
    let first = secret::issue(services, &partner).await.expect("the first");
    fixture.wait();
    let (new, old) = secret::rotate(services, &partner, SECRET_OVERLAP).await.expect("one is active");
    assert_eq!((old.id, old.expires_at), (first.id, Some(new.created_at.plus(chrono::Duration::hours(24)))));
    assert_eq!(fixture.active(&partner).await, [new.secret.clone(), first.secret]);
    services.clock.advance(chrono::Duration::hours(24));
    assert_eq!(fixture.active(&partner).await, [new.secret]);
    secret::rotate(services, &partner, Duration::ZERO).await.expect("the rotation before is over");
    assert_eq!(fixture.active(&partner).await.len(), 1, "without an overlap the old one ends at once");
}

#[tokio::test]
async fn secret_beyond_two_is_refused_and_the_active_ones_are_named() {
    let (fixture, partner) = with_partner().await;
    let services = &fixture.services;
    let none = secret::rotate(services, &partner, SECRET_OVERLAP).await;
    assert!(matches!(none, Err(NewSecretError::NoneActive(name)) if name == "Zorg"));
    let one = secret::issue(services, &partner).await.expect("the first");
    fixture.wait();
    let two = secret::issue(services, &partner).await.expect("the second");
    for refused in [
        secret::issue(services, &partner).await.map(|_| ()),
        secret::rotate(services, &partner, SECRET_OVERLAP).await.map(|_| ()),
    ] {
        let error = refused.expect_err("two are active");
        assert!(matches!(&error, NewSecretError::TooMany { active, .. } if active.len() == 2), "{error:?}");
        let said = error.to_string();
        assert!(said.contains(&one.id.to_string()) && said.contains(&two.id.to_string()), "{said}");
    }
}

#[tokio::test]
async fn overlap_is_bounded() {
    let (fixture, partner) = with_partner().await;
    secret::issue(&fixture.services, &partner).await.expect("the first");
    let too_long = SECRET_OVERLAP_MAX + Duration::from_millis(1);
    let refused = secret::rotate(&fixture.services, &partner, too_long).await;
    assert!(matches!(refused, Err(NewSecretError::Overlap)));
    secret::rotate(&fixture.services, &partner, SECRET_OVERLAP_MAX).await.expect("the longest overlap");
}

#[tokio::test]
async fn secret_is_revoked_by_id_or_fingerprint_and_the_only_one_on_demand() {
    let (fixture, partner) = with_partner().await;
    let services = &fixture.services;
    let one = secret::issue(services, &partner).await.expect("the first");
    fixture.wait();
    let two = secret::issue(services, &partner).await.expect("the second");
    let (owner, revoked) = secret::revoke(services, &one.id.to_string(), false).await.expect("another one is active");
    assert_eq!((owner.id, revoked.revoked_at), (partner.id, Some(services.clock.now())));
    fixture.wait();
    let again = secret::revoke(services, &one.id.to_string(), false).await.expect("revoking twice is no mistake");
    assert_eq!(again.1, revoked);

    let mark = fingerprint(&two.secret).to_uppercase();
    let only = secret::revoke(services, &mark, false).await;
    assert!(matches!(only, Err(RevokeSecretError::OnlyOne(name)) if name == "Zorg"));
    assert_eq!(fixture.active(&partner).await.len(), 1);
    secret::revoke(services, &mark, true).await.expect("on demand");
    assert_eq!(fixture.active(&partner).await, []);
}

#[tokio::test]
async fn secret_that_is_unknown_or_unreadable_is_not_revoked() {
    let (fixture, _) = with_partner().await;
    for (which, readable) in [("00000000", true), ("0191d9a0-0000-7000-8000-000000000000", true), ("whsec_", false)] {
        match secret::revoke(&fixture.services, which, true).await {
            Err(RevokeSecretError::Unknown(_)) if readable => {}
            Err(RevokeSecretError::Unreadable(_)) if !readable => {}
            other => panic!("{which}: {other:?}"),
        }
    }
}

#[test]
fn fingerprint_is_the_start_of_the_sha_256_of_the_text() {
    let vector = SigningSecret::parse("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").expect("the vector");
    assert_eq!(fingerprint(&vector), "5036e143");
}
