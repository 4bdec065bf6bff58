//! `webhookSubscriptionSecretRotate` (version 2027-01; decisions W10).

use std::slice;

use card_service::base::Timestamp;
use card_service::base::limits::SECRET_OVERLAP;
use card_service::model::{KeyMode, SigningSecret};
use card_service::webhook::SIGNATURE_HEADER;
use chrono::Duration;
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Caller, PartnerAccount, TestApp, UserFault, user_faults};
use crate::webhook::arrival::{Arrival, assert_signed};

const ROTATE: &str = "mutation {
    webhookSubscriptionSecretRotate { secret fingerprint overlapEndsAt userErrors { code field message } }
}";

async fn rotate(caller: &Caller) -> (Value, Vec<UserFault>) {
    let payload = caller.data(ROTATE, json!({})).await["webhookSubscriptionSecretRotate"].take();
    let faults = user_faults(&payload);
    assert_eq!(payload["secret"].is_null(), !faults.is_empty(), "{payload}");
    (payload, faults)
}

fn secret_of(payload: &Value) -> SigningSecret {
    SigningSecret::parse(payload["secret"].as_str().expect("a text")).expect("a secret")
}

/// The secrets that sign for the subscriptions of a mode, newest first.
async fn signing(app: &TestApp, partner: &PartnerAccount, mode: KeyMode) -> Vec<SigningSecret> {
    app.store().active_webhook_secrets(partner.id, mode, app.now()).await.expect("the store answers")
}

/// Asserts that these secrets signed, and no others.
fn assert_signed_by(app: &TestApp, arrival: &Arrival, secrets: &[&SigningSecret]) {
    assert_eq!(arrival.header(SIGNATURE_HEADER).split(' ').count(), secrets.len());
    for secret in secrets {
        assert_signed(arrival, secret, app.now().millis() / 1_000);
    }
}

