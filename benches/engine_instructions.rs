//! Runs the engine alone, in memory, as often as the first argument says: `benches/instructions.sh` counts what one
//! request costs. The second argument is `warm`, where every request has the same document, or `cold`, where each has one
//! that the engine has not seen. With `time` as the third it says how long they took.

// The schema and its resolvers are those of the comparison with graphql-js.
#![allow(dead_code, unreachable_pub)]

#[path = "../conformance/graphql_js_reference"]
mod graphql_js_reference {
    pub(crate) mod shop_schema;
    #[allow(async_fn_in_trait, clippy::all)] // generated
    pub(crate) mod v2026_10 {
        include!(concat!(env!("OUT_DIR"), "/graphql_js_reference/v2026_10/mod.rs"));
    }
}

use std::hint::black_box;
use std::time::Instant;

use card_service::graphql::{AnyEngine, Engine, Limits, Request};
use futures_util::FutureExt;
use graphql_js_reference::shop_schema::Context;
use graphql_js_reference::v2026_10::V2026_10;

/// The allocator of the server (src/main.rs).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Reading a card, as a partner's case file does; up to the number in the operation's name, and what follows it.
const BODY: [&str; 2] = [
    r#"{"query":"query Read"#,
    concat!(
        r#"($id: ID!){card(id:$id){id status externalDossierId deceased{firstName lastName dateOfBirth dateOfDeath} "#,
        r#"familyContact{name email} cardUrl test createdAt updatedAt}}","#,
        r#""variables":{"id":"gid://service/Card/018f4b1c-2d3e-7a4b-8c5d-6e7f8a9b0c1d"}}"#
    ),
];

/// The number of the first document: all have one of six digits.
const FIRST: u64 = 100_000;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: u64 = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(1_000);
    let cold = arguments.next().as_deref() == Some("cold");
    let engine = Engine::<V2026_10>::new(Limits::default());
    engine.warm();
    let context = Context::default();
    let body = |n: u64| [BODY[0], &(FIRST + n).to_string(), BODY[1]].concat();
    let bodies: Vec<String> = (0..if cold { rounds } else { 1 }).map(body).collect();
    let start = Instant::now();
    let mut bytes = 0;
    for body in bodies.iter().cycle().take(rounds as usize) {
        let request = Request::parse(black_box(body.as_bytes())).expect("the body is a request");
        let prepared = engine.prepare(&request).unwrap_or_else(|refusal| panic!("{refusal}"));
        let reply = engine.execute(&prepared, &context).now_or_never().expect("nothing waits");
        assert_eq!(reply.error_count, 0);
        bytes += black_box(reply.body).len() as u64;
    }
    if arguments.next().as_deref() == Some("time") {
        println!("{:?} a request, {} bytes of answer", start.elapsed() / rounds as u32, bytes / rounds);
    }
}
