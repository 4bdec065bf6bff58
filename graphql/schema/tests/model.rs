//! Parsing a schema into its model.

#![allow(clippy::unwrap_used)] // a failure of a test

use schema::model::{Kind, Schema, Ty, Wrap};
use schema::shape::{Role, Shape};

const SDL: &str = r#"
"The whole."
schema {
  query: Query
  mutation: Change
}

directive @auth("Who." role: String = "any") repeatable on OBJECT | FIELD_DEFINITION

scalar Date @specifiedBy(url: "https://example.org/date")

interface Node { id: ID! }
interface Named implements Node { id: ID! name: String }

"""
A book.

  Indented.
"""
type Book implements Named & Node {
  id: ID!
  name: String @deprecated
  photos(first: Int! = 2, tags: [String!] = ["a", "b"]): [[String!]!]!
  person: Person!
  related: Book
  any: Any
}
type Person { name: String  books: [Book!]! }
union Any = Person | Book
enum Status { DRAFT  OLD @deprecated(reason: "Gone.") }
input Choice @oneOf { a: Int  b: String @deprecated(reason: "Send a.") }
type Query { book(id: ID!): Book }
type Change { rename(name: String): Book }
"#;

fn schema() -> Schema {
    Schema::parse("2026-10", SDL).unwrap()
}

#[test]
fn schema_has_every_definition_of_the_document() {
    let schema = schema();
    assert_eq!((&*schema.version, &*schema.source), ("2026-10", SDL));
    assert_eq!(schema.description.as_deref(), Some("The whole."));
    assert_eq!((&*schema.query, schema.mutation.as_deref()), ("Query", Some("Change")));
    assert!(schema.is_root("Change") && !schema.is_root("Book"));
    let names: Vec<&str> = schema.types.iter().map(|ty| &*ty.name).collect();
    let expected = "Date Node Named Book Person Any Status Choice Query Change";
    assert_eq!(names.join(" "), expected);
    let auth = &schema.directives[0];
    assert_eq!(
        (&*auth.name, auth.repeatable, &auth.locations[..]),
        ("auth", true, &["OBJECT", "FIELD_DEFINITION"][..])
    );
    assert_eq!(auth.args[0].default.as_deref(), Some("\"any\""));
    let Kind::Scalar { specified_by } = &schema.get("Date").unwrap().kind else { panic!() };
    assert_eq!(specified_by.as_deref(), Some("https://example.org/date"));
}

#[test]
fn fields_have_their_types_defaults_and_deprecations() {
    let schema = schema();
    let book = schema.get("Book").unwrap();
    assert_eq!(book.description.as_deref(), Some("A book.\n\n  Indented."));
    assert_eq!(book.field("name").unwrap().deprecated.as_deref(), Some("No longer supported"));
    let photos = book.field("photos").unwrap();
    assert_eq!(photos.ty.to_string(), "[[String!]!]!");
    let defaults: Vec<Option<&str>> = photos.args.iter().map(|arg| arg.default.as_deref()).collect();
    assert_eq!(defaults, [Some("2"), Some("[\"a\", \"b\"]")]);
    let Kind::Enum { values } = &schema.get("Status").unwrap().kind else { panic!() };
    assert_eq!(values[1].deprecated.as_deref(), Some("Gone."));
    let Kind::Input { one_of, fields } = &schema.get("Choice").unwrap().kind else { panic!() };
    assert!(*one_of);
    assert_eq!(fields[1].deprecated.as_deref(), Some("Send a."));
}

#[test]
fn types_return_their_possible_types() {
    let schema = schema();
    let possible = |name: &str| schema.possible_types(schema.get(name).unwrap());
    assert_eq!(possible("Node"), ["Book"]);
    assert_eq!(possible("Any"), ["Person", "Book"]);
    assert_eq!(possible("Book"), ["Book"]);
    assert!(possible("Status").is_empty());
    assert_eq!(schema.get("Book").unwrap().implements(), ["Named", "Node"]);
}

#[test]
fn wrapped_type_is_unwrapped_from_the_outside() {
    let ty = Ty { wrap: vec![Wrap::NonNull, Wrap::List, Wrap::NonNull], name: "Int".to_owned() };
    assert_eq!(ty.to_string(), "[Int!]!");
    assert!(ty.is_non_null() && ty.is_list());
    assert_eq!(ty.nullable().to_string(), "[Int!]");
    assert_eq!(ty.item().unwrap().to_string(), "Int!");
    assert_eq!(ty.item().unwrap().item(), None);
}

#[test]
fn fields_with_arguments_or_entities_are_resolved() {
    let schema = schema();
    let shape = Shape::read(&schema, []);
    let is_resolved = |name: &str, field: &str| {
        let ty = schema.get(name).unwrap();
        shape.is_resolved(ty, ty.field(field).unwrap())
    };
    let roles = ["Book", "Person", "Change", "Any"].map(|name| shape.role(name));
    assert_eq!(roles, [Some(Role::Entity), Some(Role::Value), Some(Role::Root), None]);
    assert!(is_resolved("Book", "photos") && is_resolved("Book", "related") && is_resolved("Book", "any"));
    assert!(!is_resolved("Book", "name") && !is_resolved("Book", "person"));
    // A value is loaded with everything in it, including entities.
    assert!(!is_resolved("Person", "books") && is_resolved("Query", "book"));
}

#[test]
fn introspection_can_use_reserved_names_and_needs_no_root() {
    let sdl = "type __Schema { types: [__Type!]! }\ntype __Type { name: String }\nscalar String\n";
    let schema = Schema::parse_introspection(sdl).unwrap();
    assert!(schema.get("__Type").is_some());
    assert!(Schema::parse("2026-10", sdl).is_err());
}

#[test]
fn report_has_the_position_of_each_error() {
    let report = Schema::parse("2026-10", "type Query {\n  a: Boko\n  b: Strin\n}\n").unwrap_err();
    assert_eq!(report.diagnostics().len(), 2);
    let expected = "schema/2026-10.graphql:2:6: there is no type `Boko`\n\
                    schema/2026-10.graphql:3:6: there is no type `Strin` (did you mean `String`?)\n";
    assert_eq!(report.to_string(), expected);
}
