//! The validation rules of the GraphQL specification, section 5: one file each, with its name in graphql-js.
//!
//! One visit of the document ([`visit`]) calls all rules; rules that need the whole document run after it. Each rule takes time
//! linear in the document or is bounded by a limit. The parser checks that a document has only executable definitions
//! (section 5.1.1). Subscriptions need no rules, because the schema has none.

mod fields_on_correct_type;
mod fragments_on_composite_types;
mod known_argument_names;
mod known_directives;
mod known_fragment_names;
mod known_operation_types;
mod known_type_names;
mod lone_anonymous_operation;
mod max_introspection_depth;
mod no_fragment_cycles;
mod no_undefined_variables;
mod no_unused_fragments;
mod no_unused_variables;
mod overlapping_fields_can_be_merged;
mod possible_fragment_spreads;
mod provided_required_arguments;
mod scalar_leafs;
mod unique_argument_names;
mod unique_directives_per_location;
mod unique_fragment_names;
mod unique_input_field_names;
mod unique_operation_names;
mod unique_variable_names;
mod values_of_correct_type;
mod variables_are_input_types;
mod variables_in_allowed_position;

use super::ast::{Argument, Directive, Document, Fragment, Name, Operation, Spread, Value, Variable};
use super::coordinate::CoordinateSet;
use super::definition::Type;
use super::error::{Location, Refusal, RefusalError};
use super::limit::{Limits, exceeded};
use super::model::Model;
use super::small_map::SmallMap;
use super::used_coordinates::{Conditions, UsedCoordinates};
use super::uses::Uses;
use super::visit::{Errors, Input, Owner, Rule, RuleContext, TypedField, TypedInline, visit};

/// What validation reads from a valid document.
pub(super) struct Facts<'a> {
    /// The schema coordinates that the document uses.
    pub coordinates: CoordinateSet,
    /// The variables of `@skip` and `@include`.
    pub conditions: Vec<&'a str>,
}

/// Validates a document whose size is within the limits.
pub(super) fn check<'a>(
    model: &'static Model,
    document: &'a Document<'a>,
    limits: &'a Limits,
) -> Result<Facts<'a>, Refusal> {
    let mut cx = RuleContext { model, document, limits, errors: Errors::default() };
    let mut rules = Rules::default();
    visit(&mut cx, &mut rules);
    let uses = std::mem::take(&mut rules.uses);
    if !document.fragments.is_empty() {
        no_unused_fragments::check(&mut cx, &uses);
    }
    check_variables(&mut cx, &uses)?;
    let before = cx.errors.count();
    no_fragment_cycles::check(&mut cx, &uses);
    // These rules follow spreads and would not terminate on a cycle.
    if cx.errors.count() == before {
        rules.max_introspection_depth.check(&mut cx);
        overlapping_fields_can_be_merged::check(&mut cx)?;
    }
    cx.errors.refuse()?;
    Ok(Facts { coordinates: rules.used_coordinates.0, conditions: rules.conditions.0 })
}

/// A variable defined by an operation.
struct Definition<'a> {
    variable: &'a Variable<'a>,
    used: bool,
}

/// The variables of an operation by name.
type Definitions<'a> = SmallMap<'a, Definition<'a>>;

/// Applies the rules about variables to each operation and the fragments it reaches.
fn check_variables<'a>(cx: &mut RuleContext<'a>, uses: &Uses<'a>) -> Result<(), RefusalError> {
    let mut steps = 0;
    for (operation, used) in cx.document.operations.iter().zip(&uses.operations) {
        let mut definitions = Definitions::default();
        for variable in &operation.variables {
            // Another rule reports repeated names; the last definition counts, as in graphql-js.
            definitions.or_insert_with(variable.name.text, || Definition { variable, used: false }).variable = variable;
        }
        let reached = uses.reached(used);
        steps += reached.len();
        for variable in uses.variables(used, &reached) {
            steps += 1;
            if steps > cx.limits.variable_uses_max {
                let detail = "The operations of the document use variables too often, fragments written out.";
                return Err(exceeded(detail.to_owned()));
            }
            no_undefined_variables::check(cx, operation, &definitions, variable);
            if let Some(definition) = definitions.get_mut(variable.name) {
                definition.used = true;
                variables_in_allowed_position::check(cx, definition.variable, variable);
            }
        }
        no_unused_variables::check(cx, operation, &definitions);
    }
    Ok(())
}

/// Reports each name that occurs more than once, with its locations.
fn report_repeated<'a>(
    cx: &mut RuleContext<'a>,
    names: impl ExactSizeIterator<Item = Name<'a>>,
    detail: fn(&str) -> String,
) {
    if names.len() < 2 {
        return;
    }
    let mut known: SmallMap<'a, Vec<Location>> = SmallMap::default();
    for name in names {
        known.or_insert_with(name.text, Vec::new).push(name.at);
    }
    for (name, places) in known.entries.iter().filter(|(_, places)| places.len() > 1) {
        let shown = &places[..places.len().min(PLACES_SHOWN_MAX)];
        cx.errors.add(shown, || detail(name));
    }
}

