//! Literals of a document, coerced to the type of their place (GraphQL specification, sections 3 and 5.6).

use async_graphql::parser::types::Selection;
use async_graphql::{Name, Value as ConstValue};
use async_graphql_value::Value as AstValue;
use codegen::model::{Ty, Wrap};

use super::model::{InputDefinition, InputObject, Model};
use super::plan::{Template, VariableDefinition};
use super::value::Value;

/// Why a literal is no value of its type: where, and what is expected.
#[derive(Debug)]
pub(super) struct Wrong {
    /// Field names and list positions, outermost first.
    pub path: Vec<String>,
    pub what: String,
}

impl Wrong {
    pub fn new(what: impl Into<String>) -> Self {
        Self { path: vec![], what: what.into() }
    }

    /// The whole sentence; `what` is what the path is in.
    pub fn of(&self, what: &str) -> String {
        let at = if self.path.is_empty() { String::new() } else { format!(" at \"{}\"", self.path.join(".")) };
        format!("{what} has an invalid value{at}: {}", self.what)
    }

    pub fn under(mut self, segment: impl Into<String>) -> Self {
        self.path.insert(0, segment.into());
        self
    }
}

/// A default value, as the SDL writes it. The schema's rules have checked it.
pub(super) fn from_sdl(text: &str) -> ConstValue {
    let document = async_graphql::parser::parse_query(format!("{{a(b:{text})}}")).expect("the build has checked it");
    let (_, operation) = document.operations.iter().next().expect("there is one operation");
    let selection = &operation.node.selection_set.node.items[0].node;
    let Selection::Field(field) = selection else { unreachable!("the text holds one field") };
    field.node.arguments[0].1.node.clone().into_const().expect("the SDL knows no variables")
}

impl InputDefinition {
    /// The default as a value.
    pub(super) fn default_value(&self, model: &Model) -> Option<Value> {
        let literal = self.default.as_ref()?.clone().into_value();
        match coerce(model, self.ty, &literal, &[]) {
            Ok(Template::Constant(value)) => Some(value),
            _ => unreachable!("the build has checked the defaults of the schema"),
        }
    }

    /// Whether something must be given for it.
    pub(super) fn required(&self) -> bool {
        self.ty.is_non_null() && self.default.is_none()
    }
}

/// Coerces a literal, in which the operation's variables stand where their types allow it.
pub(super) fn coerce(
    model: &Model,
    ty: &Ty,
    literal: &AstValue,
    variables: &[VariableDefinition],
) -> Result<Template, Wrong> {
    Coercion { model, variables }.place(ty, false, literal)
}

/// Coerces the value of an argument, which may have a default.
pub(super) fn coerce_argument(
    model: &Model,
    argument: &InputDefinition,
    literal: &AstValue,
    variables: &[VariableDefinition],
) -> Result<Template, Wrong> {
    Coercion { model, variables }.place(argument.ty, argument.default.is_some(), literal)
}

struct Coercion<'a> {
    model: &'a Model,
    variables: &'a [VariableDefinition],
}

