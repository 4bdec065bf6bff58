//! Introspection of the SDL (GraphQL specification, section 4).

mod listing;

use schema::model::{self as sdl, Kind, Ty, Wrap};

use super::model::{InputDefinition, Model};
use super::plan::Field;
use super::value::Variables;
use super::write::JsonWriter;
use listing::Directive;

/// Answers `__schema` and `__type`.
pub(super) struct Introspection {
    model: &'static Model,
    types: Vec<&'static sdl::Type>,
    directives: Vec<Directive>,
}

/// A type, as `__Type` shows it.
#[derive(Clone, Copy)]
enum Type<'a> {
    Named(&'a sdl::Type),
    /// At least one layer around a named type.
    Wrapped(&'a [Wrap], &'a str),
}

impl Introspection {
    pub(super) fn new(model: &'static Model) -> Self {
        Self { model, types: listing::types(model), directives: listing::directives(model) }
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
                    Some(ty) => view.ty(Type::Named(ty), field, out),
                    None => out.null(),
                }
            }
        }
    }
}

impl Type<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            Type::Named(ty) => Some(&ty.name),
            Type::Wrapped(..) => None,
        }
    }

    /// A value of `__TypeKind`.
    fn kind(&self) -> &'static str {
        match self {
            Type::Wrapped([Wrap::List, ..], _) => "LIST",
            Type::Wrapped(..) => "NON_NULL",
            Type::Named(ty) => match ty.kind {
                Kind::Scalar { .. } => "SCALAR",
                Kind::Object { .. } => "OBJECT",
                Kind::Interface { .. } => "INTERFACE",
                Kind::Union { .. } => "UNION",
                Kind::Enum { .. } => "ENUM",
                Kind::Input { .. } => "INPUT_OBJECT",
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
        let Introspection { model, types, directives } = self.introspection;
        out.object("__Schema", field.of("__Schema"), |f, out| match f.name {
            "description" => out.put(&model.schema.description),
            "types" => out.list(types.iter(), |ty, out| self.ty(Type::Named(ty), f, out)),
            "queryType" => self.by_name(&model.schema.query, f, out),
            "mutationType" => match &model.schema.mutation {
                Some(name) => self.by_name(name, f, out),
                None => out.null(),
            },
            "directives" => out.list(directives.iter(), |directive, out| self.directive(directive, f, out)),
            _ => out.null(),
        });
    }

    fn directive(self, directive: &Directive, field: &Field, out: &mut JsonWriter) {
        out.object("__Directive", field.of("__Directive"), |f, out| match f.name {
            "name" => out.put(directive.name),
            "description" => out.put(&directive.description),
            "isRepeatable" => out.put(&directive.repeatable),
            "locations" => out.list(directive.locations.iter(), |location, out| out.put(*location)),
            "args" => self.inputs(&directive.arguments, f, out),
            _ => out.null(),
        });
    }

    fn by_name(self, name: &str, field: &Field, out: &mut JsonWriter) {
        match self.introspection.model.ty(name) {
            Some(ty) => self.ty(Type::Named(ty), field, out),
            None => out.null(),
        }
    }

    fn reference(self, ty: &Ty, field: &Field, out: &mut JsonWriter) {
        match &ty.wrap[..] {
            [] => self.by_name(&ty.name, field, out),
            wrap => self.ty(Type::Wrapped(wrap, &ty.name), field, out),
        }
    }

    fn ty(self, ty: Type<'_>, field: &Field, out: &mut JsonWriter) {
        out.object("__Type", field.of("__Type"), |f, out| match (ty, f.name) {
            (_, "kind") => out.put(ty.kind()),
            (Type::Wrapped([_], name), "ofType") => self.by_name(name, f, out),
            (Type::Wrapped(wrap, name), "ofType") => self.ty(Type::Wrapped(&wrap[1..], name), f, out),
            (_, "name") => match ty.name() {
                Some(name) => out.put(name),
                None => out.null(),
            },
            (Type::Named(ty), "description") => out.put(&ty.description),
            (Type::Named(ty), _) => self.detail(ty, f, out),
            _ => out.null(),
        });
    }

    /// What only one kind of type has.
    fn detail(self, ty: &sdl::Type, f: &Field, out: &mut JsonWriter) {
        match (&ty.kind, f.name) {
            (Kind::Scalar { specified_by }, "specifiedByURL") => out.put(specified_by),
            (Kind::Object { fields, .. } | Kind::Interface { fields, .. }, "fields") => {
                let fields = fields.iter().filter(|x| self.shown(f, x.deprecated.as_ref()));
                out.list(fields, |x, out| self.field(&ty.name, x, f, out));
            }
            (Kind::Object { implements, .. } | Kind::Interface { implements, .. }, "interfaces") => {
                out.list(implements.iter(), |name, out| self.by_name(name, f, out));
            }
            (Kind::Union { .. } | Kind::Interface { .. }, "possibleTypes") => {
                let model = self.introspection.model;
                let possible = model.composite(&ty.name).into_iter().flat_map(|composite| model.possible(composite));
                out.list(possible, |ty, out| self.by_name(ty.name, f, out));
            }
            (Kind::Enum { values }, "enumValues") => {
                let values = values.iter().filter(|x| self.shown(f, x.deprecated.as_ref()));
                out.list(values, |x, out| enum_value(x, f, out));
            }
            (Kind::Input { .. }, "inputFields") => {
                let input = self.introspection.model.input(&ty.name);
                self.inputs(input.map_or(&[], |input| &input.fields), f, out);
            }
            (Kind::Input { one_of, .. }, "isOneOf") => out.put(one_of),
            _ => out.null(),
        }
    }

    /// Whether the list that `field` asks for shows what is deprecated.
    fn shown(self, field: &Field, deprecated: Option<&String>) -> bool {
        let all = || field.argument::<Option<bool>>("includeDeprecated", self.variables).ok().flatten();
        deprecated.is_none() || all().unwrap_or(false)
    }

    fn field(self, ty: &str, x: &sdl::Field, field: &Field, out: &mut JsonWriter) {
        out.object("__Field", field.of("__Field"), |f, out| match f.name {
            "name" => out.put(&x.name),
            "description" => out.put(&x.description),
            "args" => {
                let model = self.introspection.model;
                let definition = model.composite(ty).and_then(|ty| model.field(ty, &x.name));
                self.inputs(definition.map_or(&[], |d| &d.arguments), f, out);
            }
            "type" => self.reference(&x.ty, f, out),
            "isDeprecated" => out.put(&x.deprecated.is_some()),
            "deprecationReason" => out.put(&x.deprecated),
            _ => out.null(),
        });
    }

    fn inputs(self, inputs: &[InputDefinition], field: &Field, out: &mut JsonWriter) {
        let inputs = inputs.iter().filter(|x| self.shown(field, x.input.deprecated.as_ref()));
        out.list(inputs, |x, out| {
            out.object("__InputValue", field.of("__InputValue"), |f, out| match f.name {
                "name" => out.put(x.name),
                "description" => out.put(&x.input.description),
                "type" => self.reference(x.ty, f, out),
                "defaultValue" => {
                    let default = x.default_value(self.introspection.model);
                    out.put(&default.map(|value| listing::printed(self.introspection.model, &value, &x.ty.name)));
                }
                "isDeprecated" => out.put(&x.input.deprecated.is_some()),
                "deprecationReason" => out.put(&x.input.deprecated),
                _ => out.null(),
            });
        });
    }
}

fn enum_value(value: &sdl::EnumValue, field: &Field, out: &mut JsonWriter) {
    out.object("__EnumValue", field.of("__EnumValue"), |f, out| match f.name {
        "name" => out.put(&value.name),
        "description" => out.put(&value.description),
        "isDeprecated" => out.put(&value.deprecated.is_some()),
        "deprecationReason" => out.put(&value.deprecated),
        _ => out.null(),
    });
}
