//! GraphQL over HTTP: `GET /`, `GET /<version>/schema.graphql` and `POST /<version>/graphql`.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use dated_graphql::{AnyEngine, Refusal, Request, RequestContext};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::generated::VERSIONS;

const BODY_BYTES_MAX: usize = 64 * 1024;

type Response = hyper::Response<Full<Bytes>>;

struct Server<C, N> {
    engines: Vec<Arc<dyn AnyEngine<C>>>,
    /// Makes the context of a request.
    context: N,
}

/// Serves every version until the process ends.
pub async fn serve<C: RequestContext>(
    address: &str,
    engines: Vec<Arc<dyn AnyEngine<C>>>,
    context: impl Fn() -> C + Send + Sync + 'static,
) -> io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    println!("listening on http://{}", listener.local_addr()?);
    let server = Arc::new(Server { engines, context });
    loop {
        let (stream, _) = listener.accept().await?;
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            let service = service_fn(|request| async { Ok::<_, Infallible>(handle(&server, request).await) });
            // The timer closes connections that do not send a head.
            let connection =
                http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), service);
            if let Err(error) = connection.await {
                eprintln!("a connection failed: {error}");
            }
        });
    }
}

async fn handle<C: RequestContext>(server: &Server<C, impl Fn() -> C>, request: hyper::Request<Incoming>) -> Response {
    let (head, body) = request.into_parts();
    let (version, page) = head.uri.path()[1..].split_once('/').unwrap_or_default();
    let engine = server.engines.iter().find(|engine| engine.version() == version);
    match (head.method, engine, page) {
        (Method::GET, None, "") => respond(StatusCode::OK, &versions()),
        (Method::GET, Some(engine), "schema.graphql") => Response::new(engine.sdl().into()),
        (Method::POST, Some(engine), "graphql") => match Limited::new(body, BODY_BYTES_MAX).collect().await {
            Ok(body) => answer(&**engine, &server.context, &body.to_bytes()).await,
            Err(reason) => respond(StatusCode::PAYLOAD_TOO_LARGE, &error("BODY_UNREADABLE", &reason.to_string())),
        },
        _ => respond(StatusCode::NOT_FOUND, &error("NOT_FOUND", "Send a POST to /<version>/graphql.")),
    }
}

/// Parses, prepares and executes a GraphQL request.
async fn answer<C: RequestContext>(engine: &dyn AnyEngine<C>, context: &impl Fn() -> C, body: &[u8]) -> Response {
    let request = match Request::parse(body) {
        Ok(request) => request,
        Err(reason) => return respond(StatusCode::BAD_REQUEST, &error("BAD_REQUEST", &reason.to_string())),
    };
    match engine.prepare(&request) {
        Ok(prepared) => json_response(StatusCode::OK, engine.execute(&prepared, &context()).await.body),
        Err(refusal) => respond(StatusCode::BAD_REQUEST, &refusal_body(&refusal)),
    }
}

/// Returns the response to a document that the engine refuses.
fn refusal_body(refusal: &Refusal) -> Value {
    let errors = refusal.errors.iter().map(|error| {
        let locations = error.locations.iter().map(|at| json!({ "line": at.line, "column": at.column }));
        let locations: Vec<_> = locations.collect();
        json!({ "message": error.detail, "locations": locations, "extensions": { "code": error.code } })
    });
    json!({ "errors": errors.collect::<Vec<_>>() })
}

fn versions() -> Value {
    let versions = VERSIONS.iter().map(|version| json!({ "name": version.name, "status": version.status.as_str() }));
    json!({ "versions": versions.collect::<Vec<_>>() })
}

fn error(code: &str, message: &str) -> Value {
    json!({ "errors": [{ "message": message, "extensions": { "code": code } }] })
}

fn respond(status: StatusCode, body: &Value) -> Response {
    json_response(status, body.to_string().into())
}

fn json_response(status: StatusCode, body: Bytes) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
