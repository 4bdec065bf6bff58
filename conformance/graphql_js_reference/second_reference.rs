//! A second judge: async-graphql, whose parser and rules hold every document of the corpus to a schema built from the
//! same SDL.
//!
//! The engine agrees with graphql-js on all of them, which is tested beside. Where async-graphql says otherwise, the kind
//! of difference is listed in `second_differences.json`, with who is right and why.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use async_graphql::dynamic::{
    Enum, EnumItem, Field, FieldFuture, InputObject, InputValue, Interface, InterfaceField, Object, Scalar,
    Schema as Second, TypeRef, Union,
};
use async_graphql::parser::types::Selection;
use async_graphql::{Request, Value};
use card_service::graphql::{Engine, Limits};
use futures_util::FutureExt;
use schema::model::{self as sdl, Kind, Schema, Ty, Wrap};

use super::answer::{Answer, Refused};
use super::{Body, answer, cases, shop, v2026_10, vzoo, zoo};

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

fn verdict(schema: &Second, query: &str) -> Verdict {
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

fn schema(version: &str, source: &str) -> Second {
    let schema = Schema::parse(version, source).expect("the schema is right");
    let mut builder = Second::build(&schema.query, schema.mutation.as_deref(), None);
    for ty in &schema.types {
        builder = match &ty.kind {
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

/// The kind of a difference: what async-graphql makes of the document, and what is wrong with it, names and values left out.
fn kind(second: Verdict, said: &str) -> String {
    let said = said.split_once(" Did you mean ").map_or(said, |(said, _)| said);
    let said = said.split_once("value: ").map_or(said, |(said, _)| said);
    let said = said.split_once(", found ").map_or(said, |(said, _)| said);
    let words = said.split('"').enumerate().map(|(i, part)| if i % 2 == 1 { "…" } else { part });
    format!("{second:?}: {}", words.collect::<String>().trim_end())
}

#[test]
fn second_judge_differs_only_where_it_is_known_to_be_wrong() {
    let listed: BTreeMap<String, String> =
        serde_json::from_str(include_str!("second_differences.json")).expect("the list of differences is JSON");
    let (zoo, shop) =
        (Engine::<vzoo::Vzoo>::new(Limits::default()), Engine::<v2026_10::V2026_10>::new(Limits::default()));
    let second_zoo = schema("zoo", include_str!("zoo.graphql"));
    let second_shop = schema("2026-10", include_str!("../../schema/2026-10.graphql"));
    let (mut failures, mut met) = (String::new(), BTreeMap::<String, usize>::new());
    let mut seen = std::collections::BTreeSet::new();
    for case in cases() {
        // Of a cycle of fragments async-graphql does not find the end.
        let endless = |error: &Refused| error.message.contains("within itself");
        if matches!(&case.answer, Answer::Refused { refused } if refused.iter().any(endless)) {
            continue;
        }
        let is_zoo = case.schema == "zoo";
        if !seen.insert((is_zoo, case.query.clone())) {
            continue;
        }
        let body = Body { query: &case.query, variables: case.variables.as_ref(), operation_name: None };
        let body = serde_json::to_vec(&body).expect("a request is JSON");
        let ours = match is_zoo {
            true => answer(&zoo, &zoo::Context::default(), &body),
            false => answer(&shop, &shop::Context::default(), &body),
        };
        // What is wrong with the variables is not asked here.
        let right = match &ours {
            Answer::Refused { refused } => refused.iter().any(|error| error.own_words),
            Answer::Ran { .. } => true,
        };
        let second = verdict(if is_zoo { &second_zoo } else { &second_shop }, &case.query);
        if right != (second == Verdict::Right) {
            let said = match (&ours, right) {
                (Answer::Refused { refused }, false) => refused[0].message.clone(),
                _ => "right".to_owned(),
            };
            let kind = kind(second, &said);
            if !listed.contains_key(&kind) {
                failures.push_str(&format!("{kind} | {}\n", case.query.replace('\n', "\\n")));
            }
            *met.entry(kind).or_default() += 1;
        }
    }
    assert!(failures.is_empty(), "unexplained differences:\n{failures}");
    assert!(met.keys().eq(listed.keys()), "kinds that are listed and no longer met: {met:?}");
}
