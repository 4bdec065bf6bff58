//! Variables are used where their types are allowed.
//!
//! <https://spec.graphql.org/September2025/#sec-All-Variable-Usages-Are-Allowed>

use dated_graphql_syntax::Wrap;

use crate::ast::{Literal, Variable};
use crate::uses::Use;
use crate::visit::{Input, RuleContext};

pub(super) fn check(cx: &mut RuleContext<'_>, variable: &Variable<'_>, used: &Use<'_>) {
    let Some(input) = used.input else { return };
    // Another rule reports unknown types.
    if cx.model.ty(variable.ty.name.text).is_none() {
        return;
    }
    let (name, ty) = (used.name, &variable.ty);
    if !is_allowed(variable, input) {
        cx.errors.add(&[variable.at, used.at], || {
            let wanted = input;
            format!("Variable \"${name}\" of type \"{ty}\" used in position expecting type \"{wanted}\".")
        });
    }
    if let Some(one_of) = input.one_of
        && ty.wrap.first() != Some(&Wrap::NonNull)
    {
        cx.errors.add(&[variable.at, used.at], || {
            let needed = format!("must be non-nullable to be used for OneOf Input Object \"{one_of}\"");
            format!("Variable \"${name}\" is of type \"{ty}\" but {needed}.")
        });
    }
}

/// IsVariableUsageAllowed of the specification.
fn is_allowed(variable: &Variable<'_>, input: Input<'_>) -> bool {
    let ty = &variable.ty;
    let mut wanted = input.wrap;
    if input.is_non_null() && ty.wrap.first() != Some(&Wrap::NonNull) {
        let has_value = variable.default.as_ref().is_some_and(|default| !matches!(default.literal, Literal::Null));
        if !has_value && !input.has_default {
            return false;
        }
        wanted = input.nullable();
    }
    ty.name.text == input.name && are_compatible(&ty.wrap, wanted)
}

/// AreTypesCompatible of the specification, for types of one name.
fn are_compatible(have: &[Wrap], want: &[Wrap]) -> bool {
    match (have, want) {
        ([Wrap::NonNull, have @ ..], [Wrap::NonNull, want @ ..]) => are_compatible(have, want),
        ([Wrap::NonNull, have @ ..], want) => are_compatible(have, want),
        ([Wrap::List, have @ ..], [Wrap::List, want @ ..]) => are_compatible(have, want),
        ([], []) => true,
        _ => false,
    }
}
