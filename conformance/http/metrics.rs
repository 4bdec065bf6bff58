//! `/metrics`: every metric, and that none names a person or a partner.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use card_service::base::limits::{METRICS_CONNECTION, METRICS_CONNECTIONS_MAX};
use card_service::model::DeliveryState;
use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

use crate::app::TestApp;
use crate::app::mock_server::Reply;
use crate::app::picture::{bomb, photo};

/// Returns the value of a metric, by its name with labels.
#[track_caller]
fn figure(text: &str, name: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    let line = line.unwrap_or_else(|| panic!("{name} is not in:\n{text}"));
    line.parse().unwrap_or_else(|_| panic!("{name}: {line}"))
}

/// The names of the labels of each metric.
type Labels = BTreeMap<String, BTreeSet<String>>;

/// Reads the metrics of docs/metrics.md with their kinds, and their labels.
fn reference() -> (BTreeMap<String, String>, Labels) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/metrics.md");
    let text = std::fs::read_to_string(path).expect("the reference is there");
    let (mut kinds, mut labels) = (BTreeMap::new(), Labels::new());
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`').to_owned();
        let own = cells[3].split(", ").map(|label| label.trim_matches('`').to_owned());
        labels.insert(name.clone(), own.filter(|label| !label.is_empty()).collect());
        kinds.insert(name, cells[2].to_owned());
    }
    (kinds, labels)
}

/// Reads the exported metrics with their kinds, and their labels without `le`.
fn parse_export(text: &str) -> (BTreeMap<String, String>, Labels) {
    let (mut kinds, mut labels) = (BTreeMap::new(), Labels::new());
    let mut current = String::new();
    for line in text.lines() {
        if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|rest| rest.split_once(' ')) {
            let ending = match kind {
                "counter" => "_total",
                "info" => "_info",
                _ => "",
            };
            current = format!("{name}{ending}");
            labels.insert(current.clone(), BTreeSet::new());
            kinds.insert(current.clone(), kind.to_owned());
        } else if let Some((_, rest)) = line.split_once('{').filter(|_| !line.starts_with('#')) {
            let pairs = rest.split_once('}').expect("labels end").0.split("\",");
            let names = pairs.filter_map(|pair| pair.split_once('=')).map(|(name, _)| name.to_owned());
            labels.get_mut(&current).expect("a type comes first").extend(names.filter(|name| name != "le"));
        }
    }
    (kinds, labels)
}

