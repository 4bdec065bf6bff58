//! Exports traces to the operator's collector: OTLP over HTTP, in batches, on a separate thread.
//!
//! Started with the log if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. `base::trace` defines the spans; they are sampled and sent here.
//! If the collector does not respond, traces are lost and requests are not delayed.

use std::collections::HashMap;
use std::path::PathBuf;

use async_trait::async_trait;
use opentelemetry::KeyValue;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};
use tokio::runtime::Handle;
use url::Url;

use crate::base::{ErrorChain, limits};
use crate::outbound::DirectClient;

/// The collector and the sampling.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSettings {
    /// Includes the path of OTLP.
    pub endpoint: String,
    pub headers: HashMap<String, String>,
    /// The sampled share of all traces, from 0 to 1.
    pub share: f64,
    /// A PEM file of roots to trust.
    pub roots: Option<PathBuf>,
}

/// Returns the URL for traces below the collector's base URL.
pub(super) fn endpoint(text: String) -> Result<String, String> {
    let wrong = || "must be an http or https address, such as http://127.0.0.1:4318".to_owned();
    let url = Url::parse(&text).map_err(|_| wrong())?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() || url.query().is_some() {
        return Err(wrong());
    }
    Ok(format!("{}/v1/traces", url.as_str().trim_end_matches('/')))
}

/// Parses headers in the format of OpenTelemetry: `name=value`, separated by commas.
pub(super) fn headers(text: String) -> Result<HashMap<String, String>, String> {
    let pairs = text.split(',').map(|pair| match pair.split_once('=') {
        Some((name, value)) if http::HeaderName::try_from(name.trim()).is_ok() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("must be name=value, with commas between them".to_owned()),
    });
    pairs.collect()
}

pub(super) fn share(text: String) -> Result<f64, String> {
    let share = text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

/// Returns the exporter; the caller logs an error after the log has started.
pub(super) fn start(settings: &TraceSettings) -> Result<(SdkTracerProvider, SdkTracer), String> {
    let text = |error: &(dyn std::error::Error + 'static)| ErrorChain(error).to_string();
    let collector = DirectClient::new(settings.roots.as_deref(), limits::TRACES_SEND).map_err(|error| text(&error))?;
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Client { collector, runtime: Handle::current() })
        .with_endpoint(&settings.endpoint)
        .with_timeout(limits::TRACES_SEND)
        .with_headers(settings.headers.clone())
        .build()
        .map_err(|error| text(&error))?;
    let resource = Resource::builder_empty()
        .with_service_name("card-service")
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .build();
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        // The share applies to all traces; a caller's sampling flag is ignored.
        .with_sampler(Sampler::TraceIdRatioBased(settings.share))
        .with_resource(resource)
        .build();
    let tracer = provider.tracer("card-service");
    Ok((provider, tracer))
}

/// The HTTP client of the exporter's thread, which is not a thread of the runtime.
#[derive(Debug)]
struct Client {
    collector: DirectClient,
    runtime: Handle,
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let collector = self.collector.clone();
        self.runtime.spawn(async move { collector.send(request).await }).await?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoint_of_a_collector_gets_the_path_of_otlp() {
        for address in ["http://127.0.0.1:4318", "http://127.0.0.1:4318/"] {
            assert_eq!(endpoint(address.to_owned()).as_deref(), Ok("http://127.0.0.1:4318/v1/traces"));
        }
        assert_eq!(endpoint("https://a.example/otlp".to_owned()).as_deref(), Ok("https://a.example/otlp/v1/traces"));
        for wrong in ["", "collector:4318", "grpc://a.example", "http://", "http://a.example/?a=b"] {
            assert!(endpoint(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn headers_are_pairs() {
        let read = headers("api-key=a=b, x-team = kaarten".to_owned()).expect("two pairs");
        assert_eq!((read["api-key"].as_str(), read["x-team"].as_str(), read.len()), ("a=b", "kaarten", 2));
        for wrong in ["api-key", "a b=c", "=c"] {
            assert!(headers(wrong.to_owned()).is_err(), "{wrong}");
        }
    }
}
