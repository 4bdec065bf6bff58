//! The connector of the guarded client: looks up and checks a name, connects, and makes the TLS handshake, within
//! [`limits::OUTBOUND_CONNECT`] in all.

use std::future::{Ready, ready};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use http::{Extensions, Uri};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::dns::Name;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_util::either::Either;
use tower_service::Service;

use super::guard::Guard;
use super::post::Failure;
use crate::base::limits;
use crate::model::NoAnswer;

/// The time after which an idle connection is probed, and between probes. One that answers none of three is closed.
const KEEPALIVE: Duration = Duration::from_secs(15);

/// Connects to the addresses that its guard permits.
#[derive(Clone)]
pub(super) struct Connector {
    pub(super) guard: Guard,
    pub(super) tls: Arc<ClientConfig>,
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = Failure;
    type Future = BoxFuture<'static, Result<Stream, Failure>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        Box::pin(self.clone().connect(to))
    }
}

impl Connector {
    async fn connect(self, to: Uri) -> Result<Stream, Failure> {
        let end = Instant::now() + limits::OUTBOUND_CONNECT;
        let host = to.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
        let is_tls = to.scheme_str() == Some("https");
        let resolved = match host.parse::<IpAddr>() {
            Ok(_) => Vec::new(), // the client has checked it, and the connector reads it from the URL
            Err(_) => timeout_at(end, self.guard.resolve(&host)).await.map_err(|_| NoAnswer::NameTimeOut)??,
        };
        let mut http = HttpConnector::new_with_resolver(Resolved(resolved));
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(limits::OUTBOUND_CONNECT)); // shared by the addresses of a name
        http.set_keepalive(Some(KEEPALIVE));
        http.set_keepalive_interval(Some(KEEPALIVE));
        http.set_keepalive_retries(Some(3));
        let tcp = timeout_at(end, http.call(to)).await.map_err(|_| NoAnswer::ConnectTimeOut)?;
        let tcp = tcp.map_err(|error| Failure::from_error(&error))?.into_inner();
        let stream = |io| Stream { io: TokioIo::new(io), reuse: Reuse::default() };
        if !is_tls {
            return Ok(stream(Either::Left(tcp)));
        }
        let name = ServerName::try_from(host).map_err(|_| NoAnswer::CertificateName)?;
        let handshake = timeout_at(end, TlsConnector::from(self.tls).connect(name, tcp));
        let tls =
            handshake.await.map_err(|_| NoAnswer::TlsTimeOut)?.map_err(|error| Failure::from_handshake(&error))?;
        Ok(stream(Either::Right(tls)))
    }
}

/// The checked addresses of one name.
#[derive(Clone)]
struct Resolved(Vec<SocketAddr>);

impl Service<Name> for Resolved {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Ready<io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        ready(Ok(std::mem::take(&mut self.0).into_iter()))
    }
}

/// Whether a connection has answered a request; shared by everything that knows the connection.
#[derive(Clone, Debug, Default)]
pub(super) struct Reuse(Arc<AtomicBool>);

impl Reuse {
    /// Records that the connection of a response has answered.
    pub(super) fn record(extensions: &Extensions) {
        if let Some(Self(has_answered)) = extensions.get() {
            has_answered.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the connection of a failed request answered an earlier one, so that its server may have closed it while it was idle.
    pub(super) fn has_answered(error: &legacy::Error) -> bool {
        let mut extensions = Extensions::new();
        error.connect_info().inspect(|connected| connected.get_extras(&mut extensions));
        extensions.get().is_some_and(|Self(has_answered)| has_answered.load(Ordering::Relaxed))
    }
}

/// A connection, with or without TLS.
pub(super) struct Stream {
    io: TokioIo<Either<TcpStream, TlsStream<TcpStream>>>,
    reuse: Reuse,
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        let tcp = match self.io.inner() {
            Either::Left(tcp) => tcp,
            Either::Right(tls) => tls.get_ref().0,
        };
        tcp.connected().extra(self.reuse.clone())
    }
}

impl Read for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(cx, buffer)
    }
}

impl Write for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(cx, slices)
    }
}
