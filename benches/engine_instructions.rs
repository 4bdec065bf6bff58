//! Runs the engine alone, in memory, as often as the first argument says: `benches/instructions.sh` counts what one
//! request costs. With `time` as the second argument it says how long they took.

// The shop is the judge's; not all of the judge is needed here.
#![allow(dead_code)]

#[path = "../conformance/judge"]
mod judge {
    #[allow(clippy::all)] // written by the generator
    #[rustfmt::skip] // formatted by its generator
    mod generated;
    pub mod shop;
    mod zoo;
    pub use generated::{v2026_10, vzoo};
}

use std::hint::black_box;
use std::time::Instant;

use card_service::graphql::{AnyEngine, Engine, Limits, Request};
use futures_util::FutureExt;
use judge::shop::Context;
use judge::v2026_10::V2026_10;

/// Reading a card, as a partner's case file does.
const BODY: &str = concat!(
    r#"{"query":"query($id: ID!){card(id:$id){id status externalDossierId deceased{firstName lastName dateOfBirth "#,
    r#"dateOfDeath} familyContact{name email} cardUrl test createdAt updatedAt}}","#,
    r#""variables":{"id":"gid://service/Card/018f4b1c-2d3e-7a4b-8c5d-6e7f8a9b0c1d"}}"#
);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let rounds: u64 = arguments.next().and_then(|rounds| rounds.parse().ok()).unwrap_or(1_000);
    let engine = Engine::<V2026_10>::new(Limits::default());
    engine.warm();
    let context = Context::default();
    let start = Instant::now();
    let mut bytes = 0;
    for _ in 0..rounds {
        let request = Request::parse(black_box(BODY.as_bytes())).expect("the body is a request");
        let prepared = engine.prepare(&request).unwrap_or_else(|refusal| panic!("{refusal}"));
        let reply = engine.execute(&prepared, &context).now_or_never().expect("nothing waits");
        assert_eq!(reply.error_count, 0);
        bytes += black_box(reply.body).len() as u64;
    }
    if arguments.next().as_deref() == Some("time") {
        println!("{:?} a request, {} bytes of answer", start.elapsed() / rounds as u32, bytes / rounds);
    }
}
