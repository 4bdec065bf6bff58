//! The limit: a bare loop with the same client settings, concurrency, headers and signed body, without a database.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use card_service::base::limits;
use card_service::webhook::signature;

use super::receiver::Receiver;
use super::service::Service;
use crate::comparison::{Cost, Meter};

/// Measures `count` notifications.
pub(crate) async fn cost(service: &Service, receiver: &Receiver, count: usize) -> Cost {
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .referer(false)
        .http1_only()
        .connect_timeout(Duration::from_secs(5))
        .build()
        .expect("a client can be made");
    let (url, body) = (format!("http://127.0.0.1:{}/hook", receiver.port), service.body().await);
    let next = Arc::new(AtomicUsize::new(0));
    let (began, meter) = (Instant::now(), Meter::start(std::process::id(), None));
    let posting = (0..limits::DELIVERIES_SENT_AT_ONCE_PER_SUBSCRIPTION).map(|_| {
        let (client, url, body, next) = (client.clone(), url.clone(), body.clone(), Arc::clone(&next));
        let secret = service.secret.clone();
        tokio::spawn(async move {
            while next.fetch_add(1, Ordering::Relaxed) < count {
                let id = "evt_01JD0000000000000000000000";
                let signature = signature::sign([&secret], id, 1_732_044_535, body.as_bytes());
                let request = client
                    .post(&url)
                    .header("content-type", "application/json")
                    .header("user-agent", "PartnerCardService-Webhooks/1")
                    .header("accept-encoding", "identity")
                    .header("webhook-id", id)
                    .header("webhook-timestamp", "1732044535")
                    .header("webhook-signature", signature)
                    .header("x-service-topic", "CARDS_CREATE")
                    .header("x-service-api-version", "2026-10")
                    .header("x-service-test", "false")
                    .header(
                        "x-service-subscription-id",
                        "gid://service/WebhookSubscription/00000000-0000-0000-0000-000000000000",
                    )
                    .header("x-service-attempt", "1")
                    .body(body.clone());
                let answer = request.send().await.expect("the receiver answers");
                assert!(answer.status().is_success());
                answer.bytes().await.expect("the answer ends");
            }
        })
    });
    futures_util::future::join_all(posting).await.into_iter().for_each(|end| end.expect("no loop fails"));
    meter.stop(count, count as f64 / began.elapsed().as_secs_f64(), None)
}
