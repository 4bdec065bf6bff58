//! Fields of composite types have a selection set, and leaf fields have none.
//!
//! <https://spec.graphql.org/September2025/#sec-Leaf-Field-Selections>

use crate::visit::{Rule, RuleContext, TypedField};

#[derive(Default)]
pub(super) struct ScalarLeafs;

impl<'a> Rule<'a> for ScalarLeafs {
    fn field(&mut self, cx: &mut RuleContext<'a>, TypedField { field, definition, .. }: TypedField<'a>) {
        let Some(definition) = definition else { return };
        let (name, ty) = (field.name, &definition.ty);
        match (cx.model.type_of(definition), &field.set) {
            (None, Some(set)) => cx.errors.add(&[set.at], || {
                format!("Field \"{name}\" must not have a selection since type \"{ty}\" has no subfields.")
            }),
            (Some(_), None) => cx.errors.add(&[field.at], || {
                let hint = format!("Did you mean \"{name} {{ ... }}\"?");
                format!("Field \"{name}\" of type \"{ty}\" must have a selection of subfields. {hint}")
            }),
            _ => {}
        }
    }
}
