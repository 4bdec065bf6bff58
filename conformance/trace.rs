//! Traces: the spans that a collector gets, without personal data (docs/operating.md, "Monitoring").

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use serde_json::{Value, json};

use crate::app::mock_server::Reply;
use crate::app::{Answer, FreshDatabase, MockServer, Program, Serving, http_client};

const CREATE: &str =
    "mutation ($input: CardCreateInput!) { cardCreate(input: $input) { card { id } userErrors { code } } }";
const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

/// A server whose traces go to a collector of ours.
struct Scene {
    collector: MockServer,
    serving: Serving,
    token: String,
}

impl Scene {
    fn start(program: Program, collector: MockServer) -> Self {
        collector.on("/v1/traces", Reply::Status(200));
        let token = program.token("live");
        Self { serving: program.serve(), collector, token }
    }

    async fn send(&self, query: &str, variables: Value) -> u16 {
        let request = http_client()
            .post(format!("{}/partner/api/2026-10/graphql", self.serving.base))
            .header("x-service-access-token", &self.token)
            .header("accept", "application/graphql-response+json")
            .header("traceparent", TRACEPARENT)
            .json(&json!({ "query": query, "variables": variables }));
        Answer::read(request.send().await.expect("an answer")).await.status
    }

    /// Every span that arrived, once the server has ended and sent its last.
    async fn spans(self) -> Vec<Span> {
        // On a thread of its own: our collector has to answer meanwhile.
        let ended = tokio::task::spawn_blocking(|| self.serving.terminate()).await;
        assert!(ended.expect("it is waited for"));
        let batches = self.collector.seen().into_iter().filter(|seen| seen.path == "/v1/traces");
        let decode = |body: &[u8]| ExportTraceServiceRequest::decode(body).expect("OTLP");
        let resources = batches.flat_map(|seen| decode(&seen.body).resource_spans);
        let mut spans = Vec::new();
        for resource in resources {
            let named = resource.resource.expect("who sends").attributes;
            assert_eq!(attributes(&named)["service.name"], "card-service");
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
        spans
    }
}

fn attributes(found: &[opentelemetry_proto::tonic::common::v1::KeyValue]) -> BTreeMap<String, String> {
    let text = |value: &Any| match value {
        Any::StringValue(text) => text.clone(),
        Any::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    };
    let value = |pair: &opentelemetry_proto::tonic::common::v1::KeyValue| {
        pair.value.as_ref().and_then(|value| value.value.as_ref()).map(text).unwrap_or_default()
    };
    found.iter().map(|pair| (pair.key.clone(), value(pair))).collect()
}

on_both_databases! {
    async fn requests_arrive_at_the_collector_with_what_they_did(database: FreshDatabase) {
        let collector = MockServer::start().await;
        let program = Program::on(&database)
            .set("EGRESS_ALLOW", &collector.http.to_string())
            .set("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{}", collector.http))
            .set("OTEL_EXPORTER_OTLP_HEADERS", "api-key=geheim");
        let photo = format!("http://{}/portret.png", collector.http);
        collector.photo("/portret.png", "image/png", crate::app::mock_server::PNG);
        let scene = Scene::start(program, collector);
        let input = json!({ "externalDossierId": "Zilvervosje", "deceased": { "photoUrl": photo } });
        assert_eq!(scene.send(CREATE, json!({ "input": input })).await, 200);
        assert_eq!(scene.send("{ nothing }", json!({})).await, 400);
        let secret = format!("{}/s/{}", scene.serving.base, "Zilvervosje".repeat(4));
        assert_eq!(http_client().get(secret).send().await.expect("an answer").status(), 404);

        let collector = scene.collector.clone();
        let spans = scene.spans().await;
        let request = |code: Option<&str>, operation: &str| {
            let so = |found: &BTreeMap<String, String>| {
                found.get("code").map(String::as_str) == code && found.get("operation").is_some_and(|o| o == operation)
            };
            spans.iter().find(|span| so(&attributes(&span.attributes))).unwrap_or_else(|| panic!("{spans:#?}"))
        };
        let created = request(None, "mutation");
        let about = attributes(&created.attributes);
        assert_eq!((about["http.response.status_code"].as_str(), about["version"].as_str()), ("200", "2026-10"));
        assert_eq!(about["http.request.method"], "POST", "{about:?}");
        assert!(about["request_id"].starts_with("req_"), "{about:?}");
        // A trace that a proxy began is continued, sampled or not.
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!((&hex(&created.trace_id)[..], &hex(&created.parent_span_id)[..]), (&TRACEPARENT[3..35], &TRACEPARENT[36..52]));
        let within: Vec<_> = spans.iter().filter(|span| span.parent_span_id == created.span_id).collect();
        let names: Vec<_> = within.iter().map(|span| span.name.as_str()).collect();
        assert!(names.contains(&"fetch"), "{names:?}");
        assert_eq!(names.contains(&"create_card"), database.url.starts_with("postgres"), "{names:?}");
        request(Some("GRAPHQL_VALIDATION_FAILED"), "none");

        let seen = collector.seen();
        let batches: Vec<_> = seen.iter().filter(|seen| seen.path == "/v1/traces").collect();
        assert!(batches.iter().all(|batch| batch.headers["api-key"] == "geheim"));
        for batch in batches {
            let text = String::from_utf8_lossy(&batch.body);
            assert!(!text.contains("Zilvervosje") && !text.contains("pcs_live"), "{text}");
        }
    }
}

on_sqlite! {
    async fn traces_with_sampling_zero_or_no_collector_are_not_sent(database: FreshDatabase) {
        let collector = MockServer::start().await;
        let program = Program::on(&database)
            .set("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("http://{}", collector.http))
            .set("OTEL_TRACES_SAMPLER_ARG", "0");
        let scene = Scene::start(program, collector);
        assert_eq!(scene.send("{ __typename }", json!({})).await, 200);
        assert!(scene.spans().await.is_empty());
    }

    async fn missing_collector_delays_no_request(database: FreshDatabase) {
        // A port without a listener.
        let program = Program::on(&database).set("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
        let scene = Scene::start(program, MockServer::start().await);
        let started = Instant::now();
        for dossier in 0..20 {
            let input = json!({ "input": { "externalDossierId": dossier.to_string() } });
            assert_eq!(scene.send(CREATE, input).await, 200);
        }
        assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
        assert!(scene.serving.terminate(), "it ends all the same");
    }
}