impl Coercion<'_> {
    /// A place of its own: an argument or a field, where a default counts for a variable that is not there.
    fn place(&self, ty: &Ty, has_default: bool, literal: &AstValue) -> Result<Template, Wrong> {
        match literal {
            AstValue::Variable(name) => self.variable(name, &ty.wrap, &ty.name, has_default),
            literal => self.wrapped(&ty.wrap, &ty.name, literal),
        }
    }

    fn wrapped(&self, wrap: &[Wrap], name: &str, literal: &AstValue) -> Result<Template, Wrong> {
        let (non_null, inner) = match wrap {
            [Wrap::NonNull, inner @ ..] => (true, inner),
            inner => (false, inner),
        };
        match (literal, inner) {
            (AstValue::Variable(variable), _) => self.variable(variable, wrap, name, false),
            (AstValue::Null, _) if non_null => Err(Wrong::new("must not be null")),
            (AstValue::Null, _) => Ok(Template::Constant(Value::Null)),
            (AstValue::List(items), [Wrap::List, inner @ ..]) => {
                let item = |(i, item)| self.wrapped(inner, name, item).map_err(|w| w.under(usize::to_string(&i)));
                Ok(list(items.iter().enumerate().map(item).collect::<Result<_, _>>()?))
            }
            (one, [Wrap::List, inner @ ..]) => Ok(list(vec![self.wrapped(inner, name, one)?])),
            (one, _) => self.named(name, one),
        }
    }

    /// GraphQL specification, section 5.8.5: IsVariableUsageAllowed.
    fn variable(&self, variable: &Name, wrap: &[Wrap], name: &str, has_default: bool) -> Result<Template, Wrong> {
        let Some(index) = self.variables.iter().position(|v| v.name == *variable) else {
            return Err(Wrong::new(format!("the variable \"${variable}\" is not defined")));
        };
        let VariableDefinition { ty, default, .. } = &self.variables[index];
        let wants_value = wrap.first() == Some(&Wrap::NonNull);
        let defaulted = has_default || default.as_ref().is_some_and(|default| *default != Value::Null);
        let wanted = if wants_value && defaulted && !ty.is_non_null() { &wrap[1..] } else { wrap };
        if ty.name == name && compatible(&ty.wrap, wanted) {
            return Ok(Template::Variable { index, non_null: wants_value });
        }
        let wanted = Ty { wrap: wrap.to_vec(), name: name.to_owned() };
        Err(Wrong::new(format!("the variable \"${variable}\" is of type \"{ty}\" where \"{wanted}\" is expected")))
    }

    fn named(&self, name: &str, literal: &AstValue) -> Result<Template, Wrong> {
        if let Some(input) = self.model.input(name) {
            return match literal {
                AstValue::Object(fields) => self.object(input, name, fields),
                other => Err(Wrong::new(format!("{name} expects an object, not {other}"))),
            };
        }
        let value = match (name, literal) {
            ("Int", AstValue::Number(n)) => n.as_i64().and_then(|n| i32::try_from(n).ok()).map(Value::Int),
            ("Float", AstValue::Number(n)) => n.as_f64().map(Value::Float),
            ("Boolean", AstValue::Boolean(b)) => Some(Value::Boolean(*b)),
            ("ID", AstValue::Number(n)) if !n.is_f64() => Some(Value::String(n.to_string())),
            ("Int" | "Float" | "Boolean", _) => None,
            // ID, String and every custom scalar, unless the schema says that it is an enum.
            (_, AstValue::String(s)) if self.model.enum_values(name).is_none() => Some(Value::String(s.clone())),
            (_, AstValue::Enum(given)) => {
                let values = self.model.enum_values(name).unwrap_or_default();
                values.iter().find(|v| v.name == **given).map(|v| Value::Enum(&v.name))
            }
            _ => None,
        };
        value.map(Template::Constant).ok_or_else(|| Wrong::new(expectation(self.model, name, &literal.to_string())))
    }

    fn object(
        &self,
        input: &InputObject,
        name: &str,
        given: &async_graphql::indexmap::IndexMap<Name, AstValue>,
    ) -> Result<Template, Wrong> {
        let mut fields = Vec::with_capacity(given.len());
        for field in &input.fields {
            match given.get(field.name) {
                Some(literal) => {
                    let value = self.place(field.ty, field.default.is_some(), literal);
                    let value = value.map_err(|w| w.under(field.name))?;
                    fields.push((field.name, value, field.default_value(self.model)));
                }
                None if field.required() => {
                    return Err(Wrong::new(format!("is required ({})", field.ty)).under(field.name));
                }
                None => {
                    if let Some(default) = field.default_value(self.model) {
                        fields.push((field.name, Template::Constant(default), None));
                    }
                }
            }
        }
        if let Some(unknown) = given.keys().find(|k| !input.fields.iter().any(|f| *f.name == ***k)) {
            return Err(unknown_field(input, name, unknown));
        }
        if input.one_of && !self.is_one(&fields) {
            return Err(Wrong::new(format!("{name} expects exactly one field, which is not null")));
        }
        Ok(object(fields))
    }

    /// Whether the fields are one field that is certain not to be null.
    fn is_one(&self, fields: &[(&'static str, Template, Option<Value>)]) -> bool {
        match fields {
            [(_, Template::Constant(value), _)] => *value != Value::Null,
            [(_, Template::Variable { index, .. }, _)] => self.variables[*index].ty.is_non_null(),
            [_] => true,
            _ => false,
        }
    }
}

/// GraphQL specification, section 5.8.5: AreTypesCompatible, for types of one name.
fn compatible(have: &[Wrap], want: &[Wrap]) -> bool {
    match (have, want) {
        ([Wrap::NonNull, have @ ..], [Wrap::NonNull, want @ ..]) => compatible(have, want),
        ([Wrap::NonNull, have @ ..], want) => compatible(have, want),
        ([Wrap::List, have @ ..], [Wrap::List, want @ ..]) => compatible(have, want),
        ([], []) => true,
        _ => false,
    }
}

/// What is expected where something else was given.
pub(super) fn expectation(model: &Model, name: &str, given: &str) -> String {
    let given: String =
        if given.chars().count() > 100 { given.chars().take(100).chain("…".chars()).collect() } else { given.into() };
    match model.enum_values(name) {
        Some(values) => {
            let bare = given.trim_matches('"');
            let near = codegen::nearest(bare, values.iter().map(|v| &*v.name));
            let hint = near.map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
            format!("{given} is no value of {name}.{hint}")
        }
        None => format!("{name} cannot represent {given}"),
    }
}

/// A field that the input type does not have.
pub(super) fn unknown_field(input: &InputObject, name: &str, unknown: &str) -> Wrong {
    let shown: String = unknown.chars().take(100).collect();
    let near = codegen::nearest(&shown, input.fields.iter().map(|f| f.name));
    let hint = near.map(|n| format!(" Did you mean \"{n}\"?")).unwrap_or_default();
    Wrong::new(format!("there is no field \"{shown}\" in {name}.{hint}"))
}

/// A list, constant when its items are.
fn list(items: Vec<Template>) -> Template {
    if !items.iter().all(|i| matches!(i, Template::Constant(_))) {
        return Template::List(items);
    }
    let constant = |item| match item {
        Template::Constant(value) => value,
        _ => unreachable!("every item is constant"),
    };
    Template::Constant(Value::List(items.into_iter().map(constant).collect()))
}

/// An object, constant when its fields are.
fn object(fields: Vec<(&'static str, Template, Option<Value>)>) -> Template {
    if !fields.iter().all(|(_, value, _)| matches!(value, Template::Constant(_))) {
        return Template::Object(fields);
    }
    let constant = |(name, value, _)| match value {
        Template::Constant(value) => (name, value),
        _ => unreachable!("every field is constant"),
    };
    Template::Constant(Value::Object(fields.into_iter().map(constant).collect()))
}
