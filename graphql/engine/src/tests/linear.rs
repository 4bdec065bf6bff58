//! Preparing a request takes time linear in its bytes, for every shape.
//!
//! Each family makes requests of one shape and any size. The exponent of the time between [`SMALL`] and [`LARGE`] bytes is
//! 1 for linear time and 2 for quadratic time. Other work on the machine only makes a run slower, so the fastest of many
//! runs counts, and a family is measured until it is shown to be linear or [`ROUNDS`] have passed.

use std::hint::black_box;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Tiny, processor_time};
use crate::{AnyEngine, Engine, Limits, Request};

const SMALL: usize = 8 * 1024;
const LARGE: usize = 32 * 1024;

/// The highest exponent allowed: the constant part of a run makes it lower than 1, the caches of the processor higher.
const EXPONENT_MAX: f64 = 1.15;

/// How often a family is measured at least and at most.
const ROUNDS: std::ops::Range<u32> = 5..300;

/// Makes a document of about so many bytes.
type Family = fn(usize) -> String;

const DOCUMENTS: [(&str, Family); 44] = [
    // Fields.
    ("one field again and again", |size| set(size, |_| "text ".into())),
    ("fields of one key", |size| set(size, |_| "text(s:\"aaaaaaaaaaaaaaaaaaaaaa\") ".into())),
    ("fields of one key, one of them different", |size| {
        format!("{{{} text}}", many(size, |_| "text(s:\"aaaaaaaaaaaaaaaaaaaaaa\") ".into()))
    }),
    ("fields of one key with fields", |size| set(size, |n| format!("node(id:\"{:084}\"){{id node{{id}}}}", n % 2))),
    ("fields on types", |size| {
        set(size, |n| format!("node(id:\"{:084}\"){{...on {} {{id many{{id}}}}}}", 0, ["A", "B"][n % 2]))
    }),
    ("different arguments", |size| set(size, |n| format!("text(s:\"{n:022}\") "))),
    ("large arguments of one key", |size| {
        let list = many(size / 2, |n| format!("{n} "));
        format!("{{text(deep:[[[{list}]]]) text(deep:[[[{list}]]])}}")
    }),
    ("large objects of one key", |size| {
        let object = many(size / 2, |n| format!("{{n:{n} text:\"a\"}}"));
        format!("{{text(in:{{ins:[{object}]}}) text(in:{{ins:[{object}]}})}}")
    }),
    ("unknown fields", |size| set(size, |n| format!("field{n:030} "))),
    ("aliases", |size| set(size, |n| format!("a{n:024}:text "))),
    ("levels that double what is merged", |size| {
        let levels =
            |inner: &String| format!("node{{...on A{{x:id}} ...on B{{x:id}} ...on C{{x:id}} {inner}}} node{{id}}");
        let first = "node{id}".repeat(size / 16);
        format!("{{{}}}", std::iter::successors(Some(first), |inner| Some(levels(inner))).nth(6).expect("no end"))
    }),
    ("nested fields", |size| format!("{{{}id{}}}", "node{".repeat(size / 6), "}".repeat(size / 6))),
    ("inline fragments", |size| set(size, |_| "...on Query{text(s:\"aaaaaaaaaaaa\")}".into())),
    ("introspection", |size| set(size, |_| format!("__type(name:\"In\"){{inputFields{{name}}}}{}", " ".repeat(70)))),
    // Arguments and values.
    ("unknown arguments", |size| format!("{{text({})}}", many(size, |n| format!("x{n}:1 ")))),
    ("one argument again and again", |size| format!("{{text({})}}", "s:1 ".repeat(size / 4))),
    ("a list", |size| format!("{{text(deep:[[[{}]]])}}", "1 ".repeat(size / 2))),
    ("a list of wrong values", |size| format!("{{text(colours:[{}])}}", "1 ".repeat(size / 2))),
    ("a list of enum values", |size| format!("{{text(colours:[{}])}}", "BLUE ".repeat(size / 5))),
    ("a list of objects", |size| format!("{{text(in:{{ins:[{}]}})}}", "{n:1 text:\"a\"}".repeat(size / 14))),
    ("unknown input fields", |size| format!("{{text(in:{{{}}})}}", many(size, |n| format!("x{n}:1 ")))),
    ("one input field again and again", |size| format!("{{text(in:{{{}}})}}", "n:1 ".repeat(size / 4))),
    ("nested lists", |size| format!("{{text(deep:{}{})}}", "[".repeat(size / 2), "]".repeat(size / 2))),
    ("a string", |size| format!("{{text(s:\"{}\")}}", "a".repeat(size))),
    ("a string of escapes", |size| format!("{{text(s:\"{}\")}}", "\\u0041".repeat(size / 6))),
    ("a block string", |size| format!("{{text(s:\"\"\"{}\"\"\")}}", "\n  a".repeat(size / 4))),
    ("a number", |size| format!("{{text(in:{{n:{}}})}}", "9".repeat(size))),
    // Variables and directives.
    ("variables", |size| {
        let uses = many(size / 2, |n| format!("$v{n:010} "));
        format!("query({}){{text(deep:[[[{uses}]]])}}", many(size / 2, |n| format!("$v{n:010}:Int")))
    }),
    ("unused variables", |size| format!("query({}){{text}}", many(size, |n| format!("$v{n}:Int ")))),
    ("undefined variables", |size| format!("{{text(deep:[[[{}]]])}}", many(size, |n| format!("$v{n} ")))),
    ("one variable again and again", |size| format!("query({}){{text}}", "$v:Int ".repeat(size / 7))),
    ("conditions", |size| {
        let fields = many(size / 2, |n| format!("text @{}(if:$v{:08}) ", ["skip", "include"][n % 2], n % 50));
        format!("query({}){{{fields}}}", many(size / 2, |n| format!("$v{n:08}:Boolean!")))
    }),
    ("conditions of many operations", |size| {
        let fields = (0..15).map(|n| format!("text @skip(if:$v{n})")).collect::<String>();
        let variables = (0..15).map(|n| format!("$v{n}:Boolean!")).collect::<String>();
        let operations = many(size, |n| format!("query Q{n:0400}({variables}){{...F}}"));
        format!("{operations} fragment F on Query{{{fields}}}")
    }),
    ("unknown directives", |size| format!("{{text {}}}", "@a".repeat(size / 2))),
    ("directives", |size| format!("{{{}}}", "text@skip(if:true)".repeat(size / 18))),
    // Operations and fragments.
    ("operations", |size| many(size, |n| format!("query Q{n:028}{{text}}"))),
    ("operations that spread a fragment", |size| {
        format!("{}fragment F on Query{{text}}", many(size, |n| format!("query Q{n:028}{{...F}}")))
    }),
    ("unused fragments", |size| format!("{{text}}{}", many(size, |n| format!("fragment F{n} on Query{{text}}")))),
    ("spread fragments", |size| {
        let fragments = many(size / 3 * 2, |n| format!("fragment F{n} on Query{{text(s:\"aaaaaaaa\")}}"));
        format!("{{{}}}{fragments}", many(size / 6, |n| format!("...F{n} ")))
    }),
    ("unknown fragments", |size| set(size, |n| format!("...F{n:030} "))),
    ("a cycle of fragments", |size| {
        let count = size / 44;
        let ring = (0..count).map(|n| format!("fragment F{n:04} on Query{{...F{:04} ...F0000}}", (n + 1) % count));
        format!("{{...F0000}}{}", ring.collect::<String>())
    }),
    ("cycles that meet in one fragment", |size| {
        let count = size / 40;
        let spreads = (0..count).map(|n| format!("...F{n:04} ")).collect::<String>();
        let petals = (0..count).map(|n| format!("fragment F{n:04} on Query{{...C}}")).collect::<String>();
        format!("{{...C}}fragment C on Query{{{spreads}}}{petals}")
    }),
    // Texts.
    ("a name", |size| format!("{{{}}}", "x".repeat(size))),
    ("comments", |size| "#\n".repeat(size / 2)),
];

