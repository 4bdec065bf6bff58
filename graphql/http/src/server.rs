//! An HTTP server with hyper.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use dated_graphql::RequestContext;
use http::request::Parts;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use super::api::Api;
use super::error::HttpError;

/// How long the server waits after a connection that it could not accept, for want of file descriptors for example.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves an API until the process ends, and prints its address. `context` makes the context of a request from its head, or refuses
/// the request.
pub async fn serve<C: RequestContext, F>(
    address: &str,
    api: Api<C>,
    context: impl Fn(&Parts) -> F + Send + Sync + 'static,
) -> io::Result<()>
where
    F: Future<Output = Result<C, HttpError>> + Send + 'static,
{
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{address}: {error}"));
    let listener = TcpListener::bind(address).await.map_err(named)?;
    println!("listening on http://{}", listener.local_addr()?);
    let server = Arc::new((api, context));
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let (api, context) = &*server;
            let service = service_fn(|request| async { Ok::<_, Infallible>(api.handle(request, context).await) });
            // The timer closes connections that do not send a head.
            let connection =
                http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection failed");
            }
        });
    }
}
