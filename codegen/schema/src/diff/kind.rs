//! The kinds of change, one file each. [`find`] asks each of them about every spot.

mod argument_default_added;
mod argument_default_changed;
mod argument_default_removed;
mod argument_deprecated;
mod argument_deprecation_reason_changed;
mod argument_description_changed;
mod argument_made_required;
mod argument_removed;
mod argument_type_changed;
mod argument_type_widened;
mod argument_undeprecated;
mod built_in_scalar_added;
mod built_in_scalar_removed;
mod directive_added;
mod directive_argument_default_added;
mod directive_argument_default_changed;
mod directive_argument_default_removed;
mod directive_argument_description_changed;
mod directive_argument_made_required;
mod directive_argument_removed;
mod directive_argument_type_changed;
mod directive_argument_type_widened;
mod directive_description_changed;
mod directive_location_added;
mod directive_location_removed;
mod directive_removed;
mod directive_repeatable_added;
mod directive_repeatable_removed;
mod directive_use_added;
mod directive_use_changed;
mod directive_use_removed;
mod enum_value_added;
mod enum_value_deprecated;
mod enum_value_deprecation_reason_changed;
mod enum_value_description_changed;
mod enum_value_removed;
mod enum_value_undeprecated;
mod field_added;
mod field_deprecated;
mod field_deprecation_reason_added;
mod field_deprecation_reason_changed;
mod field_deprecation_reason_removed;
mod field_description_added;
mod field_description_changed;
mod field_description_removed;
mod field_removed;
mod field_type_changed;
mod field_type_narrowed;
mod field_undeprecated;
mod implemented_interface_added;
mod implemented_interface_removed;
mod input_field_default_added;
mod input_field_default_changed;
mod input_field_default_removed;
mod input_field_deprecated;
mod input_field_deprecation_reason_changed;
mod input_field_description_added;
mod input_field_description_changed;
mod input_field_description_removed;
mod input_field_made_required;
mod input_field_removed;
mod input_field_type_changed;
mod input_field_type_widened;
mod input_field_undeprecated;
mod mutation_root_added;
mod mutation_root_changed;
mod mutation_root_removed;
mod one_of_added;
mod one_of_removed;
mod optional_argument_added;
mod optional_directive_argument_added;
mod optional_input_field_added;
mod query_root_changed;
mod required_argument_added;
mod required_directive_argument_added;
mod required_input_field_added;
mod scalar_specification_changed;
mod schema_description_changed;
mod type_added;
mod type_description_added;
mod type_description_changed;
mod type_description_removed;
mod type_kind_changed;
mod type_removed;
mod union_member_added;
mod union_member_removed;

use super::compare::{self, Spot};
use super::{Change, Pair, Rule};
use crate::model::{Kind, Type};

/// Every kind, as docs/schema-rules.md lists them.
pub static RULES: &[&Rule] = &[
    &query_root_changed::RULE,
    &mutation_root_changed::RULE,
    &mutation_root_removed::RULE,
    &mutation_root_added::RULE,
    &schema_description_changed::RULE,
    &type_removed::RULE,
    &type_added::RULE,
    &type_kind_changed::RULE,
    &built_in_scalar_removed::RULE,
    &built_in_scalar_added::RULE,
    &type_description_added::RULE,
    &type_description_removed::RULE,
    &type_description_changed::RULE,
    &scalar_specification_changed::RULE,
    &one_of_added::RULE,
    &one_of_removed::RULE,
    &implemented_interface_removed::RULE,
    &implemented_interface_added::RULE,
    &union_member_removed::RULE,
    &union_member_added::RULE,
    &enum_value_removed::RULE,
    &enum_value_added::RULE,
    &enum_value_description_changed::RULE,
    &enum_value_deprecated::RULE,
    &enum_value_undeprecated::RULE,
    &enum_value_deprecation_reason_changed::RULE,
    &field_removed::RULE,
    &field_added::RULE,
    &field_type_changed::RULE,
    &field_type_narrowed::RULE,
    &field_description_added::RULE,
    &field_description_removed::RULE,
    &field_description_changed::RULE,
    &field_deprecated::RULE,
    &field_undeprecated::RULE,
    &field_deprecation_reason_added::RULE,
    &field_deprecation_reason_removed::RULE,
    &field_deprecation_reason_changed::RULE,
    &argument_removed::RULE,
    &required_argument_added::RULE,
    &optional_argument_added::RULE,
    &argument_type_changed::RULE,
    &argument_type_widened::RULE,
    &argument_made_required::RULE,
    &argument_default_added::RULE,
    &argument_default_removed::RULE,
    &argument_default_changed::RULE,
    &argument_description_changed::RULE,
    &argument_deprecated::RULE,
    &argument_undeprecated::RULE,
    &argument_deprecation_reason_changed::RULE,
    &input_field_removed::RULE,
    &required_input_field_added::RULE,
    &optional_input_field_added::RULE,
    &input_field_type_changed::RULE,
    &input_field_type_widened::RULE,
    &input_field_made_required::RULE,
    &input_field_default_added::RULE,
    &input_field_default_removed::RULE,
    &input_field_default_changed::RULE,
    &input_field_description_added::RULE,
    &input_field_description_removed::RULE,
    &input_field_description_changed::RULE,
    &input_field_deprecated::RULE,
    &input_field_undeprecated::RULE,
    &input_field_deprecation_reason_changed::RULE,
    &directive_removed::RULE,
    &directive_added::RULE,
    &directive_description_changed::RULE,
    &directive_repeatable_removed::RULE,
    &directive_repeatable_added::RULE,
    &directive_location_removed::RULE,
    &directive_location_added::RULE,
    &directive_argument_removed::RULE,
    &required_directive_argument_added::RULE,
    &optional_directive_argument_added::RULE,
    &directive_argument_type_changed::RULE,
    &directive_argument_type_widened::RULE,
    &directive_argument_made_required::RULE,
    &directive_argument_default_added::RULE,
    &directive_argument_default_removed::RULE,
    &directive_argument_default_changed::RULE,
    &directive_argument_description_changed::RULE,
    &directive_use_added::RULE,
    &directive_use_removed::RULE,
    &directive_use_changed::RULE,
];

/// Every change from the old schema to the new, in the order of the old.
pub fn find(pair: Pair<'_>) -> Vec<Change> {
    let spots = compare::walk(pair);
    spots.iter().flat_map(|spot| RULES.iter().filter_map(|rule| change(rule, spot))).collect()
}

/// The change of one kind at one spot, where there is one.
fn change(rule: &'static Rule, spot: &Spot<'_>) -> Option<Change> {
    let message = (rule.describe)(spot)?;
    let (old, new) = spot.spans(rule.aspect);
    let deprecated = spot.deprecated().map(str::to_owned);
    Some(Change {
        rule,
        coordinate: spot.coordinate.clone(),
        message,
        old,
        new,
        removed: spot.is_removal(),
        deprecated,
    })
}

/// What a type is, in a word.
pub(crate) fn noun(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Scalar { .. } => "scalar",
        Kind::Object { .. } => "type",
        Kind::Interface { .. } => "interface",
        Kind::Union { .. } => "union",
        Kind::Enum { .. } => "enum",
        Kind::Input { .. } => "input",
    }
}

/// What a type is, with its article.
fn noun_with_article(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Scalar { .. } => "a scalar",
        Kind::Object { .. } => "an object type",
        Kind::Interface { .. } => "an interface",
        Kind::Union { .. } => "a union",
        Kind::Enum { .. } => "an enum",
        Kind::Input { .. } => "an input",
    }
}