/// Repeats an item, which gets its number, up to `size` bytes.
fn many(size: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut n = 0;
    while text.len() < size {
        text.push_str(&item(n));
        n += 1;
    }
    text
}

/// A query that selects these items.
fn set(size: usize, item: impl Fn(usize) -> String) -> String {
    format!("{{{}}}", many(size, item))
}

/// A body whose document and variables are both about half of `size`.
fn variables(size: usize) -> Value {
    let names: Vec<String> = (0..size / 48).map(|n| format!("v{n:06}")).collect();
    let definitions = names.iter().map(|name| format!("${name}:Int ")).collect::<String>();
    let uses = names.iter().map(|name| format!("${name} ")).collect::<String>();
    let sent: Map<_, _> = names.iter().map(|name| (name.clone(), 1.into())).collect();
    json!({ "query": format!("query({definitions}){{text(deep:[[[{uses}]]])}}"), "variables": sent })
}

/// A body whose variable holds an object with names that its type does not have.
fn unknown_names(size: usize) -> Value {
    let names: Map<_, _> = (0..size / 16).map(|n| (format!("x{n:010}"), 1.into())).collect();
    json!({ "query": "query($i:In){text(in:$i)}", "variables": { "i": names } })
}

/// A body whose variable holds a list of objects.
fn objects(size: usize) -> Value {
    let items: Vec<_> = (0..size / 32).map(|n| json!({ "n": n, "text": "abcdefg" })).collect();
    json!({ "query": "query($i:In){text(in:$i)}", "variables": { "i": { "ins": items } } })
}

/// The processor time that one request takes in an engine that keeps no plan.
fn time(engine: &Engine<Tiny>, body: &[u8]) -> Duration {
    let start = processor_time();
    let request = Request::parse(body).expect("the body is a request");
    drop(black_box(engine.prepare(&request)));
    processor_time() - start
}

#[test]
fn time_is_linear_in_bytes() {
    let engine = Engine::new(Limits { document_bytes_max: usize::MAX, plan_bytes_max: 1, ..Limits::default() });
    let documents = DOCUMENTS.map(|(name, family)| {
        let body = |size| json!({ "query": family(size) });
        (name, [body(SMALL), body(LARGE)])
    });
    let bodies = [
        ("sent variables", [variables(SMALL), variables(LARGE)]),
        ("unknown names in a variable", [unknown_names(SMALL), unknown_names(LARGE)]),
        ("objects in a variable", [objects(SMALL), objects(LARGE)]),
    ];
    let mut failures = Vec::new();
    for (name, bodies) in documents.into_iter().chain(bodies) {
        let [small, large] = bodies.map(|body| body.to_string().into_bytes());
        let growth = (large.len() as f64 / small.len() as f64).ln();
        let (mut fastest_small, mut fastest_large) = (Duration::MAX, Duration::MAX);
        let mut exponent = f64::MAX;
        for round in 0..ROUNDS.end {
            fastest_small = fastest_small.min(time(&engine, &small));
            fastest_large = fastest_large.min(time(&engine, &large));
            exponent = (fastest_large.as_secs_f64() / fastest_small.as_secs_f64()).ln() / growth;
            if round >= ROUNDS.start && exponent <= EXPONENT_MAX {
                break;
            }
        }
        println!("{exponent:.2} {fastest_large:?} {name}");
        if exponent > EXPONENT_MAX {
            failures.push(format!("{name}: exponent {exponent:.2}, {fastest_large:?} for {} bytes", large.len()));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
