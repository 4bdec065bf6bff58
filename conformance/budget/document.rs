//! Hostile GraphQL documents: every shape in which a small text can mean much work, of a size and depth drawn at random.

use serde_json::json;

use super::Input;
use super::random::Random;
use super::target::Target;

/// Makes a document of about so many bytes.
type Shape = fn(&mut Random, usize) -> String;

/// Shapes of documents; each gets a size in bytes that it should have, more or less.
const SHAPES: [(&str, Shape); 16] = [
    ("fragment chain", fragment_chain),
    ("fragment cycle", fragment_cycle),
    ("nested fields", |random, size| nested(random, size, "{card(id:1)", "}")),
    ("inline fragments", |random, size| nested(random, size, "{...", "}")),
    ("inline fragments on a type", |random, size| nested(random, size, "{...on Query", "}")),
    ("nested lists", |random, size| format!("{{card(id:{})}}", nested(random, size, "[", "]"))),
    ("nested objects", |random, size| format!("{{card(id:{})}}", nested(random, size, "{a:", "}"))),
    ("nested types", |random, size| format!("query($a:{}){{__typename}}", nested(random, size, "[", "]"))),
    ("aliases", |_, size| repeated(size, |n| format!("a{n}:__typename "))),
    ("directives", |_, size| format!("{{__typename{}}}", repeated_bare(size, |_| "@skip(if:false)".to_owned()))),
    ("variables", |_, size| format!("query({}){{__typename}}", repeated_bare(size, |n| format!("$v{n}:Int ")))),
    ("operations", |_, size| repeated_bare(size, |n| format!("query Q{n}{{__typename}}"))),
    ("unused fragments", |_, size| {
        format!("{{__typename}}{}", repeated_bare(size, |n| format!("fragment F{n} on Query{{x}}")))
    }),
    ("merging fields", merging),
    ("long word", |random, size| {
        format!("{{{}}}", random.pick(&["x", "_", "9", "\"", "#", "\u{feff}", "\\"]).repeat(size))
    }),
    ("block string", |_, size| format!("{{card(id:\"\"\"{}", "\\\"\"\"".repeat(size / 4))),
];

/// A chain of fragments, each of which spreads the next one twice, and the last one a fragment that does not exist.
pub fn chain_without_end(levels: usize, target: &Target) -> Input {
    let chain = (0..levels).map(|n| format!("fragment F{n} on Query{{...F{0} ...F{0}}}", n + 1));
    recorded(&format!("{{...F0}}{}", chain.collect::<String>()), target)
}

/// A document of any shape, alone or followed by a wrong operation, in a request to the partner API.
pub fn draw(random: &mut Random, target: &Target) -> Input {
    let (shape, make) = *random.pick(&SHAPES);
    let size = random.size(64, 36 * 1024);
    let mut document = make(random, size);
    let wrong = random.below(2) == 0;
    if wrong {
        document.push_str("query Wrong{unknownLeaf}");
    }
    let name = format!("{shape}, {size} bytes{}", if wrong { ", and a wrong operation" } else { "" });
    let variables = if random.below(4) == 0 { variables(random) } else { json!({}) };
    let body = json!({ "query": document, "variables": variables }).to_string();
    Input { family: "document", name, bytes: target.post(body.as_bytes()), connections: 1, reads: true }
}

/// A recorded document, such as graphql-js was asked about.
pub fn recorded(document: &str, target: &Target) -> Input {
    let body = json!({ "query": document }).to_string();
    let name = document.chars().take(60).collect();
    Input { family: "recorded document", name, bytes: target.post(body.as_bytes()), connections: 1, reads: true }
}

/// A body that is not a sensible request.
pub fn draw_body(random: &mut Random, target: &Target) -> Input {
    let size = random.size(64, 400 * 1024);
    let (name, body) = match random.below(7) {
        0 => ("open brackets", "[".repeat(size)),
        1 => ("open objects", "{\"a\":".repeat(size / 5)),
        2 => ("escapes", format!("{{\"query\":\"{}\"}}", "\\u0041".repeat(size / 6))),
        3 => ("surrogates", format!("{{\"query\":\"{}\"}}", "\\ud83d".repeat(size / 6))),
        4 => ("the same key", format!("{{{}\"query\":\"{{x}}\"}}", "\"query\":\"{__typename}\",".repeat(size / 23))),
        5 => ("a long number", format!("{{\"query\":\"{{x}}\",\"variables\":{{\"a\":{}}}}}", "9".repeat(size))),
        _ => ("variables", json!({ "query": "query($a:Int){__typename}", "variables": variables(random) }).to_string()),
    };
    let name = format!("{name}, {} bytes", body.len());
    Input { family: "body", name, bytes: target.post(body.as_bytes()), connections: 1, reads: true }
}

fn variables(random: &mut Random) -> serde_json::Value {
    let count = random.size(1, 8_000);
    match random.below(4) {
        0 => (0..count).map(|n| (format!("v{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into(),
        1 => json!({ "a": vec![json!({}); count] }),
        2 => json!({ "a": "x".repeat(count * 8) }),
        _ => (0..count.min(100)).fold(json!(1), |inner, _| json!({ "a": inner })),
    }
}

fn fragment_chain(random: &mut Random, size: usize) -> String {
    let spreads = random.size(1, 40);
    let levels = (size / (22 + 6 * spreads)).clamp(1, 400);
    let chain = (0..levels).map(|n| format!("fragment F{n} on Query{{{}}}", format!("...F{} ", n + 1).repeat(spreads)));
    let end = if random.below(2) == 0 { format!("fragment F{levels} on Query{{__typename}}") } else { String::new() };
    format!("{{...F0}}{}{end}", chain.collect::<String>())
}

fn fragment_cycle(random: &mut Random, size: usize) -> String {
    let (spreads, levels) = (random.size(1, 8), (size / 40).clamp(1, 800));
    let ring = (0..levels)
        .map(|n| format!("fragment F{n} on Query{{{}}}", format!("...F{} ", (n + 1) % levels).repeat(spreads)));
    format!("{{...F0}}{}", ring.collect::<String>())
}

/// `open` again and again, closed as often or not at all.
fn nested(random: &mut Random, size: usize, open: &str, close: &str) -> String {
    let levels = size / (open.len() + close.len());
    let closed = if random.below(2) == 0 { levels } else { 0 };
    format!("{}x{}", open.repeat(levels), close.repeat(closed))
}

/// Levels that double what is merged below them.
fn merging(random: &mut Random, size: usize) -> String {
    let levels = random.size(1, 12);
    let mut inner = "id".to_owned();
    for level in 0..levels {
        inner = format!("node(id:1){{...on Card{{x{level}:id}}...on Theme{{x{level}:id}}{inner}}}node(id:1){{id}}");
        if inner.len() > size {
            break;
        }
    }
    format!("{{{inner}}}")
}

fn repeated(size: usize, item: impl Fn(usize) -> String) -> String {
    format!("{{{}}}", repeated_bare(size, item))
}

fn repeated_bare(size: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut n = 0;
    while text.len() < size {
        text.push_str(&item(n));
        n += 1;
    }
    text
}
