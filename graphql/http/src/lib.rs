//! GraphQL over HTTP for the versions of an API, as <https://graphql.github.io/graphql-over-http/draft/> defines it.
//!
//! [`serve`] is a whole server. [`Api::handle`] answers one request, inside a server of your own. An API has these paths:
//!
//! | Request | Response |
//! |---|---|
//! | `GET /` | the versions |
//! | `GET /<version>/schema.graphql` | the SDL |
//! | `POST /<version>/graphql` | a GraphQL response |
//! | `GET /<version>/graphql` | GraphiQL, where it is on |
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use dated_graphql::{AnyEngine, RequestContext};
//! use dated_graphql_http::{Api, HttpError, StatusCode, header};
//!
//! /// What the resolvers of one request get.
//! struct Context {
//!     token: String,
//! }
//!
//! impl RequestContext for Context {}
//!
//! // `engines` comes from `generated::engines`.
//! async fn run(engines: Vec<Arc<dyn AnyEngine<Context>>>) -> std::io::Result<()> {
//!     let api = Api::new(engines).with_graphiql(true).with_origins(["https://app.example"]);
//!     dated_graphql_http::serve("127.0.0.1:9600", api, |head| {
//!         let token = head.headers.get(header::AUTHORIZATION).and_then(|token| token.to_str().ok()).map(str::to_owned);
//!         async {
//!             let refusal = || HttpError::new(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", "Send a token.");
//!             Ok(Context { token: token.ok_or_else(refusal)? })
//!         }
//!     })
//!     .await
//! }
//! ```

mod api;
mod error;
mod media_type;
mod response;
mod server;

pub use api::{Api, BODY_BYTES_MAX, BODY_READ};
pub use error::HttpError;
pub use http::request::Parts;
pub use http::{Request, StatusCode, header};
pub use media_type::{ResponseType, has_content_coding, is_json};
pub use response::Response;
pub use server::serve;
