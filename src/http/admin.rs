//! The administration server: the operator's pages, on an address of its own (decisions S11).
//!
//! Started by `app` if the operator names an address. It answers nothing but the administration, and the HTTP server answers
//! nothing of it.

use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt as _;
use http::header::STRICT_TRANSPORT_SECURITY;
use http::{HeaderValue, Method, Request, StatusCode};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;

use super::budget::Budget;
use super::client::Client;
use super::connection::Handler;
use super::idle_timer::IdleTimer;
use super::request_timer::RequestTimer;
use super::response_body::ResponseBody;
use super::server::{ListenError, Listener};
use super::tls::Tls;
use super::{app_state, media, router};
use crate::base::{FrontLimits, limits, request_id};
use crate::model::{ADMIN_PATH, Route, text};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::services::Services;
use crate::web::AdminSite;

pub struct AdminServer(Listener);

struct Administration {
    services: Arc<Services>,
    site: AdminSite,
    /// Whether only this machine reaches it, over http.
    is_local: bool,
    response_bytes: Arc<Budget>,
    https_only: Option<HeaderValue>,
}

impl AdminServer {
    /// Listens on `address` and starts to accept connections: over http on the loopback, otherwise over TLS.
    pub async fn start(
        address: SocketAddr,
        tls: Option<Arc<Tls>>,
        services: Arc<Services>,
    ) -> Result<Self, ListenError> {
        let is_local = address.ip().is_loopback();
        let limits = FrontLimits { connections: limits::ADMIN_CONNECTIONS_MAX, ..FrontLimits::default() };
        let handler = Arc::new(Administration {
            site: AdminSite::new(Arc::clone(&services), !is_local),
            services,
            is_local,
            response_bytes: Budget::new(usize::MAX),
            https_only: (!is_local).then(app_state::https_only),
        });
        let tls = tls.filter(|_| !is_local);
        Listener::start(address, None, limits, tls, handler, CancellationToken::new()).await.map(Self)
    }

    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }

    /// Stops accepting, and waits for running requests until `drained`.
    pub async fn stop(self, drained: tokio::time::Instant) {
        if tokio::time::timeout_at(drained, self.0.stop()).await.is_err() {
            tracing::warn!("the administration was stopped before all requests had ended");
        }
    }
}

impl Handler for Administration {
    async fn handle(&self, idle_timer: &Arc<IdleTimer>, request: Request<Incoming>) -> http::Response<ResponseBody> {
        let id = router::new_request_id(&self.services);
        let (parts, body) = request.into_parts();
        let client = idle_timer.client().map(Client::address);
        let head = RequestHead { parts: &parts, route: Route::Admin, id: &id, client, started: Instant::now() };
        let timer = RequestTimer::start(limits::REQUEST_TOTAL);
        let handler = request_id::within(Arc::clone(&id), self.respond(&head, body, &timer));
        let response = match timer.run(AssertUnwindSafe(handler).catch_unwind()).await {
            Some(Ok(response)) => response,
            Some(Err(_panic)) => self.site.failed(StatusCode::INTERNAL_SERVER_ERROR),
            None => self.site.failed(StatusCode::SERVICE_UNAVAILABLE),
        };
        let mut response = response.for_method(&parts.method);
        if let Some(https_only) = &self.https_only {
            response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, https_only.clone());
        }
        router::record(&self.services, &head, &response);
        response.map(|content| ResponseBody::new(content, idle_timer, &self.response_bytes, None, None))
    }
}

impl Administration {
    async fn respond(&self, head: &RequestHead<'_>, body: Incoming, timer: &RequestTimer) -> Response {
        if !head.names_its_host() || (self.is_local && !head.is_for_loopback()) {
            return response::plain(StatusCode::BAD_REQUEST, text::HOST_INVALID);
        }
        let key = head.parts.uri.path().strip_prefix(ADMIN_PATH).and_then(|path| path.strip_prefix("/media/"));
        match key {
            Some(key) if key.starts_with("theme/") && matches!(*head.method(), Method::GET | Method::HEAD) => {
                media::serve(&self.services.media, key, head).await
            }
            _ => Box::pin(self.site.serve(head, router::pieces(body, head, timer))).await,
        }
    }
}
