//! Reading the SDL of a version. `conformance` holds what introspection says of whole schemas against their files.

use super::Version;
use crate::{AnyEngine, Engine, Limits, Request};

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