on_both_databases! {
    async fn metric_is_exported_as_the_reference_says_and_no_other_is(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(200)]);
        let photo = app.mock_server().photo("/a.gif", "image/gif", crate::app::mock_server::GIF);
        caller.create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": photo } })).await.gid();
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        app.get("/kaart/nergens").await;
        app.services().certificate.set(app.now());
        let ((kinds, labels), (mut known, mut known_labels)) = (parse_export(&app.figures().await), reference());
        if !app.database_url().starts_with("postgres") {
            known.remove("card_service_database_connections");
            known_labels.remove("card_service_database_connections");
        }
        assert_eq!(kinds, known);
        assert_eq!(labels, known_labels);
    }

    async fn pages_and_the_object_store_are_counted(app: TestApp) {
        app.get("/kaart/nergens").await;
        app.get("/nergens/nergens").await;
        app.get("/health/live").await;
        let text = app.figures().await;
        let pages = |labels: &str| figure(&text, &format!("card_service_page_requests_total{{{labels}}}"));
        assert_eq!(pages("route=\"card\",status=\"404\""), 1.0);
        assert_eq!(pages("route=\"unknown\",status=\"404\""), 1.0);
        assert_eq!(figure(&text, "card_service_page_duration_seconds_count{route=\"card\"}"), 1.0);
        assert_eq!(figure(&text, "card_service_page_duration_seconds_bucket{le=\"0.25\",route=\"card\"}"), 1.0);
        assert!(!text.contains("nergens") && !text.contains("route=\"live\""), "{text}");
        let asked = "card_service_object_store_requests_total{operation=\"get\",outcome=\"ok\"}";
        let before = figure(&text, asked);
        app.get("/media/photo/nergens.png").await;
        assert!(figure(&app.figures().await, asked) > before);
    }

    async fn steps_of_every_worker_are_counted(app: TestApp) {
        let steps = async |worker: &str| {
            let name = format!("card_service_worker_steps_total{{worker=\"{worker}\",outcome=\"ok\"}}");
            figure(&app.figures().await, &name)
        };
        for worker in ["housekeeping", "mail", "rendering", "activation", "usage", "versions", "webhooks", "recovery"] {
            crate::app::wait_for("a step", async || (steps(worker).await > 0.0).then_some(())).await;
        }
        let last = figure(&app.figures().await, "card_service_worker_last_step_timestamp_seconds{worker=\"mail\"}");
        let age = app.now().millis() as f64 / 1_000.0 - last;
        assert!((0.0..30.0).contains(&age), "{age}");
    }

    async fn requests_are_counted_by_version_operation_and_code(app: TestApp) {
        let live = app.live().await;
        live.graphql("{ themes(first: 10) { nodes { id } } }", json!({})).await;
        live.graphql("{ nothing }", json!({})).await.expect_error(400, "GRAPHQL_VALIDATION_FAILED");
        live.on_version("1999-01").graphql("{ __typename }", json!({})).await.expect_error(404, "VERSION_NOT_FOUND");
        for _ in 0..2 {
            live.with_key("k").create(json!({ "externalDossierId": "Zilvervosje" })).await.gid();
        }
        let text = app.figures().await;
        let requests = |version: &str, operation: &str, code: &str| {
            let labels = format!("version=\"{version}\",operation=\"{operation}\",code=\"{code}\"");
            figure(&text, &format!("card_service_requests_total{{{labels}}}"))
        };
        assert_eq!(requests("2026-10", "query", "OK"), 1.0);
        assert_eq!(requests("2026-10", "none", "GRAPHQL_VALIDATION_FAILED"), 1.0);
        assert_eq!(requests("none", "none", "VERSION_NOT_FOUND"), 1.0);
        assert_eq!(requests("2026-10", "mutation", "OK"), 2.0);
        assert_eq!(figure(&text, "card_service_replays_total"), 1.0);
        assert_eq!(figure(&text, "card_service_query_cost_points_count"), 3.0);
        assert_eq!(figure(&text, "card_service_request_duration_seconds_count{operation=\"mutation\"}"), 2.0);
        assert_eq!(figure(&text, "card_service_database_up"), 1.0);
        assert_eq!(text.contains("database_connections"), app.database_url().starts_with("postgres"), "{text}");
        assert!(!text.contains("Zilvervosje") && !text.contains("Uitvaart"), "{text}");
        // It is not served on the public address.
        assert_eq!(app.get("/metrics").await.status, 404);
    }

    async fn deliveries_and_the_outbox_are_counted(app: TestApp) {
        let (caller, subscription) = app.follower("CARDS_CREATE", "/hook").await;
        app.mock_server().play("/hook", [Reply::Status(500), Reply::Status(200)]);
        let before = app.figures().await;
        assert_eq!(figure(&before, "card_service_outbox_deliveries"), 0.0);
        caller.draft("1").await;
        app.next_attempt(&subscription, 1).await;
        let waiting = app.figures().await;
        assert_eq!(figure(&waiting, "card_service_outbox_deliveries"), 1.0);
        assert_eq!(figure(&waiting, "card_service_delivery_attempts_total{outcome=\"server_error\"}"), 1.0);
        app.pass(chrono::Duration::seconds(10));
        app.settle(&subscription, DeliveryState::Delivered, 1).await;
        let text = app.figures().await;
        assert_eq!(figure(&text, "card_service_outbox_deliveries"), 0.0);
        assert_eq!(figure(&text, "card_service_delivery_attempts_total{outcome=\"delivered\"}"), 1.0);
        assert_eq!(figure(&text, "card_service_delivery_lag_seconds_sum"), 10.0);
    }

    async fn outbox_that_is_overdue_says_for_how_long(app: TestApp) {
        let caller = app.live().await;
        caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.revoke_secrets().await; // nothing is sent, and due deliveries wait
        caller.draft("1").await;
        app.pass(chrono::Duration::minutes(10));
        assert_eq!(figure(&app.figures().await, "card_service_outbox_overdue_seconds"), 600.0);
    }

    async fn photos_are_counted_by_outcome(app: TestApp) {
        let live = app.live().await;
        let gone = app.mock_server().reply("/weg", Reply::Status(404));
        live.create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": gone } })).await;
        let here = app.mock_server().photo("/hier", "image/gif", crate::app::mock_server::GIF);
        live.create(json!({ "externalDossierId": "1", "deceased": { "photoUrl": here } })).await;
        for (path, bytes) in [("/tekst", b"tekst".to_vec()), ("/half", photo("png")[..60].to_vec()), ("/bom", bomb())] {
            let wrong = app.mock_server().photo(path, "image/png", bytes);
            live.create(json!({ "externalDossierId": "2", "deceased": { "photoUrl": wrong } })).await;
        }
        let text = app.figures().await;
        for outcome in ["status", "kept", "format", "damaged", "too_many_pixels"] {
            assert_eq!(figure(&text, &format!("card_service_photos_total{{outcome=\"{outcome}\"}}")), 1.0, "{outcome}");
        }
    }

    async fn metrics_listener_limits_connections_and_serves_the_newest(app: TestApp) {
        let address = app.metrics_url("").strip_prefix("http://").expect("http").to_owned();
        let mut silent = Vec::new();
        for _ in 0..10 * METRICS_CONNECTIONS_MAX {
            silent.push(TcpStream::connect(&address).await.expect("the listener accepts"));
        }
        let begun = Instant::now();
        app.figures().await;
        assert!(begun.elapsed() < METRICS_CONNECTION, "{:?}", begun.elapsed());
        let open = async |stream: &mut TcpStream| {
            tokio::time::timeout(Duration::from_millis(20), stream.read(&mut [0; 1])).await.is_err()
        };
        let mut count = 0;
        for stream in &mut silent {
            count += usize::from(open(stream).await);
        }
        assert!(count <= METRICS_CONNECTIONS_MAX, "{count} are open");
        tokio::time::sleep(METRICS_CONNECTION).await;
        let newest = silent.last_mut().expect("there are some");
        assert!(!open(newest).await, "its time is over");
        assert_eq!(app.metrics_get("/partner/api/versions").await.status, 404);
    }
}
