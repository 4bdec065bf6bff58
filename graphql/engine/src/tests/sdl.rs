//! Reading the SDL of a version. `conformance` holds what introspection says of whole schemas against their files.

use dated_graphql_schema::model::Schema;

use super::Version;
use crate::model::Model;
use crate::{AnyEngine, Engine, Limits, Request};

/// Asks for the roots of a schema.
const INTROSPECTION: &str = "{__schema{description queryType{name} mutationType{name} types{name}}}";

fn introspect<V: Version>() -> String {
    let body = serde_json::json!({ "query": INTROSPECTION }).to_string();
    let request = Request::parse(body.as_bytes()).expect("a request");
    let prepared = Engine::<V>::new(Limits::default()).prepare(&request).map_err(|e| e.to_string());
    let response = prepared.expect("the document is right").plan.plan.response.clone().expect("it is constant");
    String::from_utf8(response.to_vec()).expect("JSON is UTF-8")
}

/// The roots without a block `schema`.
#[test]
fn root_has_the_name_of_its_operation_unless_the_schema_says_otherwise() {
    prepared_version!(Plain, "type Query { a: Int } type Mutation { a: Int }");
    prepared_version!(OwnQuery, "extend schema { query: Root } type Root { a: Int } type Mutation { a: Int }");
    prepared_version!(OwnMutation, "extend schema { mutation: Change } type Query { a: Int } type Change { a: Int }");
    prepared_version!(NoMutation, "schema { query: Query } type Query { a: Int } type Mutation { a: Int }");
    let roots = |response: String| response[21..response.find(",\"types\"").expect("types")].to_owned();
    for (response, query, mutation) in [
        (introspect::<Plain>(), "Query", r#"{"name":"Mutation"}"#),
        (introspect::<OwnQuery>(), "Root", r#"{"name":"Mutation"}"#),
        (introspect::<OwnMutation>(), "Query", r#"{"name":"Change"}"#),
        (introspect::<NoMutation>(), "Query", "null"),
    ] {
        let expected = format!(r#""description":null,"queryType":{{"name":"{query}"}},"mutationType":{mutation}"#);
        assert_eq!(roots(response), expected);
    }
}

/// SDL that no build has checked. Each overflowed the stack with the first request that takes in the default, or filled the memory.
#[test]
fn default_that_contains_itself_or_is_large_is_refused() {
    let nested = |levels: usize| {
        format!("input I {{ a: I b: Int = 1 }} input J {{ j: I = {}{} }}", "{a:".repeat(levels), "}".repeat(levels))
    };
    let chain: String = (0..1_000).map(|at| format!("input I{at} {{ a: I{} = {{}} }}", at + 1)).collect();
    let doubled: String =
        (0..60).map(|at| format!("input I{at} {{ a: I{next} = {{}} b: I{next} = {{}} }}", next = at + 1)).collect();
    for (sdl, refused) in [
        ("input I { a: I = {} }".to_owned(), true),
        ("input I { a: [[I]] = {b: 1} b: Int }".to_owned(), true),
        ("input I { a: J = {} } input J { b: Int c: [I!]! = [{a: null}, {}] }".to_owned(), true),
        ("directive @d(a: I = {}) on FIELD input I { b: J = {} } input J { a: I = {} }".to_owned(), true),
        (chain + "input I1000 { a: Int = 1 }", true),
        (doubled + "input I60 { a: Int = 1 }", true),
        (nested(1_000), true),
        (nested(20).replace("a:}", "a:{}}"), false),
        ("input I { a: I = {a: null} b: I = {a: {a: null, b: null}, b: null} }".to_owned(), false),
        ("input I { a: Int = 1 } input J { i: I = {} is: [I] = [{}, {a: 2}] }".to_owned(), false),
    ] {
        let text: &'static str = format!("type Query {{ a(x: Int = 1): Int }} {sdl}").leak();
        let shown = &text[..text.len().min(100)];
        let made = std::panic::catch_unwind(|| Model::new(text, &[], |_, _| true));
        assert_eq!(made.is_err(), refused, "{shown}");
        assert_eq!(Schema::parse("2027-01", text).is_err(), refused, "the build: {shown}");
    }
}
