//! A second reference: async-graphql, whose parser and rules check every document against a schema built from the same SDL.
//!
//! Where async-graphql disagrees with the engine and graphql-js, `second_differences.json` lists the kind of the difference
//! with who is right and why: first the kinds of recorded documents, then the kinds of generated documents only.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use async_graphql::dynamic::{
    Enum, EnumItem, Field, FieldFuture, InputObject, InputValue, Interface, InterfaceField, Object, Scalar,
    Schema as DynamicSchema, TypeRef, Union,
};
use async_graphql::parser::types::Selection;
use async_graphql::{Request, Value};
use dated_graphql_schema::model::{self as sdl, Kind, Schema, Ty, Wrap};
use futures_util::FutureExt;

use super::answer::{Answer, Refused};
use super::{Case, TestEngine, cases};

/// An operation that no document has: async-graphql, asked for it, checks the whole document and then stops.
const NO_OPERATION: &str = "\0";

/// How async-graphql judges a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Right,
    Unreadable,
    Wrong,
    Panic,
}

fn verdict(schema: &DynamicSchema, query: &str) -> Verdict {
    let judge = || {
        let Ok(document) = async_graphql::parser::parse_query(query) else { return Verdict::Unreadable };
        let mut request = Request::new("").operation_name(NO_OPERATION);
        request.set_parsed_query(document);
        let response = schema.execute(request).now_or_never().expect("checking waits for nothing");
        match response.errors.iter().all(|error| error.message.contains(NO_OPERATION)) {
            true => Verdict::Right,
            false => Verdict::Wrong,
        }
    };
    catch_unwind(AssertUnwindSafe(judge)).unwrap_or(Verdict::Panic)
}

fn schema() -> DynamicSchema {
    let schema = Schema::parse("test", include_str!("test.graphql")).expect("the schema is right");
    let mut builder = DynamicSchema::build(&schema.query, schema.mutation.as_deref(), None);
    for ty in &schema.types {
        builder = match &ty.kind {
            Kind::Scalar { .. } if ty.name == "Json" => builder.register(Scalar::new(&ty.name)),
            Kind::Scalar { .. } => {
                builder.register(Scalar::new(&ty.name).validator(|value| matches!(value, Value::String(_))))
            }
            Kind::Object { implements, fields } => {
                let object = implements.iter().fold(Object::new(&ty.name), |object, i| object.implement(i));
                builder.register(fields.iter().fold(object, |object, f| object.field(field(f))))
            }
            Kind::Interface { implements, fields } => {
                let interface = implements.iter().fold(Interface::new(&ty.name), |interface, i| interface.implement(i));
                builder.register(fields.iter().fold(interface, |interface, f| interface.field(interface_field(f))))
            }
            Kind::Union { members } => {
                builder.register(members.iter().fold(Union::new(&ty.name), |union, m| union.possible_type(m)))
            }
            Kind::Enum { values } => {
                let item = |item: Enum, value: &sdl::EnumValue| item.item(EnumItem::new(&value.name));
                builder.register(values.iter().fold(Enum::new(&ty.name), item))
            }
            Kind::Input { one_of, fields } => {
                let object = fields.iter().fold(InputObject::new(&ty.name), |object, f| object.field(input(f)));
                builder.register(if *one_of { object.oneof() } else { object })
            }
        };
    }
    builder.finish().expect("the schema is right")
}

fn field(field: &sdl::Field) -> Field {
    let empty = Field::new(&field.name, reference(&field.ty), |_| FieldFuture::from_value(None));
    field.args.iter().fold(empty, |field, argument| field.argument(input(argument)))
}

fn interface_field(field: &sdl::Field) -> InterfaceField {
    let empty = InterfaceField::new(&field.name, reference(&field.ty));
    field.args.iter().fold(empty, |field, argument| field.argument(input(argument)))
}

