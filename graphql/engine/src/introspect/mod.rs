//! Introspection of the SDL (GraphQL specification, section 4).

mod listing;

use std::convert::Infallible;

use dated_graphql_syntax::{Description, Wrap};

use super::definition::{DirectiveDefinition, EnumValue, FieldDefinition, InputDefinition, Kind, Type, TypeRef};
use super::model::Model;
use super::plan::Field;
use super::value::Variables;
use super::write::JsonWriter;

/// Answers `__schema` and `__type`.
pub(super) struct Introspection {
    model: &'static Model,
    types: Vec<&'static Type>,
}

/// A type, as `__Type` shows it.
#[derive(Clone, Copy)]
enum ShownType<'a> {
    Named(&'a Type),
    /// At least one layer around a named type.
    Wrapped(&'a [Wrap], &'a str),
}

impl Introspection {
    pub(super) fn new(model: &'static Model) -> Self {
        Self { model, types: listing::types(model) }
    }

    /// A root field of introspection.
    pub(super) fn root(&self, field: &Field, variables: &Variables, out: &mut JsonWriter) {
        let view = View { introspection: self, variables };
        match field.name {
            "__schema" => view.schema(field, out),
            _ => {
                let name: String = field.argument("name", variables, &[]).unwrap_or_default();
                // Only types that the schema lists: a built-in scalar that nothing uses is no type of it.
                let listed = self.types.iter().find(|ty| ty.name == name);
                match listed {
                    Some(ty) => view.ty(ShownType::Named(ty), field, out),
                    None => out.null(),
                }
            }
        }
    }
}

impl ShownType<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            ShownType::Named(ty) => Some(ty.name),
            ShownType::Wrapped(..) => None,
        }
    }

    /// A value of `__TypeKind`.
    fn kind(&self) -> &'static str {
        match self {
            ShownType::Wrapped([Wrap::List, ..], _) => "LIST",
            ShownType::Wrapped(..) => "NON_NULL",
            ShownType::Named(ty) => match ty.kind {
                Kind::Scalar { .. } => "SCALAR",
                Kind::Object { .. } => "OBJECT",
                Kind::Interface { .. } => "INTERFACE",
                Kind::Union { .. } => "UNION",
                Kind::Enum { .. } => "ENUM",
                Kind::Input(_) => "INPUT_OBJECT",
            },
        }
    }
}

/// Introspection with the variables of a request.
#[derive(Clone, Copy)]
struct View<'a> {
    introspection: &'a Introspection,
    variables: &'a Variables,
}

