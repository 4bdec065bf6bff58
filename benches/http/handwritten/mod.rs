//! The limit to measure against: a server that answers the workloads with the same bytes, by hand-written code without any
//! GraphQL. It runs the same SQL on the same tables with the same durability. It checks no token and no rate limit.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use uuid::Uuid;

mod json;
mod postgres;
mod sqlite;

use json::{NewCard, RequestBody};

/// The database of a server.
enum Database {
    Sqlite(sqlite::Database),
    Postgres(postgres::Database),
}

/// Serves until the process is stopped; `listening` is called with the address.
pub(crate) fn serve(url: &str, partner: Uuid, introspection: Vec<u8>, listening: impl FnOnce(SocketAddr)) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    runtime.block_on(async move {
        let database = match url.strip_prefix("sqlite://") {
            Some(path) => Database::Sqlite(sqlite::Database::open(path.as_ref(), partner)),
            None => Database::Postgres(postgres::Database::connect(url, partner).await),
        };
        let shared = Arc::new((database, Bytes::from(introspection)));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        listening(listener.local_addr().expect("bound"));
        loop {
            let (stream, _) = listener.accept().await.expect("a connection");
            stream.set_nodelay(true).expect("a socket option");
            let shared = Arc::clone(&shared);
            let service = service_fn(move |request: Request<Incoming>| {
                let shared = Arc::clone(&shared);
                async move {
                    let (head, body) = request.into_parts();
                    let body = body.collect().await.expect("a body").to_bytes();
                    let key = head.headers.get("idempotency-key").map(|key| key.to_str().expect("text").to_owned());
                    Ok::<_, Infallible>(
                        Response::builder()
                            .header("content-type", "application/json; charset=utf-8")
                            .header("cache-control", "no-store")
                            .body(Full::new(answer(&shared.0, &shared.1, key, &body).await))
                            .expect("a response"),
                    )
                }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
        }
    });
}

async fn answer(database: &Database, introspection: &Bytes, key: Option<String>, body: &[u8]) -> Bytes {
    let request: RequestBody<'_> = serde_json::from_slice(body).expect("a request of the load generator");
    let answer = match (request.operation_name, database) {
        ("Card", Database::Sqlite(sqlite)) => sqlite.card(request.variables.card_id()),
        ("Card", Database::Postgres(postgres)) => postgres.card(request.variables.card_id()).await,
        ("Themes", Database::Sqlite(sqlite)) => sqlite.themes(request.variables.first()),
        ("Themes", Database::Postgres(postgres)) => postgres.themes(request.variables.first()).await,
        ("IntrospectionQuery", _) => return introspection.clone(),
        ("Create", database) => {
            let new = NewCard::new(request.variables.input(), key, body);
            match database {
                Database::Sqlite(sqlite) => sqlite.create(new).await,
                Database::Postgres(postgres) => postgres.create(new).await,
            }
        }
        (other, _) => panic!("no workload {other}"),
    };
    Bytes::from(answer)
}
