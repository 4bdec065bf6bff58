//! Schemas of others: extensions are part of what they extend, and keep their position in the file.

use dated_graphql_schema::Sdl;
use dated_graphql_schema::diff::{Pair, find};

const EXTENDED: &str = r#"
"The schema." schema @mark { query: Query }
directive @mark(a: In = {n: 1}) repeatable on SCHEMA | OBJECT | UNION | ENUM | SCALAR | INTERFACE
"Reads {all}." type Query implements A @mark(a: {n: 2}) # comment {
{
  "Text }" id: ID!
}
extend type Query implements B & C @mark { other: U extra(x: In): E }
interface A { id: ID! }
interface B { other: U }
interface C { id: ID! }
extend interface C @mark
union U = Query
extend union U @mark = | Sub
extend enum E { TWO }
enum E @mark { ONE }
scalar S
extend scalar S @mark
input In @tag { n: Int }
extend input In {
  """m {""" m: [Int!] = [1]
}
type Sub
extend type Sub { late: S }
extend schema @mark { subscription: Sub }
directive @tag on INPUT_OBJECT
"#;

const MERGED: &str = r#"
"The schema." schema @mark @mark { query: Query subscription: Sub }
directive @mark(a: In = {n: 1}) repeatable on SCHEMA | OBJECT | UNION | ENUM | SCALAR | INTERFACE
"Reads {all}." type Query implements A & B & C @mark(a: {n: 2}) @mark {
  "Text }" id: ID! other: U extra(x: In): E
}
interface A { id: ID! }
interface B { other: U }
interface C @mark { id: ID! }
union U @mark = Query | Sub
enum E @mark { ONE TWO }
scalar S @mark
input In @tag { n: Int """m {""" m: [Int!] = [1] }
type Sub { late: S }
directive @tag on INPUT_OBJECT
"#;

fn foreign(source: &str) -> Sdl {
    Sdl::parse_foreign("a", "a.graphql", source).expect("a schema")
}

fn mistakes(source: &str) -> Vec<String> {
    Sdl::parse_foreign("a", "a.graphql", source).expect_err("a mistake").lines().collect()
}

#[test]
fn extended_schema_is_that_with_merged_definitions() {
    let (extended, merged) = (foreign(EXTENDED), foreign(MERGED));
    for pair in [Pair { old: &extended, new: &merged }, Pair { old: &merged, new: &extended }] {
        let changes: Vec<String> = find(pair).into_iter().map(|change| change.message).collect();
        assert!(changes.is_empty(), "{changes:?}");
    }
    assert_eq!(extended.source(), EXTENDED);
    assert_eq!(extended.schema.subscription.as_deref(), Some("Sub"));
}

#[test]
fn element_of_an_extension_keeps_its_position() {
    let sdl = foreign(EXTENDED);
    let text = |coordinate: &str| {
        let span = sdl.spans.get(coordinate).expect(coordinate).name;
        (&EXTENDED[span.start..span.end], EXTENDED[..span.start].lines().count())
    };
    for (coordinate, line) in [
        ("Query", 4),
        ("Query.id", 6),
        ("Query.extra", 8),
        ("Query.extra(x:)", 8),
        ("E.TWO", 15),
        ("In.m", 21),
        ("Sub.late", 24),
    ] {
        let name = coordinate.trim_end_matches(":)").rsplit(['.', '(']).next().expect("a name");
        assert_eq!(text(coordinate), (name, line), "{coordinate}");
    }
    let member = sdl.spans.inside("U", "Sub").expect("a member");
    assert_eq!((&EXTENDED[member.start..member.end], EXTENDED[..member.start].lines().count()), ("Sub", 14));
}

#[test]
fn schema_without_a_block_can_be_extended() {
    let sdl = foreign("directive @m on SCHEMA extend schema @m type Query { a: Int } type Mutation { a: Int }");
    assert_eq!((&*sdl.schema.query, sdl.schema.mutation.as_deref()), ("Query", Some("Mutation")));
    assert_eq!(sdl.spans.uses("schema").len(), 1);
    let sdl = foreign("type Query { a: Int } type Live { a: Int } extend schema { subscription: Live }");
    assert_eq!(sdl.schema.subscription.as_deref(), Some("Live"));
    let sdl = foreign("type Query { a: Int } type Subscription { a: Int }");
    assert_eq!(sdl.schema.subscription.as_deref(), Some("Subscription"));
}

#[test]
fn mistake_in_an_extension_is_shown_where_it_is() {
    let base = "type Query { a: Int }\n";
    for (extension, expected) in [
        ("extend type Qery { b: Int }", "a.graphql:2:13: there is no type `Qery` to extend (did you mean `Query`?)"),
        ("extend enum Query { B }", "a.graphql:2:13: `Query` is an object type"),
        ("extend type Query { b: Strin }", "a.graphql:2:24: there is no type `Strin` (did you mean `String`?)"),
        ("extend type Query { a: Int }", "a.graphql:2:21: field `a` is in `Query` twice"),
        ("extend type Query { b: }", "a.graphql:2:24: "),
    ] {
        let found = mistakes(&format!("{base}{extension}"));
        assert!(found.len() == 1 && found[0].starts_with(expected), "{extension}: {found:?}");
    }
}

#[test]
fn scalar_without_directives_ends_before_the_next_definition() {
    let sdl = foreign("scalar Date\n\nscalar URL\n\"R.\" type Query { a: Date }\nextend type Query { b: URL }");
    let names: Vec<&str> = sdl.schema.types.iter().map(|ty| &*ty.name).collect();
    assert_eq!(names, ["Date", "URL", "Query"]);
}