/// The maximum number of locations in one error.
const PLACES_SHOWN_MAX: usize = 20;

/// Returns "Did you mean …?" if one of the names is similar to the word; `what` precedes the suggested name.
fn did_you_mean<'n>(what: &str, word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    // The comparison takes time in the product of both lengths.
    if word.len() > 100 {
        return String::new();
    }
    let near = dated_graphql_schema::nearest(word, names);
    near.map(|name| format!(" Did you mean {what}\"{name}\"?")).unwrap_or_default()
}

/// Defines the struct of all rules, which forwards each call to all of them.
macro_rules! rules {
    ($($name:ident: $rule:ty,)*) => {
        /// The rules that run during the visit, and the collectors of facts.
        #[derive(Default)]
        struct Rules<'a> {
            $($name: $rule,)*
        }

        impl<'a> Rule<'a> for Rules<'a> {
            fn operation(&mut self, cx: &mut RuleContext<'a>, operation: &'a Operation<'a>) {
                $(self.$name.operation(cx, operation);)*
            }

            fn fragment(&mut self, cx: &mut RuleContext<'a>, fragment: &'a Fragment<'a>, on: Option<&'static Type>) {
                $(self.$name.fragment(cx, fragment, on);)*
            }

            fn variable(&mut self, cx: &mut RuleContext<'a>, variable: &'a Variable<'a>) {
                $(self.$name.variable(cx, variable);)*
            }

            fn field(&mut self, cx: &mut RuleContext<'a>, field: TypedField<'a>) {
                $(self.$name.field(cx, field);)*
            }

            fn inline(&mut self, cx: &mut RuleContext<'a>, inline: TypedInline<'a>) {
                $(self.$name.inline(cx, inline);)*
            }

            fn spread(&mut self, cx: &mut RuleContext<'a>, spread: &'a Spread<'a>, parent: Option<&'static Type>) {
                $(self.$name.spread(cx, spread, parent);)*
            }

            fn directives(&mut self, cx: &mut RuleContext<'a>, directives: &'a [Directive<'a>], place: &'static str) {
                $(self.$name.directives(cx, directives, place);)*
            }

            fn arguments(&mut self, cx: &mut RuleContext<'a>, arguments: &'a [Argument<'a>], owner: Owner<'a>) {
                $(self.$name.arguments(cx, arguments, owner);)*
            }

            fn value(&mut self, cx: &mut RuleContext<'a>, value: &'a Value<'a>, input: Option<Input<'a>>) {
                $(self.$name.value(cx, value, input);)*
            }

            fn inner_value(&mut self, cx: &mut RuleContext<'a>, value: &'a Value<'a>, input: Option<Input<'a>>) {
                $(self.$name.inner_value(cx, value, input);)*
            }
        }
    };
}

rules! {
    unique_operation_names: unique_operation_names::UniqueOperationNames<'a>,
    lone_anonymous_operation: lone_anonymous_operation::LoneAnonymousOperation,
    known_operation_types: known_operation_types::KnownOperationTypes,
    known_type_names: known_type_names::KnownTypeNames,
    fragments_on_composite_types: fragments_on_composite_types::FragmentsOnCompositeTypes,
    variables_are_input_types: variables_are_input_types::VariablesAreInputTypes,
    scalar_leafs: scalar_leafs::ScalarLeafs,
    fields_on_correct_type: fields_on_correct_type::FieldsOnCorrectType,
    unique_fragment_names: unique_fragment_names::UniqueFragmentNames,
    known_fragment_names: known_fragment_names::KnownFragmentNames,
    possible_fragment_spreads: possible_fragment_spreads::PossibleFragmentSpreads,
    unique_variable_names: unique_variable_names::UniqueVariableNames,
    known_directives: known_directives::KnownDirectives,
    unique_directives_per_location: unique_directives_per_location::UniqueDirectivesPerLocation,
    known_argument_names: known_argument_names::KnownArgumentNames,
    unique_argument_names: unique_argument_names::UniqueArgumentNames,
    values_of_correct_type: values_of_correct_type::ValuesOfCorrectType,
    provided_required_arguments: provided_required_arguments::ProvidedRequiredArguments,
    unique_input_field_names: unique_input_field_names::UniqueInputFieldNames,
    max_introspection_depth: max_introspection_depth::MaxIntrospectionDepth<'a>,
    uses: Uses<'a>,
    used_coordinates: UsedCoordinates,
    conditions: Conditions<'a>,
}
