//! Compiles the generated code of the cases with hand-written implementations of the traits, and runs it on the engine.
//! Every version responds as its SDL defines.
//!
//! The build script generates the code, `cases/<case>` to the module `generated::<case>`. Compiling is half of the test:
//! what two versions share is implemented only once.

// No case uses all of the model and the re-exports of a version.
#![allow(dead_code, unreachable_pub, unused_imports, clippy::unwrap_used)]

use std::sync::Arc;

use dated_graphql::{AnyEngine, Limits, Request, RequestContext};
use futures_util::FutureExt;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/cases.rs"));
}
mod model;

mod additive;
mod custom_scalar;
mod deep;
mod failing;
mod hooks;
mod input;
mod names;
mod recursive_value;
mod resolved_field;
mod reuse;
mod skeleton;
mod union_and_interface;
mod versions;

/// The request context.
pub struct Context {
    books: Vec<Arc<model::Book>>,
}

impl Context {
    fn new() -> Self {
        let book = |id, title: &str| Arc::new(model::Book { id, title: title.to_owned(), theme: id + 100 });
        Self { books: vec![book(1, "one"), book(2, "two")] }
    }

    fn book(&self, id: &str) -> Option<Arc<model::Book>> {
        self.books.iter().find(|book| book.id.to_string() == id).cloned()
    }
}

impl RequestContext for Context {}

/// Asserts what each version answers to a document: its data, or why it is refused.
fn assert_answers(engines: fn(Limits) -> Vec<Arc<dyn AnyEngine<Context>>>, cases: &[(&str, &str, &str)]) {
    let engines = engines(Limits::DEFAULT);
    for (version, document, expected) in cases {
        let engine = engines.iter().find(|engine| engine.version() == *version).unwrap();
        let body = serde_json::json!({ "query": document }).to_string();
        let answer = match engine.prepare(&Request::parse(body.as_bytes()).unwrap()) {
            Ok(prepared) => engine.execute(&prepared, &Context::new()).now_or_never().unwrap().body,
            Err(refusal) => refusal.errors.into_iter().map(|error| error.detail).collect::<String>().into(),
        };
        let expected =
            if expected.starts_with('{') { format!("{{\"data\":{expected}}}") } else { expected.to_string() };
        assert_eq!(str::from_utf8(&answer).unwrap(), expected, "{version} {document}");
    }
}
