//! Selected fields exist on their parent type.
//!
//! <https://spec.graphql.org/September2025/#sec-Field-Selections>

use super::did_you_mean;
use crate::definition::Type;
use crate::model::Model;
use crate::visit::{Rule, RuleContext, TypedField};

#[derive(Default)]
pub(super) struct FieldsOnCorrectType;

impl<'a> Rule<'a> for FieldsOnCorrectType {
    fn field(&mut self, cx: &mut RuleContext<'a>, TypedField { field, parent, definition }: TypedField<'a>) {
        if let (Some(parent), None) = (parent, definition) {
            let (name, model) = (field.name, cx.model);
            cx.errors.add(&[field.at], || {
                format!("Cannot query field \"{name}\" on type \"{}\".{}", parent.name, hint(model, parent, name))
            });
        }
    }
}

/// Suggests an object type of an interface or union that has the field, else a field with a similar name.
fn hint(model: &'static Model, parent: &'static Type, name: &str) -> String {
    let has_it = |ty: &&'static Type| model.field(ty, name).is_some();
    match model.possible(parent).find(has_it).filter(|_| !parent.is_object()) {
        Some(ty) => format!(" Did you mean to use an inline fragment on \"{}\"?", ty.name),
        None => did_you_mean("", name, model.field_names(parent)),
    }
}
