//! Hostile documents: each is refused within a bound of processor time, and none ends the process.

use std::time::Duration;

use super::{engine, prepare, prepare_body, processor_time};
use crate::{Request, RequestError};

/// The processor time that a refusal may take.
const QUICK: Duration = if cfg!(debug_assertions) { Duration::from_millis(1_000) } else { Duration::from_millis(10) };

/// Runs `work`, and fails if it takes more than [`QUICK`].
#[track_caller]
fn quickly<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let start = processor_time();
    let done = work();
    let took = processor_time() - start;
    assert!(took < QUICK, "{what} took {took:?}");
    done
}

/// Asserts that a document is refused, and so is the same document with its last leaf unknown.
#[track_caller]
fn refused_at_once(what: &str, query: &str) {
    for query in [query.to_owned(), with_unknown_leaf(query)] {
        let engine = engine();
        let prepared = quickly(what, || prepare(&engine, &query).map(|_| ()));
        prepared.expect_err(what);
        assert_eq!(engine.kept().0, 0, "{what} is kept");
    }
}

/// The document with its last name replaced by one that nothing has.
fn with_unknown_leaf(query: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = query.rfind(is_name).map_or(query.len(), |at| at + 1);
    let start = query[..end].trim_end_matches(is_name).len();
    format!("{}unknownLeaf{}", &query[..start], &query[end..])
}

#[test]
fn fragment_bombs_are_refused() {
    for levels in [10, 20, 30, 300] {
        let fragments = (0..levels).map(|i| format!("fragment F{i} on Query{{...F{0} ...F{0}}}", i + 1));
        let query = format!("{{...F0}}{}fragment F{levels} on Query{{__typename}}", fragments.collect::<String>());
        refused_at_once("a fragment bomb", &query);
    }
}

/// Fragments of which each spreads the next one `spreads` times; the last one is missing.
fn chain_with_missing_end(levels: usize, spreads: usize) -> String {
    let fragments =
        (0..levels).map(|i| format!("fragment F{i} on Query{{{}}}", format!("...F{} ", i + 1).repeat(spreads)));
    format!("{{...F0}}{}", fragments.collect::<String>())
}

#[test]
fn fragment_chains_with_an_unknown_end_are_refused() {
    for (levels, spreads) in [(1, 1), (10, 2), (25, 2), (28, 2), (30, 2), (28, 8), (300, 2), (300, 8)] {
        refused_at_once("a chain of fragments with an unknown end", &chain_with_missing_end(levels, spreads));
    }
    refused_at_once("an unknown fragment", "{...F}");
    refused_at_once("an unknown fragment beside a field", "{text ...F}");
    refused_at_once("an unknown fragment in a fragment that no operation spreads", "{text} fragment F on Query{...G}");
    let unused = chain_with_missing_end(28, 8).replacen("{...F0}", "{text}", 1);
    refused_at_once("an unused chain of fragments with an unknown end", &unused);
}

#[test]
fn undefined_variables_of_many_operations_are_refused() {
    let operations = (0..900).map(|i| format!("query Q{i}{{...F}}")).collect::<String>();
    let variables = (0..2_000).map(|i| format!("$v{i} ")).collect::<String>();
    let fragment = format!("fragment F on Query{{text(deep:[[[{variables}]]])}}");
    refused_at_once("undefined variables of many operations", &(operations + &fragment));
}

#[test]
fn deep_literals_are_refused() {
    for open in ["[", "{a:", "{ins:[", "[{in:"] {
        refused_at_once("a deep literal", &format!("{{text(deep:{}", open.repeat(20_000 / open.len())));
    }
    refused_at_once("a deep list, closed", &format!("{{text(deep:{}{})}}", "[".repeat(16_000), "]".repeat(16_000)));
    refused_at_once("a deep selection", &"{node".repeat(6_000));
    refused_at_once("a deep type", &format!("query($a:{}Int", "[".repeat(20_000)));
    refused_at_once(
        "a deep type, closed",
        &format!("query($a:{}Int{}){{text}}", "[".repeat(15_000), "]".repeat(15_000)),
    );
    refused_at_once("inline fragments", &"{...".repeat(8_000));
    refused_at_once("parentheses", &"(".repeat(32_000));
}

#[test]
fn texts_that_are_no_documents_are_refused() {
    refused_at_once("comments", &"#\n".repeat(16_000));
    refused_at_once("one comment", &format!("#{}", "{".repeat(32_000)));
    refused_at_once("commas", &",".repeat(32_000));
    refused_at_once("a string without end", &format!("{{text(s:\"{}", "a".repeat(32_000)));
    refused_at_once("a block string without end", &format!("{{text(s:\"\"\"{}", "\\\"\"\"".repeat(8_000)));
    refused_at_once("quotes", &"\"".repeat(32_001));
    refused_at_once("backslashes", &format!("\"{}", "\\".repeat(32_000)));
    refused_at_once("numbers in strings", &format!("{{text(s:\"{}", "\\uD83D".repeat(5_000)));
    refused_at_once("nothing", "");
    refused_at_once("zeroes", &"\0".repeat(32_000));
    refused_at_once("byte order marks", &"\u{feff}".repeat(10_000));
    refused_at_once("dots", &".".repeat(32_000));
    refused_at_once("too much", &"{a}".repeat(100_000));
}

#[test]
fn deep_variables_are_refused() {
    for open in ["[", "{\"in\":"] {
        let body = format!("{{\"query\":\"{{text}}\",\"variables\":{{\"a\":{}", open.repeat(100_000 / open.len()));
        let request = quickly("a deep variable", || Request::parse(body.as_bytes()));
        let error = request.expect_err("JSON may nest 128 levels");
        assert!(matches!(error, RequestError::Shape(_)), "{error}");
    }
}

#[test]
fn large_variables_are_refused_at_once() {
    let engine = engine();
    let keys: serde_json::Map<_, _> = (0..20_000).map(|i| (format!("k{i}"), 1.into())).collect();
    let many: Vec<_> = (0..50_000).map(|_| serde_json::json!({})).collect();
    for wrong in [serde_json::Value::from(keys), many.into(), serde_json::json!({ "n": "x".repeat(200_000) })] {
        let body = serde_json::json!({ "query": "query($i:In){text(in:$i)}", "variables": { "i": wrong } });
        let prepared = quickly("a large variable", || prepare_body(&engine, &body).map(|_| ()));
        let refusal = prepared.expect_err("the variable is wrong");
        assert!(refusal.errors[0].detail.len() < 3_000);
    }
}
