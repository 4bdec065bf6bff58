//! The types of variables are scalars, enums or input types.
//!
//! <https://spec.graphql.org/September2025/#sec-Variables-Are-Input-Types>

use crate::ast::Variable;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct VariablesAreInputTypes;

impl<'a> Rule<'a> for VariablesAreInputTypes {
    fn variable(&mut self, cx: &mut RuleContext<'a>, variable: &'a Variable<'a>) {
        let Variable { name, ty, .. } = variable;
        if !cx.model.is_input(ty.name.text) && cx.model.ty(ty.name.text).is_some() {
            let detail = || format!("Variable \"${}\" cannot be non-input type \"{ty}\".", name.text);
            cx.errors.add(&[ty.at], detail);
        }
    }
}
