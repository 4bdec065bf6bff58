//! The demo's receiver is subscribed to every topic by the demo's partner, and each notification is printed.
//!
//! Its self-signed certificate becomes a trusted root of this process (as with `EGRESS_CA`), and its loopback address is
//! allowed (as with `EGRESS_ALLOW`), both for this run only. It is subscribed by the operation that partners use.

use std::fs;
use std::io;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::Settings;
use crate::base::{HttpUrl, Parsed, private};
use crate::cli::demo_receiver::{DemoReceiver, Received};
use crate::cli::failure::{CliError, CliFailure};
use crate::cli::output::Output;
use crate::model::{KeyMode, PageRequest, PageStart, Partner, Scope, SigningSecret, Topic, WebhookSubscription};
use crate::operation::webhook::{self, Subscribe, secret};
use crate::operation::{Caller, Failure, OperationError};
use crate::services::Services;

/// The path of the receiver's URL, by which the receivers of earlier runs are recognised.
const PATH: &str = "/card-service-demo";
/// The trusted roots of this run, in DATA_DIR.
const ROOTS_FILE: &str = "demo-roots.pem";
/// More than the maximum number of subscriptions of a partner on all topics.
const SUBSCRIPTIONS_MAX: usize = 1_000;

/// Trusts the receiver's certificate and allows its address, in addition to the settings.
pub(super) fn open(settings: &mut Settings, receiver: &DemoReceiver) -> Result<(), io::Error> {
    let mut roots = match &settings.egress_ca {
        Some(path) => fs::read_to_string(path)? + "\n",
        None => String::new(),
    };
    roots.push_str(receiver.certificate());
    private::create_folder(&settings.data_dir)?;
    let path = settings.data_dir.join(ROOTS_FILE);
    fs::write(&path, roots)?;
    settings.egress_ca = Some(path);
    let opened = [settings.egress_allow.as_str(), &receiver.address().to_string()];
    // The receiver trusts the secrets after it is subscribed.
    settings.policy.webhook_challenge = false;
    settings.egress_allow = opened.into_iter().filter(|entry| !entry.trim().is_empty()).collect::<Vec<_>>().join(",");
    Ok(())
}

/// Subscribes the receiver to every topic in place of the receivers of earlier runs, and gives it the secrets. Returns the
/// newest secret.
pub(super) async fn subscribe(
    services: &Services,
    partner: &Partner,
    version: &'static str,
    receiver: &DemoReceiver,
) -> Result<SigningSecret, CliFailure> {
    let caller = Caller {
        partner_id: partner.id,
        key_id: Uuid::nil(), // it creates no session link
        mode: KeyMode::Test,
        version,
        request_id: "req_demo".to_owned(),
        claim: None,
        abandoned: None,
    };
    for old in subscriptions(services, partner).await? {
        if old.callback_url.url().path() == PATH {
            // The scope of the account, because subscriptions older than their mode count as live.
            let deleted = services.store.delete_subscription(Scope::account(partner.id), old.id).await;
            deleted.map_err(Failure::from)?;
        }
    }
    let now = services.clock.now();
    let mut secrets =
        services.store.active_webhook_secrets(partner.id, caller.mode, now).await.map_err(Failure::from)?;
    if secrets.is_empty() {
        secrets.push(secret::issue(services, partner).await?.secret);
    }
    let newest = secrets[0].clone();
    receiver.trust(secrets);
    let address = HttpUrl::trusted(format!("https://{}{PATH}", receiver.address()));
    for topic in Topic::ALL {
        let order = Subscribe { topic, callback_url: Parsed::Value(address.clone()), name: None };
        webhook::subscribe(services, &caller, order).await.map_err(fail)?;
    }
    Ok(newest)
}

async fn subscriptions(services: &Services, partner: &Partner) -> Result<Vec<WebhookSubscription>, Failure> {
    let all = PageRequest { start: PageStart::First, size: SUBSCRIPTIONS_MAX, after: None, before: None };
    Ok(services.store.subscriptions_page(Scope::account(partner.id), &[], &all).await?.items)
}

/// The demo does nothing that its partner may not do, so a refusal is a bug.
fn fail(error: OperationError) -> CliFailure {
    match error {
        OperationError::Failed(failure) => failure.into(),
        other => CliError::Demo(other).into(),
    }
}

/// Prints each notification as it arrives.
pub(super) async fn show(mut receiver: DemoReceiver, output: Output) {
    while let Some(received) = receiver.next().await {
        let object = object(&received);
        // A closed stdout does not stop the demo.
        let _ = output.show(&json!({ "notification": object }), || line(&object));
    }
}

fn object(received: &Received) -> Value {
    let body: Value = serde_json::from_slice(&received.body).unwrap_or_default();
    json!({
        "id": received.id,
        "topic": body["topic"],
        "sequence": body["sequence"],
        "actor": body["actor"],
        "card": body["data"]["card"]["id"],
        "externalDossierId": body["data"]["card"]["externalDossierId"],
        "status": body["data"]["card"]["status"],
        "cardUrl": body["data"]["card"]["cardUrl"],
        "changedFields": body["changedFields"],
        "test": body["test"],
        "attempt": received.attempt,
        "verified": received.verified.is_ok(),
        "problem": received.verified.as_ref().err().map(ToString::to_string),
        "again": received.again,
    })
}

fn line(object: &Value) -> String {
    let text = |name: &str| object[name].as_str().unwrap_or("-").to_owned();
    let verified = match object["problem"].as_str() {
        None => "signature verified".to_owned(),
        Some(problem) => format!("NOT VERIFIED: {problem}"),
    };
    let again = if object["again"] == true { ", which was here before" } else { "" };
    let mut line = format!(
        "notification {} {} of dossier {}, {} by {} ({verified}{again}; {}, attempt {})",
        text("topic"),
        object["sequence"],
        text("externalDossierId"),
        text("status"),
        text("actor"),
        text("id"),
        text("attempt"),
    );
    if let Some(address) = object["cardUrl"].as_str() {
        line.push_str(&format!("\n  the card is online at {address}"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::webhook::SignatureError;

    #[test]
    fn notification_is_one_line_with_the_result_of_its_verification() {
        let body = r#"{"topic":"CARDS_ACTIVATED","sequence":3,"actor":"SERVICE","data":{"card":{
            "externalDossierId":"A 1","status":"ACTIVE","cardUrl":"http://a/kaart/b"}}}"#;
        let received = Received {
            id: "evt_1".to_owned(),
            attempt: "2".to_owned(),
            body: body.into(),
            verified: Ok(()),
            again: true,
        };
        assert_eq!(
            line(&object(&received)),
            "notification CARDS_ACTIVATED 3 of dossier A 1, ACTIVE by SERVICE (signature verified, which was here \
             before; evt_1, attempt 2)\n  the card is online at http://a/kaart/b"
        );
        let forged = Received { verified: Err(SignatureError::Differs), again: false, body: "?".into(), ..received };
        assert!(line(&object(&forged)).contains("NOT VERIFIED: no signature matches"), "{}", line(&object(&forged)));
    }
}
