//! The demo's own receiver: subscribed by the demo's partner to every topic, and each notification printed as it comes.
//!
//! Nothing is bent for it. It speaks https behind a certificate of its own, which becomes a trusted root of this process
//! (as `EGRESS_CA` does), and its one address on the loopback is opened (as `EGRESS_ALLOW` does), both for this run alone.
//! It is then subscribed by the operation that every partner goes through.

use std::fs;
use std::io;

use serde_json::{Value, json};
use uuid::Uuid;

use super::receiver::{DemoReceiver, Received};
use crate::app::Settings;
use crate::base::{HttpUrl, Parsed, private};
use crate::cli::failure::CliFailure;
use crate::cli::output::Output;
use crate::model::{KeyMode, PageRequest, PageStart, Partner, Scope, SigningSecret, Topic, WebhookSubscription};
use crate::operation::webhook::{self, Subscribe, secret};
use crate::operation::{Caller, Failure, OperationError, Services};

/// The last part of the receiver's address, by which those of earlier runs are known.
const PATH: &str = "/card-service-demo";
/// The roots that this run trusts beside the machine's, in DATA_DIR.
const ROOTS_FILE: &str = "demo-roots.pem";
/// More subscriptions than a partner may have on all topics together.
const SUBSCRIPTIONS_MAX: usize = 1_000;

/// Opens the way to the receiver, beside whatever the settings open already.
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
    settings.egress_allow = opened.into_iter().filter(|entry| !entry.trim().is_empty()).collect::<Vec<_>>().join(",");
    Ok(())
}

/// Subscribes the receiver to every topic in the partner's name, in place of the receivers of earlier runs, and tells it
/// the secrets. Returns the newest of those.
pub(super) async fn subscribe(
    services: &Services,
    partner: &Partner,
    version: &'static str,
    receiver: &DemoReceiver,
) -> Result<SigningSecret, CliFailure> {
    let caller = Caller {
        partner_id: partner.id,
        key_id: Uuid::nil(), // it opens no session
        mode: KeyMode::Test,
        version,
        request_id: "req_demo".to_owned(),
        idempotency: None,
    };
    for old in subscriptions(services, partner).await? {
        if old.callback_url.url().path() == PATH {
            // In the scope of the account: those that are older than the mode of a subscription count as live.
            let deleted = services.store.delete_subscription(Scope::account(partner.id), old.id).await;
            deleted.map_err(Failure::from)?;
        }
    }
    let now = services.clock.now();
    let mut secrets = services.store.webhook_secrets(partner.id, now).await.map_err(Failure::from)?;
    if secrets.is_empty() {
        secrets.push(secret::issue(services, partner).await?.secret);
    }
    let newest = secrets[0].clone();
    receiver.trust(secrets);
    let address = HttpUrl::trusted(format!("https://{}{PATH}", receiver.address()));
    for topic in Topic::ALL {
        let order = Subscribe { topic, callback_url: Parsed::Value(address.clone()) };
        webhook::subscribe(services, &caller, order).await.map_err(failed)?;
    }
    Ok(newest)
}

async fn subscriptions(services: &Services, partner: &Partner) -> Result<Vec<WebhookSubscription>, Failure> {
    let all = PageRequest { start: PageStart::First, size: SUBSCRIPTIONS_MAX, after: None, before: None };
    Ok(services.store.subscriptions_page(Scope::account(partner.id), &[], &all).await?.items)
}

/// The demo does nothing that its partner may not do: a refusal says that this code is wrong.
fn failed(error: OperationError) -> CliFailure {
    match error {
        OperationError::Failed(failure) => failure.into(),
        other => CliFailure::Demo(other),
    }
}

/// Prints each notification as it arrives, for as long as it is awaited.
pub(super) async fn show(mut receiver: DemoReceiver, output: Output) {
    while let Some(received) = receiver.next().await {
        let object = object(&received);
        // Nobody reads what is printed: the demo goes on, and its server too.
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
    use crate::webhook::signature::SignatureError;

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
        assert!(line(&object(&forged)).contains("NOT VERIFIED: no signature fits"), "{}", line(&object(&forged)));
    }
}
