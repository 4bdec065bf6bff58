//! The plan of an operation: merged fields, applied conditions, coerced arguments.
//!
//! Built by the planner, cached, and read by execution and generated dispatch.

use std::borrow::Cow;

use bytes::Bytes;
use dated_graphql_schema::model::Ty;
use serde_json::Value as Json;

use super::error::Location;
use super::value::{Value, Variables, json_bytes};

/// An operation, ready to run.
pub struct Plan {
    /// The name of the operation.
    pub(super) name: Option<Box<str>>,
    /// Whether the operation is a mutation, whose root fields run serially.
    pub mutation: bool,
    /// The fields of the root.
    pub root: Selection,
    pub(super) variables: Vec<VariableDefinition>,
    /// The positions of the variables, sorted by name.
    pub(super) variables_by_name: Box<[usize]>,
    /// The whole response, if no field depends on the request.
    pub(super) response: Option<Bytes>,
}

/// A variable that the operation declares.
pub(super) struct VariableDefinition {
    pub name: Box<str>,
    pub ty: Ty,
    pub default: Option<Value>,
    pub location: Location,
    /// The number of its uses in the arguments of planned fields.
    pub uses: usize,
}

/// The merged fields of one object type, in response order.
#[derive(Default)]
pub struct Selection {
    pub(super) fields: Vec<Field>,
    /// The number of async fields.
    pub(super) async_fields: usize,
}

impl Selection {
    /// Returns whether `written`, the value of the object, is null, or every one of its fields is.
    pub(super) fn is_null(&self, written: &[u8]) -> bool {
        let fields = self.fields.iter().enumerate();
        let nulls = fields.flat_map(|(i, field)| [&field.key.as_bytes()[usize::from(i == 0)..], b"null"]);
        written == b"null" || written == [b"{", &nulls.collect::<Vec<_>>().concat()[..], b"}"].concat()
    }
}