fn input(input: &sdl::Input) -> InputValue {
    let value = InputValue::new(&input.name, reference(&input.ty));
    match &input.default {
        Some(default) => value.default_value(constant(default)),
        None => value,
    }
}

fn constant(text: &str) -> Value {
    let document = async_graphql::parser::parse_query(format!("{{a(b:{text})}}")).expect("the SDL is right");
    let (_, operation) = document.operations.iter().next().expect("there is one operation");
    let Selection::Field(field) = &operation.node.selection_set.node.items[0].node else { unreachable!("a field") };
    field.node.arguments[0].1.node.clone().into_const().expect("the SDL knows no variables")
}

fn reference(ty: &Ty) -> TypeRef {
    ty.wrap.iter().rev().fold(TypeRef::named(&ty.name), |inner, wrap| match wrap {
        Wrap::NonNull => TypeRef::NonNull(Box::new(inner)),
        Wrap::List => TypeRef::List(Box::new(inner)),
    })
}

/// The kind of a difference: the verdict of async-graphql, and the error of the document without names and values.
fn kind(second: Verdict, said: &str) -> String {
    let said = said.split_once(" Did you mean ").map_or(said, |(said, _)| said);
    let said = said.split_once("value: ").map_or(said, |(said, _)| said);
    let said = said.split_once(", found ").map_or(said, |(said, _)| said);
    let words = said.split('"').enumerate().map(|(i, part)| if i % 2 == 1 { "…" } else { part });
    format!("{second:?}: {}", words.collect::<String>().trim_end())
}

/// async-graphql on the test schema, and the known kinds of differences.
pub(crate) struct SecondReference {
    schema: DynamicSchema,
    listed: Listed,
}

#[derive(serde::Deserialize)]
struct Listed {
    recorded: BTreeMap<String, String>,
    generated: BTreeMap<String, String>,
}

impl SecondReference {
    pub(crate) fn new() -> Self {
        let listed = serde_json::from_str(include_str!("second_differences.json"));
        Self { schema: schema(), listed: listed.expect("the list of differences is JSON") }
    }

    /// Whether a difference of this kind is listed.
    pub(crate) fn is_listed(&self, kind: &str) -> bool {
        self.listed.recorded.contains_key(kind) || self.listed.generated.contains_key(kind)
    }

    /// The kind of the difference between the engine's answer and async-graphql's verdict, if they differ.
    pub(crate) fn difference(&self, case: &Case, ours: &Answer) -> Option<String> {
        // async-graphql does not terminate on a cycle of fragments.
        let endless = |error: &Refused| error.message.contains("within itself");
        if matches!(&case.answer, Answer::Refused { refused } if refused.iter().any(endless)) {
            return None;
        }
        // Wrong variables and exceeded limits are not of the document.
        let message = match ours {
            Answer::Refused { refused } if !refused.iter().any(|error| error.own_words) => Some(&*refused[0].message),
            _ => None,
        };
        let second = verdict(&self.schema, &case.query);
        (message.is_none() != (second == Verdict::Right)).then(|| kind(second, message.unwrap_or("right")))
    }
}

#[test]
fn second_reference_differs_only_where_it_is_known_to_be_wrong() {
    let (engine, second) = (TestEngine::new(), SecondReference::new());
    let (mut failures, mut met) = (String::new(), BTreeSet::new());
    let mut seen = BTreeSet::new();
    let mut cases = cases();
    cases.retain(|case| seen.insert(case.query.clone()));
    for mut case in cases {
        case.operation_name = None;
        let ours = engine.answer(&case.body());
        if let Some(kind) = second.difference(&case, &ours) {
            if !second.listed.recorded.contains_key(&kind) {
                failures.push_str(&format!("{kind} | {}\n", case.query.replace('\n', "\\n")));
            }
            met.insert(kind);
        }
    }
    assert!(failures.is_empty(), "unexplained differences:\n{failures}");
    assert!(met.iter().eq(second.listed.recorded.keys()), "listed kinds that do not occur: met only {met:?}");
}
