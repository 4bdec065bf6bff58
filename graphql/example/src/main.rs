//! A GraphQL server of the Star Wars films, with two versions of one API: `POST /2026-10/graphql`.
//!
//! Usage: `starwars [address]`, by default 127.0.0.1:9600. Port 0 takes a free port. A browser gets GraphiQL at the same path.

#![allow(unreachable_pub)] // generated code is public, and so are the types that it names

#[rustfmt::skip] // formatted by its generator
#[path = "../generated/mod.rs"]
mod generated;
mod model;
mod resolver;

use std::io;
use std::sync::Arc;

use dated_graphql::{Executed, Limits, Loader, PreparedOperation, RequestContext};
use dated_graphql_http::Api;

use crate::generated::v2026_01::Character;
use crate::model::Store;

/// The points that an operation may cost.
const COST_MAX: u32 = 1_000;

/// What the resolvers of one request get.
pub struct Context {
    store: Arc<Store>,
    /// The friends of characters, by the id of the character.
    friends: Loader<&'static str, Vec<Character>>,
}

impl RequestContext for Context {
    async fn around_operation<F: Future<Output = Executed> + Send>(
        &self,
        operation: &PreparedOperation,
        execute: impl FnOnce() -> F + Send,
    ) -> Executed {
        match operation.cost() {
            0..=COST_MAX => execute().await,
            _ => Executed::refuse("TOO_EXPENSIVE", "Ask for smaller pages."),
        }
    }
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:9600".to_owned());
    let store = Arc::new(Store::default());
    let api = Api::new(generated::engines(Limits::DEFAULT)).with_graphiql(true).with_origins(["https://films.example"]);
    dated_graphql_http::serve(&address, api, move |_| {
        let context = Context { store: Arc::clone(&store), friends: Loader::default() };
        async { Ok(context) }
    })
    .await
}