/// A field of the response.
pub struct Field {
    /// The name in the schema.
    pub name: &'static str,
    /// The name of the object type.
    pub(super) parent: &'static str,
    /// The key as it is written: `,"key":`.
    pub(super) key: Cow<'static, str>,
    pub(super) arguments: Vec<Argument>,
    /// The selection for each possible object type.
    pub(super) select: Vec<(&'static str, Selection)>,
    pub(super) nullable: bool,
    /// Whether a resolver is awaited for its value.
    pub(super) is_async: bool,
    /// Whether any nested field is async.
    pub(super) async_below: bool,
    /// The location of its first selection.
    pub(super) location: Location,
    /// The locations of its other selections.
    pub(super) other_locations: Box<[Location]>,
    /// The written value, for introspection that depends on no variable.
    pub(super) constant: Option<Box<[u8]>>,
}

/// An argument with its value. Absent arguments are not listed.
pub(super) struct Argument {
    pub name: &'static str,
    pub given: Given,
    /// The location of its value; `None` for a default.
    pub location: Option<Location>,
}

/// The value of an argument.
pub(super) enum Given {
    /// The same in every request.
    Constant(Value),
    /// A variable, with the default of the argument.
    Variable { index: usize, default: Option<Value>, non_null: bool },
    /// A literal that contains variables.
    Partial(PartialValue),
}

/// A literal that contains variables, coerced except for them.
pub(super) enum PartialValue {
    Constant(Value),
    Variable { index: usize, non_null: bool },
    List(Vec<PartialValue>),
    Object(Vec<(&'static str, PartialValue, Option<Value>)>),
    Custom(PartialJson),
}

/// A literal of a custom scalar that contains variables.
pub(super) enum PartialJson {
    Constant(Json),
    /// `None` for a variable without a value.
    Variable(Option<usize>),
    List(Vec<PartialJson>),
    Object(Vec<(String, PartialJson)>),
}

impl Plan {
    /// Returns the position of a declared variable.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        let sorted = &self.variables_by_name;
        let found = sorted.binary_search_by(|at| (*self.variables[*at].name).cmp(name));
        found.ok().map(|found| sorted[found])
    }

    /// Estimates the bytes of the copies of variables that are used more than once.
    pub(super) fn copied_bytes(&self, variables: &Variables) -> usize {
        let repeated = self.variables.iter().zip(variables).filter(|(definition, _)| definition.uses > 1);
        let bytes = repeated.map(|(definition, value)| {
            let each = value.as_ref().map_or(0, |value| size_of::<Value>() + value.bytes());
            each.saturating_mul(definition.uses)
        });
        bytes.fold(0, usize::saturating_add)
    }

    /// Estimates the size in memory.
    pub(super) fn bytes(&self) -> usize {
        let variable = |v: &VariableDefinition| {
            size_of::<VariableDefinition>()
                + v.name.len()
                + size_of::<usize>()
                + v.ty.name.len()
                + v.default.as_ref().map_or(0, Value::bytes)
        };
        let response = self.response.as_ref().map_or(0, Bytes::len);
        let name = self.name.as_ref().map_or(0, |name| name.len());
        size_of::<Self>() + name + self.root.bytes() + self.variables.iter().map(variable).sum::<usize>() + response
    }
}

impl Selection {
    fn bytes(&self) -> usize {
        self.fields.iter().map(Field::bytes).sum()
    }
}

impl Field {
    fn bytes(&self) -> usize {
        let below = self.select.iter().map(|(_, selection)| size_of::<(&str, Selection)>() + selection.bytes());
        let arguments = self.arguments.iter().map(|argument| argument.given.bytes());
        size_of::<Self>()
            + if let Cow::Owned(alias) = &self.key { alias.len() } else { 0 }
            + size_of_val(&*self.other_locations)
            + self.constant.as_ref().map_or(0, |constant| constant.len())
            + self.arguments.capacity() * size_of::<Argument>()
            + arguments.sum::<usize>()
            + below.sum::<usize>()
    }
}

impl Given {
    fn bytes(&self) -> usize {
        match self {
            Given::Constant(value) => value.bytes(),
            Given::Variable { default, .. } => default.as_ref().map_or(0, Value::bytes),
            Given::Partial(template) => template.bytes(),
        }
    }
}

impl PartialValue {
    /// Calls `used` with the position of each use of a variable.
    pub(super) fn each_use(&self, used: &mut impl FnMut(usize)) {
        match self {
            PartialValue::Constant(_) => {}
            PartialValue::Variable { index, .. } => used(*index),
            PartialValue::List(items) => items.iter().for_each(|item| item.each_use(used)),
            PartialValue::Object(fields) => fields.iter().for_each(|(_, field, _)| field.each_use(used)),
            PartialValue::Custom(json) => json.each_use(used),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            PartialValue::Constant(value) => value.bytes(),
            PartialValue::Variable { .. } => 0,
            PartialValue::List(items) => items.iter().map(|item| size_of::<Self>() + item.bytes()).sum(),
            PartialValue::Object(fields) => {
                let field = |(_, value, default): &(_, PartialValue, Option<Value>)| {
                    size_of::<(&str, PartialValue, Option<Value>)>()
                        + value.bytes()
                        + default.as_ref().map_or(0, Value::bytes)
                };
                fields.iter().map(field).sum()
            }
            PartialValue::Custom(json) => json.bytes(),
        }
    }
}

impl PartialJson {
    /// Returns the value in this request. An absent variable is null in a list, and leaves out its field of an object.
    pub(super) fn value(&self, variables: &Variables) -> Option<Json> {
        Some(match self {
            PartialJson::Constant(json) => json.clone(),
            PartialJson::Variable(index) => variables[(*index)?].clone()?.into_json(),
            PartialJson::List(items) => items.iter().map(|item| item.value(variables).unwrap_or_default()).collect(),
            PartialJson::Object(fields) => {
                fields.iter().filter_map(|(name, field)| Some((&**name, field.value(variables)?))).collect()
            }
        })
    }

    pub(super) fn has_variables(&self) -> bool {
        match self {
            PartialJson::Constant(_) => false,
            PartialJson::Variable(_) => true,
            PartialJson::List(items) => items.iter().any(Self::has_variables),
            PartialJson::Object(fields) => fields.iter().any(|(_, field)| field.has_variables()),
        }
    }

    fn each_use(&self, used: &mut impl FnMut(usize)) {
        match self {
            PartialJson::Constant(_) => {}
            PartialJson::Variable(index) => index.iter().for_each(|index| used(*index)),
            PartialJson::List(items) => items.iter().for_each(|item| item.each_use(used)),
            PartialJson::Object(fields) => fields.iter().for_each(|(_, field)| field.each_use(used)),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            PartialJson::Constant(json) => json_bytes(json),
            PartialJson::Variable(_) => 0,
            PartialJson::List(items) => items.iter().map(|item| size_of::<Self>() + item.bytes()).sum(),
            PartialJson::Object(fields) => {
                let field = |(name, value): &(String, Self)| size_of_val(value) + name.capacity() + value.bytes();
                fields.iter().map(field).sum()
            }
        }
    }
}

impl Field {
    /// Returns the key in the response.
    pub(super) fn response_key(&self) -> &str {
        &self.key[2..self.key.len() - 2]
    }

    /// Returns the selection of a field that returns one object type.
    pub(super) fn only(&self) -> &Selection {
        &self.select[0].1
    }

    /// Returns the selection for the object type `typename`.
    #[inline]
    pub fn selection_of(&self, typename: &str) -> &Selection {
        match &self.select[..] {
            [(_, only)] => only,
            several => {
                let found = several.iter().find(|(name, _)| *name == typename);
                found.map(|(_, selection)| selection).expect("the planner plans for every possible type")
            }
        }
    }
}
