//! The HTTP client for the collector of traces.
//!
//! Called by the telemetry. Not guarded, because the operator configures the address; TLS is the same as the client's.

use std::error::Error;
use std::path::Path;

use bytes::Bytes;
use http::{Request, Response};
use reqwest::Client;

use super::failure::OutboundError;
use super::tls;
use crate::base::limits;

/// A client that posts traces; cheap to clone.
#[derive(Clone, Debug)]
pub struct Collector(Client);

impl Collector {
    /// `extra_roots` is a PEM file of roots to trust in addition to the system's.
    #[allow(clippy::disallowed_methods)] // the only other function that builds clients
    pub fn new(extra_roots: Option<&Path>) -> Result<Self, OutboundError> {
        let client = Client::builder()
            .tls_backend_preconfigured(tls::client_config(extra_roots)?)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(limits::OUTBOUND_CONNECT)
            .timeout(limits::TRACES_SEND)
            .build();
        client.map(Self).map_err(|error| OutboundError::Client(error.into()))
    }

    /// Sends a batch.
    pub async fn send(&self, batch: Request<Bytes>) -> Result<Response<Bytes>, Box<dyn Error + Send + Sync>> {
        let answer = self.0.execute(batch.try_into()?).await?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            *headers = answer.headers().clone();
        }
        Ok(response.body(answer.bytes().await?)?)
    }
}
