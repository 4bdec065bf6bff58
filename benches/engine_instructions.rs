//! Runs the engine alone, in memory, as often as the first argument says: `benches/instructions.sh` counts the instructions of
//! one request. The second argument is `warm`, where every request has the same document, or `cold`, where each has a new one.

use std::hint::black_box;

use dated_graphql::{AnyEngine, Engine, Limits, Request};
use futures_util::FutureExt;
use graphql_js_reference::Context;
use graphql_js_reference::vtest::Vtest;
use mimalloc as _; // the allocator of the server (src/main.rs)

/// A request that reads one object as a partner reads a card: before and after the number in the operation's name.
const BODY: [&str; 2] = [
    r#"{"query":"query Read"#,
    concat!(
        r#"($id: ID!){keeper(id:$id){id name nick(short:true) badge height hired site active office{street number open "#,
        r#"habitat mustWithin{depth label}} tags}}","variables":{"id":"2"}}"#
    ),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: u64 = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(1_000);
    let cold = arguments.next().as_deref() == Some("cold");
    let engine = Engine::<Vtest>::new(Limits::default());
    let context = Context::default();
    let body = |n: u64| [BODY[0], &(100_000 + n).to_string(), BODY[1]].concat(); // numbers of six digits
    let bodies: Vec<String> = (0..if cold { rounds } else { 1 }).map(body).collect();
    for body in bodies.iter().cycle().take(rounds as usize) {
        let body = black_box(body.as_bytes());
        // As the server does: a document that has a plan is found before it is unescaped.
        let request = Request::scan(body).expect("the body is a request");
        let prepared = match engine.prepare_cached(&request) {
            Some(prepared) => prepared,
            None => engine.prepare(&request.unescape().expect("the document is a string")),
        };
        let prepared = prepared.unwrap_or_else(|refusal| panic!("{refusal}"));
        let reply = engine.execute(&prepared, &context).now_or_never().expect("nothing waits");
        assert!(reply.error_codes.is_empty());
        black_box(reply.body);
    }
}