impl View<'_> {
    fn schema(self, field: &Field, out: &mut JsonWriter) {
        let Introspection { model, types } = self.introspection;
        object("__Schema", field, out, |f, out| match f.name {
            "description" => describe(model.description, out),
            "types" => list(types.iter(), out, |ty, out| self.ty(ShownType::Named(ty), f, out)),
            "queryType" => self.ty(ShownType::Named(model.query), f, out),
            "mutationType" => match model.mutation {
                Some(mutation) => self.ty(ShownType::Named(mutation), f, out),
                None => out.null(),
            },
            "directives" => {
                list(model.directives.items.iter(), out, |directive, out| self.directive(directive, f, out))
            }
            _ => out.null(),
        });
    }

    fn directive(self, directive: &DirectiveDefinition, field: &Field, out: &mut JsonWriter) {
        object("__Directive", field, out, |f, out| match f.name {
            "name" => out.string(directive.name),
            "description" => describe(directive.description, out),
            "isRepeatable" => out.boolean(directive.repeatable),
            "locations" => list(directive.locations.iter(), out, |location, out| out.string(location)),
            "args" => self.inputs(&directive.arguments, f, out),
            _ => out.null(),
        });
    }

    fn by_name(self, name: &str, field: &Field, out: &mut JsonWriter) {
        match self.introspection.model.ty(name) {
            Some(ty) => self.ty(ShownType::Named(ty), field, out),
            None => out.null(),
        }
    }

    fn reference(self, ty: &TypeRef, field: &Field, out: &mut JsonWriter) {
        match &ty.wrap[..] {
            [] => self.by_name(ty.name, field, out),
            wrap => self.ty(ShownType::Wrapped(wrap, ty.name), field, out),
        }
    }

    fn ty(self, ty: ShownType<'_>, field: &Field, out: &mut JsonWriter) {
        object("__Type", field, out, |f, out| match (ty, f.name) {
            (_, "kind") => out.string(ty.kind()),
            (ShownType::Wrapped([_], name), "ofType") => self.by_name(name, f, out),
            (ShownType::Wrapped(wrap, name), "ofType") => self.ty(ShownType::Wrapped(&wrap[1..], name), f, out),
            (_, "name") => text(ty.name(), out),
            (ShownType::Named(ty), "description") => describe(ty.description, out),
            (ShownType::Named(ty), _) => self.detail(ty, f, out),
            _ => out.null(),
        });
    }

    /// What only one kind of type has.
    fn detail(self, ty: &Type, f: &Field, out: &mut JsonWriter) {
        match (&ty.kind, f.name) {
            (Kind::Scalar { specified_by }, "specifiedByURL") => text(specified_by.as_deref(), out),
            (Kind::Object { fields, .. } | Kind::Interface { fields, .. }, "fields") => {
                let fields = fields.items.iter().filter(|x| self.is_shown(f, x.deprecated.is_some()));
                list(fields, out, |x, out| self.field(x, f, out));
            }
            (Kind::Object { implements, .. } | Kind::Interface { implements, .. }, "interfaces") => {
                list(implements.iter(), out, |name, out| self.by_name(name, f, out));
            }
            (Kind::Union { .. } | Kind::Interface { .. }, "possibleTypes") => {
                list(self.introspection.model.possible(ty), out, |ty, out| self.ty(ShownType::Named(ty), f, out));
            }
            (Kind::Enum { values }, "enumValues") => {
                let values = values.iter().filter(|x| self.is_shown(f, x.deprecated.is_some()));
                list(values, out, |x, out| enum_value(x, f, out));
            }
            (Kind::Input(input), "inputFields") => self.inputs(&input.fields, f, out),
            (Kind::Input(input), "isOneOf") => out.boolean(input.one_of),
            _ => out.null(),
        }
    }

    /// Whether the list that `field` asks for shows an item.
    fn is_shown(self, field: &Field, deprecated: bool) -> bool {
        let all = || field.argument::<Option<bool>>("includeDeprecated", self.variables, &[]).ok().flatten();
        !deprecated || all().unwrap_or(false)
    }

    fn field(self, x: &FieldDefinition, field: &Field, out: &mut JsonWriter) {
        object("__Field", field, out, |f, out| match f.name {
            "name" => out.string(x.name),
            "description" => describe(x.description, out),
            "args" => self.inputs(&x.arguments, f, out),
            "type" => self.reference(&x.ty, f, out),
            "isDeprecated" => out.boolean(x.deprecated.is_some()),
            "deprecationReason" => text(x.deprecated.as_deref(), out),
            _ => out.null(),
        });
    }

    fn inputs(self, inputs: &[InputDefinition], field: &Field, out: &mut JsonWriter) {
        let inputs = inputs.iter().filter(|x| self.is_shown(field, x.deprecated.is_some()));
        list(inputs, out, |x, out| {
            object("__InputValue", field, out, |f, out| match f.name {
                "name" => out.string(x.name),
                "description" => describe(x.description, out),
                "type" => self.reference(&x.ty, f, out),
                "defaultValue" => {
                    let default = x.default_value();
                    let printed =
                        default.map(|value| listing::print_default(self.introspection.model, value, x.ty.name));
                    text(printed.as_deref(), out);
                }
                "isDeprecated" => out.boolean(x.deprecated.is_some()),
                "deprecationReason" => text(x.deprecated.as_deref(), out),
                _ => out.null(),
            });
        });
    }
}

fn enum_value(value: &EnumValue, field: &Field, out: &mut JsonWriter) {
    object("__EnumValue", field, out, |f, out| match f.name {
        "name" => out.string(value.name),
        "description" => describe(value.description, out),
        "isDeprecated" => out.boolean(value.deprecated.is_some()),
        "deprecationReason" => text(value.deprecated.as_deref(), out),
        _ => out.null(),
    });
}

/// Writes the selected fields of an object. Introspection cannot fail.
fn object(typename: &str, field: &Field, out: &mut JsonWriter, mut each: impl FnMut(&Field, &mut JsonWriter)) {
    let Ok(()) = out.object::<Infallible>(typename, field.selection_of(typename), |field, out| {
        each(field, out);
        Ok(())
    });
}

fn list<T>(items: impl Iterator<Item = T>, out: &mut JsonWriter, mut each: impl FnMut(T, &mut JsonWriter)) {
    let Ok(()) = out.list::<T, Infallible>(items, |_, item, out| {
        each(item, out);
        Ok(())
    });
}

fn text(text: Option<&str>, out: &mut JsonWriter) {
    match text {
        Some(text) => out.string(text),
        None => out.null(),
    }
}

fn describe(description: Option<Description<'static>>, out: &mut JsonWriter) {
    text(description.map(Description::text).as_deref(), out);
}
