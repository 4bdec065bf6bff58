//! Reading the SDL of a version. `conformance` holds what introspection says of whole schemas against their files.

#[path = "../../../../conformance/fuzz/seed.rs"]
#[allow(clippy::disallowed_methods)] // FUZZ_CASES
mod seed;

use schema::model::Schema;

use super::Version;
use crate::model::Model;
use crate::{AnyEngine, Engine, Limits, Request};
use seed::{changed, for_all};

/// Asks for all that introspection says of a schema.
const INTROSPECTION: &str = "{__schema{description queryType{name} mutationType{name}
    types{kind name description specifiedByURL isOneOf interfaces{name} possibleTypes{name}
        fields(includeDeprecated:true){name description isDeprecated deprecationReason type{...T} args{...I}}
        enumValues(includeDeprecated:true){name isDeprecated deprecationReason}
        inputFields(includeDeprecated:true){...I}}
    directives{name description isRepeatable locations args{...I}}}}
    fragment T on __Type{kind name ofType{kind name ofType{kind name ofType{name}}}}
    fragment I on __InputValue{name description defaultValue isDeprecated deprecationReason type{...T}}";

prepared_version!(
    Extended,
    r#"
    extend schema { mutation: Change }
    extend type A implements & M @a { n: Int @deprecated }
    "The \"schema\"."
    schema @a { query: Root }
    type Root { a: A u: U n: N }
    type Change { a(in: I): A }
    """
      An
        a.
    """
    type A implements N { m: [[Int!]]! }
    type B
    extend type B @a { b: S }
    interface N { m: [[Int!]]! }
    interface M { n: Int }
    extend interface N implements M { n: Int }
    union U = | A
    extend union U = B
    scalar S extend scalar S @specifiedBy(url: "https://s.example/\u0041")
    enum E { "x" X } extend enum E { Y @deprecated(reason: """Use "X".""") }
    input I { e: E = X }
    extend input I @oneOf { list: [E!] = [X, Y] }
    directive @a("b" b: Int = 1) repeatable on | SCHEMA | OBJECT
    "#
);

prepared_version!(
    Merged,
    r#"
    "The \"schema\"." schema { query: Root mutation: Change }
    type Root { a: A u: U n: N }
    type Change { a(in: I): A }
    "An\n  a." type A implements N & M { m: [[Int!]]! n: Int @deprecated(reason: "No longer supported") }
    type B { b: S }
    interface N implements M { m: [[Int!]]! n: Int }
    interface M { n: Int }
    union U = A | B
    scalar S @specifiedBy(url: "https://s.example/A")
    enum E { "x" X Y @deprecated(reason: "Use \"X\".") }
    input I @oneOf { e: E = X list: [E!] = [X, Y] }
    directive @a("b" b: Int = 1) repeatable on SCHEMA | OBJECT
    "#
);

fn introspect<V: Version>() -> String {
    let body = serde_json::json!({ "query": INTROSPECTION }).to_string();
    let request = Request::parse(body.as_bytes()).expect("a request");
    let prepared = Engine::<V>::new(Limits::default()).prepare(&request).map_err(|e| e.to_string());
    let response = prepared.expect("the document is right").plan.plan.response.clone().expect("it is constant");
    String::from_utf8(response.to_vec()).expect("JSON is UTF-8")
}

#[test]
fn extensions_are_part_of_what_they_extend() {
    let extended = introspect::<Extended>();
    assert_eq!(extended, introspect::<Merged>());
    for part in [
        r#""description":"The \"schema\".","queryType":{"name":"Root"},"mutationType":{"name":"Change"}"#,
        r#""name":"A","description":"An\n  a.""#,
        r#""possibleTypes":[{"name":"A"},{"name":"B"}]"#,
        r#""specifiedByURL":"https://s.example/A""#,
        r#"{"name":"Y","isDeprecated":true,"deprecationReason":"Use \"X\"."}"#,
        r#""name":"list","description":null,"defaultValue":"[X, Y]""#,
        r#""isRepeatable":true,"locations":["SCHEMA","OBJECT"],"args":[{"name":"b","description":"b","defaultValue":"1""#,
    ] {
        assert!(extended.contains(part), "{part}: {extended}");
    }
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

#[test]
fn what_the_build_accepts_is_read() {
    let read = std::cell::Cell::new(0);
    let everything = include_str!("../../../schema/tests/fuzz/everything.graphql");
    let seeds = [everything, Extended::SDL, include_str!("tiny.graphql")].map(|seed| seed.as_bytes().to_vec());
    for_all(4_000, changed(seeds.into()), |bytes| {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if Schema::parse("2027-01", &text).is_ok() {
            read.set(read.get() + 1);
            Model::new(text.leak(), &[], |_, _| true);
        }
    });
    assert!(read.get() > 50, "some are schemas still: {}", read.get());
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
