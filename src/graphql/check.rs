//! The rules of the GraphQL specification, section 5, by async-graphql over a schema built from the SDL.

use async_graphql::dynamic::{
    Enum, EnumItem, Field, FieldFuture, InputObject, InputValue, Interface, InterfaceField, Object, Scalar, Schema,
    SchemaBuilder, TypeRef, Union,
};
use async_graphql::parser::types::{DocumentOperations, ExecutableDocument, InlineFragment, Selection, SelectionSet};
use async_graphql::{Positioned, Request, ServerError, Value};
use codegen::model::{self as sdl, Kind, Ty, Wrap};
use futures_util::FutureExt;

use super::code;
use super::error::{Refusal, RefusalError};
use super::literal;

/// Checks documents against one version.
pub(super) struct Checker(Schema);

/// An operation that no document has: async-graphql, asked for it, checks the whole document and then stops.
const NO_OPERATION: &str = "\0";

impl Checker {
    pub fn new(schema: &sdl::Schema) -> Self {
        Self(builder(schema).finish().expect("the build has checked the schema"))
    }

    /// Checks a document whose size is within the limits.
    pub fn check(&self, mut document: ExecutableDocument) -> Result<(), Refusal> {
        show_typename_directives(&mut document);
        let mut request = Request::new("").operation_name(NO_OPERATION);
        request.set_parsed_query(document);
        let response = self.0.execute(request).now_or_never().expect("checking waits for nothing");
        let errors: Vec<_> = response.errors.into_iter().filter(|e| !e.message.contains(NO_OPERATION)).collect();
        if errors.is_empty() { Ok(()) } else { Err(Refusal::of(errors.into_iter().map(refusal).collect())) }
    }
}

/// The rules pass over `__typename`, its directives and their variables too: they are moved to where the rules look, a
/// fragment around it, which means the same.
fn show_typename_directives(document: &mut ExecutableDocument) {
    match &mut document.operations {
        DocumentOperations::Single(operation) => show_below(&mut operation.node.selection_set.node),
        DocumentOperations::Multiple(operations) => {
            operations.values_mut().for_each(|operation| show_below(&mut operation.node.selection_set.node));
        }
    }
    document.fragments.values_mut().for_each(|fragment| show_below(&mut fragment.node.selection_set.node));
}

fn show_below(set: &mut SelectionSet) {
    for item in &mut set.items {
        let at = item.pos;
        match &mut item.node {
            Selection::Field(field) if field.node.name.node == "__typename" && !field.node.directives.is_empty() => {
                let directives = std::mem::take(&mut field.node.directives);
                let field = Positioned::new(Selection::Field(field.clone()), at);
                let selection_set = Positioned::new(SelectionSet { items: vec![field] }, at);
                let fragment = InlineFragment { type_condition: None, directives, selection_set };
                item.node = Selection::InlineFragment(Positioned::new(fragment, at));
            }
            Selection::Field(field) => show_below(&mut field.node.selection_set.node),
            Selection::InlineFragment(fragment) => show_below(&mut fragment.node.selection_set.node),
            Selection::FragmentSpread(_) => {}
        }
    }
}

fn refusal(error: ServerError) -> RefusalError {
    let mut refusal = RefusalError::new(code::GRAPHQL_VALIDATION_FAILED, error.message);
    refusal.locations = error.locations.into_iter().map(Into::into).collect();
    refusal
}

fn builder(schema: &sdl::Schema) -> SchemaBuilder {
    let mut builder = Schema::build(&schema.query, schema.mutation.as_deref(), None).disable_suggestions();
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
    builder
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
        Some(default) => value.default_value(literal::from_sdl(default)),
        None => value,
    }
}

fn reference(ty: &Ty) -> TypeRef {
    ty.wrap.iter().rev().fold(TypeRef::named(&ty.name), |inner, wrap| match wrap {
        Wrap::NonNull => TypeRef::NonNull(Box::new(inner)),
        Wrap::List => TypeRef::List(Box::new(inner)),
    })
}
