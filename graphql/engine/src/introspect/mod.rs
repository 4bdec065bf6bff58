//! Introspection of the SDL (GraphQL specification, section 4).

mod listing;

use schema::model::Wrap;

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
                let name: String = field.argument("name", variables).unwrap_or_default();
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
        out.object("__Schema", field.of("__Schema"), |f, out| match f.name {
            "description" => out.put(&model.description),
            "types" => out.list(types.iter(), |ty, out| self.ty(ShownType::Named(ty), f, out)),
            "queryType" => self.ty(ShownType::Named(model.query), f, out),
            "mutationType" => match model.mutation {
                Some(mutation) => self.ty(ShownType::Named(mutation), f, out),
                None => out.null(),
            },
            "directives" => out.list(model.directives.items.iter(), |directive, out| self.directive(directive, f, out)),
            _ => out.null(),
        });
    }

    fn directive(self, directive: &DirectiveDefinition, field: &Field, out: &mut JsonWriter) {
        out.object("__Directive", field.of("__Directive"), |f, out| match f.name {
            "name" => out.put(directive.name),
            "description" => out.put(&directive.description),
            "isRepeatable" => out.put(&directive.repeatable),
            "locations" => out.put(&directive.locations),
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
        out.object("__Type", field.of("__Type"), |f, out| match (ty, f.name) {
            (_, "kind") => out.put(ty.kind()),
            (ShownType::Wrapped([_], name), "ofType") => self.by_name(name, f, out),
            (ShownType::Wrapped(wrap, name), "ofType") => self.ty(ShownType::Wrapped(&wrap[1..], name), f, out),
            (_, "name") => match ty.name() {
                Some(name) => out.put(name),
                None => out.null(),
            },
            (ShownType::Named(ty), "description") => out.put(&ty.description),
            (ShownType::Named(ty), _) => self.detail(ty, f, out),
            _ => out.null(),
        });
    }

    /// What only one kind of type has.
    fn detail(self, ty: &Type, f: &Field, out: &mut JsonWriter) {
        match (&ty.kind, f.name) {
            (Kind::Scalar { specified_by }, "specifiedByURL") => out.put(specified_by),
            (Kind::Object { fields, .. } | Kind::Interface { fields, .. }, "fields") => {
                let fields = fields.items.iter().filter(|x| self.is_shown(f, x.deprecated.is_some()));
                out.list(fields, |x, out| self.field(x, f, out));
            }
            (Kind::Object { implements, .. } | Kind::Interface { implements, .. }, "interfaces") => {
                out.list(implements.iter(), |name, out| self.by_name(name, f, out));
            }
            (Kind::Union { .. } | Kind::Interface { .. }, "possibleTypes") => {
                out.list(self.introspection.model.possible(ty), |ty, out| self.ty(ShownType::Named(ty), f, out));
            }
            (Kind::Enum { values }, "enumValues") => {
                let values = values.iter().filter(|x| self.is_shown(f, x.deprecated.is_some()));
                out.list(values, |x, out| enum_value(x, f, out));
            }
            (Kind::Input(input), "inputFields") => self.inputs(&input.fields, f, out),
            (Kind::Input(input), "isOneOf") => out.put(&input.one_of),
            _ => out.null(),
        }
    }

    /// Whether the list that `field` asks for shows an item.
    fn is_shown(self, field: &Field, deprecated: bool) -> bool {
        let all = || field.argument::<Option<bool>>("includeDeprecated", self.variables).ok().flatten();
        !deprecated || all().unwrap_or(false)
    }

    fn field(self, x: &FieldDefinition, field: &Field, out: &mut JsonWriter) {
        out.object("__Field", field.of("__Field"), |f, out| match f.name {
            "name" => out.put(x.name),
            "description" => out.put(&x.description),
            "args" => self.inputs(&x.arguments, f, out),
            "type" => self.reference(&x.ty, f, out),
            "isDeprecated" => out.put(&x.deprecated.is_some()),
            "deprecationReason" => out.put(&x.deprecated),
            _ => out.null(),
        });
    }

    fn inputs(self, inputs: &[InputDefinition], field: &Field, out: &mut JsonWriter) {
        let inputs = inputs.iter().filter(|x| self.is_shown(field, x.deprecated.is_some()));
        out.list(inputs, |x, out| {
            out.object("__InputValue", field.of("__InputValue"), |f, out| match f.name {
                "name" => out.put(x.name),
                "description" => out.put(&x.description),
                "type" => self.reference(&x.ty, f, out),
                "defaultValue" => {
                    let default = x.default_value(self.introspection.model);
                    out.put(&default.map(|value| listing::printed(self.introspection.model, &value, x.ty.name)));
                }
                "isDeprecated" => out.put(&x.deprecated.is_some()),
                "deprecationReason" => out.put(&x.deprecated),
                _ => out.null(),
            });
        });
    }
}

fn enum_value(value: &EnumValue, field: &Field, out: &mut JsonWriter) {
    out.object("__EnumValue", field.of("__EnumValue"), |f, out| match f.name {
        "name" => out.put(value.name),
        "description" => out.put(&value.description),
        "isDeprecated" => out.put(&value.deprecated.is_some()),
        "deprecationReason" => out.put(&value.deprecated),
        _ => out.null(),
    });
}
