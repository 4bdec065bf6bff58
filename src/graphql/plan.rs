//! A checked operation, arranged for execution: fields merged, conditions settled, arguments coerced.
//!
//! Made by the planner, kept by the cache, read by execution and by generated dispatch.

use schema::model::Ty;

use super::error::Location;
use super::value::Value;

/// An operation, ready to run.
pub struct Plan {
    /// Whether the operation is a mutation, whose root fields run one after the other.
    pub mutation: bool,
    /// The fields of the root.
    pub root: Selection,
    pub(super) variables: Vec<VariableDefinition>,
}

/// A variable that the operation declares.
pub(super) struct VariableDefinition {
    pub name: Box<str>,
    pub ty: Ty,
    pub default: Option<Value>,
    pub location: Location,
}

/// The fields of one object type, merged and in the order of the answer.
#[derive(Default)]
pub struct Selection {
    pub(super) fields: Vec<Field>,
    /// How many of them are resolved.
    pub(super) async_fields: usize,
}

/// One field of the answer.
pub struct Field {
    /// As the schema calls it.
    pub name: &'static str,
    /// As the answer writes it: `,"key":`.
    pub(super) key: Box<[u8]>,
    pub(super) arguments: Vec<Argument>,
    /// One for each object type that can be here.
    pub(super) select: Vec<(&'static str, Selection)>,
    pub(super) nullable: bool,
    /// Whether its value is waited for.
    pub(super) is_async: bool,
    /// Whether anything below it is waited for.
    pub(super) async_below: bool,
    /// Where in the document it is asked for first.
    pub(super) location: Location,
    /// The other places that ask for it.
    pub(super) other_locations: Box<[Location]>,
    /// The answer itself, for introspection that depends on no variable.
    pub(super) constant: Option<Box<[u8]>>,
}

/// An argument with what it is given: an argument that is not here is absent.
pub(super) struct Argument {
    pub name: &'static str,
    pub given: Given,
    /// Where in the document its value is; `None` is a default.
    pub location: Option<Location>,
}

/// What an argument is given.
pub(super) enum Given {
    /// The same in every request.
    Constant(Value),
    /// A variable; when it is absent, the default of the argument.
    Variable { index: usize, default: Option<Value>, non_null: bool },
    /// A literal with variables in it.
    Partial(PartialValue),
}

/// A literal with variables in it, coerced as far as it goes.
pub(super) enum PartialValue {
    Constant(Value),
    Variable { index: usize, non_null: bool },
    List(Vec<PartialValue>),
    Object(Vec<(&'static str, PartialValue, Option<Value>)>),
}

impl Plan {
    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let variable = |v: &VariableDefinition| {
            size_of::<VariableDefinition>()
                + v.name.len()
                + v.ty.name.len()
                + v.default.as_ref().map_or(0, Value::bytes)
        };
        size_of::<Self>() + self.root.bytes() + self.variables.iter().map(variable).sum::<usize>()
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
        let arguments = self.arguments.iter().map(|argument| size_of::<Argument>() + argument.given.bytes());
        size_of::<Self>()
            + self.key.len()
            + size_of_val(&*self.other_locations)
            + self.constant.as_ref().map_or(0, |constant| constant.len())
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
        }
    }
}

impl Field {
    /// The key in the answer.
    pub(super) fn response_key(&self) -> &str {
        // `,"` stands before it and `":` behind it; names are ASCII.
        std::str::from_utf8(&self.key[2..self.key.len() - 2]).unwrap_or_default()
    }

    /// What is selected of an object of type `typename` here.
    #[inline]
    pub fn of(&self, typename: &str) -> &Selection {
        match &self.select[..] {
            [(_, only)] => only,
            several => {
                let found = several.iter().find(|(name, _)| *name == typename);
                found.map(|(_, selection)| selection).expect("the planner plans for every possible type")
            }
        }
    }
}
