//! All tables of rules.

use super::definition::Rule;
use super::{directive, enum_value, field, figure, input, named_type, schema, usage};
use crate::diff::element::{Element, Slot};

/// Returns every rule, in the order of docs/schema-rules.md.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let tables = [
        schema::RULES,
        named_type::RULES,
        enum_value::RULES,
        field::RULES,
        input::ARGUMENT,
        input::INPUT_FIELD,
        directive::RULES,
        input::DIRECTIVE_ARGUMENT,
        usage::RULES,
        figure::RULES,
    ];
    tables.into_iter().flatten()
}

/// Returns the rules that can apply to an element.
pub(in crate::diff) fn rules_of(element: &Element<'_>) -> impl Iterator<Item = &'static Rule> {
    let own = match element {
        Element::Schema(_) | Element::Root(..) => schema::RULES,
        Element::Type(_) | Element::BuiltIn(_) | Element::Implements(_) | Element::Member(_) => named_type::RULES,
        Element::EnumValue(_) => enum_value::RULES,
        Element::Field(_) => field::RULES,
        Element::Input(Slot::Argument, _) => input::ARGUMENT,
        Element::Input(Slot::InputField, _) => input::INPUT_FIELD,
        Element::Input(Slot::DirectiveArgument, _) => input::DIRECTIVE_ARGUMENT,
        Element::Directive(_) | Element::Location(_) => directive::RULES,
        Element::Use(_) => usage::RULES,
    };
    own.iter().chain(figure::RULES)
}