on_both_databases! {
    async fn both_secrets_sign_for_24_hours_and_then_the_new_one(app: TestApp) {
        let account = app.partner("Noord").await;
        let (live, test) = (account.live().await, account.test().await.on_version("2027-01"));
        for path in ["/live", "/test"] {
            app.mock_server().reply(path, Reply::Status(200));
        }
        live.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/live")).await;
        test.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/test")).await;
        app.pass(Duration::seconds(1));
        let (payload, faults) = rotate(&test).await;
        assert_eq!(faults, []);
        let (old, new) = (&account.secret, &secret_of(&payload));
        assert_ne!(old, new);
        let end: Timestamp = app.now().plus(Duration::hours(24));
        assert_eq!(payload["overlapEndsAt"], end.to_string());
        let listed = app.store().webhook_secrets_of(account.id).await.expect("the store answers");
        let [newest, first] = listed.as_slice() else { panic!("two secrets: {listed:?}") };
        assert_eq!((&newest.secret, newest.live_ends_at, newest.test_ends_at), (new, Some(app.now()), None));
        assert_eq!((&first.secret, first.live_ends_at, first.test_ends_at, first.expires_at), (old, None, Some(end), None));

        // A test card goes to both subscriptions: the one of the live key keeps its secret.
        test.draft("1").await;
        assert_signed_by(&app, &app.arrive("/test", 1).await[0], &[new, old]);
        assert_signed_by(&app, &app.arrive("/live", 1).await[0], &[old]);
        let tested = test.data("mutation ($id: ID!) { webhookSubscriptionTest(id: $id) { attempt { outcome } } }", json!({
            "id": app.arrivals("/test")[0].header("x-service-subscription-id"),
        })).await;
        assert_eq!(tested["webhookSubscriptionTest"]["attempt"]["outcome"], "DELIVERED");
        assert_signed_by(&app, &app.arrivals("/test")[1], &[new, old]);
        app.pass(Duration::from_std(SECRET_OVERLAP).expect("a day"));
        test.draft("2").await;
        assert_signed_by(&app, &app.arrive("/test", 3).await[2], &[new]);
        assert_signed_by(&app, &app.arrive("/live", 2).await[1], &[old]);
    }

    async fn rotation_is_refused_while_two_secrets_sign_or_none(app: TestApp) {
        let account = app.partner("Noord").await;
        let test = account.test().await.on_version("2027-01");
        let refused = async |part: &str| {
            let before = app.store().webhook_secrets_of(account.id).await.expect("the store answers");
            let (payload, faults) = rotate(&test).await;
            assert_eq!((&payload["fingerprint"], &payload["overlapEndsAt"]), (&Value::Null, &Value::Null));
            let errors = payload["userErrors"].as_array().expect("a list");
            assert_eq!((&errors[0]["code"], &errors[0]["field"]), (&json!("UNPROCESSABLE"), &Value::Null));
            assert!(faults.len() == 1 && faults[0].message.contains(part), "{faults:?}");
            assert_eq!(app.store().webhook_secrets_of(account.id).await.expect("the store answers"), before);
        };
        app.pass(Duration::seconds(1));
        let first = secret_of(&rotate(&test).await.0);
        refused("al vervangen").await;
        app.pass(Duration::hours(24));
        let second = secret_of(&rotate(&test).await.0);
        assert_eq!(signing(&app, &account, KeyMode::Test).await, [second, first]);
        assert_eq!(signing(&app, &account, KeyMode::Live).await, slice::from_ref(&account.secret));
        app.revoke_secrets().await;
        refused("Vraag de beheerder").await;
    }

    async fn rotation_by_many_at_once_happens_once(app: TestApp) {
        let account = app.partner("Noord").await;
        let test = account.test().await.on_version("2027-01");
        let rotated = futures_util::future::join_all((0..6).map(|_| rotate(&test))).await;
        assert_eq!(rotated.iter().filter(|(_, faults)| faults.is_empty()).count(), 1);
        assert_eq!(signing(&app, &account, KeyMode::Test).await.len(), 2);
    }

    async fn rotation_is_audited_and_its_secret_is_shown_once(app: TestApp) {
        let account = app.partner("Noord").await;
        let test = account.test().await.on_version("2027-01");
        let (first, _) = rotate(&test).await;
        let audit = app.store().audit_since(app.now(), 10).await.expect("the store answers");
        let [record] = audit.as_slice() else { panic!("one record: {audit:?}") };
        assert_eq!((record.command.as_str(), record.subject.as_str()), ("webhookSubscriptionSecretRotate", "Noord"));
        assert!(record.actor.starts_with("test key ") && record.fields == ["secret", "expiresAt"], "{record:?}");

        // Also not under an idempotency key.
        app.pass(Duration::hours(24));
        let document = "mutation {
            cardCreate(input: { externalDossierId: \"1\" }) { card { id } userErrors { code } }
            webhookSubscriptionSecretRotate { secret userErrors { code } }
        }";
        let keyed = test.with_key("k-1");
        let answer = keyed.graphql(document, json!({})).await;
        let second = answer.data()["webhookSubscriptionSecretRotate"]["secret"].take();
        // With one secret left a rotation would succeed.
        app.operator().json(&["webhook", "secret", "revoke", first["fingerprint"].as_str().expect("a fingerprint")]);
        let again = keyed.graphql(document, json!({})).await;
        assert_eq!(again.header("x-service-idempotent-replay"), None);
        let again = again.data();
        assert_eq!(again["cardCreate"], answer.data()["cardCreate"]);
        assert_eq!(again["webhookSubscriptionSecretRotate"], Value::Null, "it did not run");
        let dump = app.dump().await;
        assert!(dump.iter().any(|line| line.starts_with("idempotency_keys: ")), "the dump holds the record");
        for shown in [&first["secret"], &second] {
            let text = shown.as_str().expect("a secret");
            let found: Vec<_> = dump.iter().filter(|line| line.contains(text)).collect();
            assert!(found.is_empty(), "{found:?}");
        }
    }
}
