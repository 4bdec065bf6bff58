//! The HTTP client for addresses that a developer names: the two of `webhook listen`.
//!
//! Not guarded, so it never gets an address of a partner or a family. TLS is the same as the client's.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use reqwest::Client;

use super::failure::OutboundError;
use super::tls;
use crate::base::limits;

/// A client without the guard; cheap to clone.
#[derive(Clone, Debug)]
pub struct DirectClient(Client);

impl DirectClient {
    /// `extra_roots` is a PEM file of roots to trust in addition to the system's; `total` limits a request with its answer.
    #[allow(clippy::disallowed_methods)] // the only other function that builds clients
    pub fn new(extra_roots: Option<&Path>, total: Duration) -> Result<Self, OutboundError> {
        let client = Client::builder()
            .tls_backend_preconfigured(tls::client_config(extra_roots)?)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .connect_timeout(limits::OUTBOUND_CONNECT)
            .timeout(total)
            .build();
        client.map(Self).map_err(|error| OutboundError::Client(error.into()))
    }

    /// Sends a request. A redirect is not followed.
    pub async fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, Box<dyn Error + Send + Sync>> {
        let answer = self.0.execute(request.try_into()?).await?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            *headers = answer.headers().clone();
        }
        Ok(response.body(answer.bytes().await?)?)
    }
}
