//! No two fields of an input object have the same name.
//!
//! <https://spec.graphql.org/September2025/#sec-Input-Object-Field-Uniqueness>

use crate::ast::{Literal, Value};
use crate::small_map::SmallMap;
use crate::visit::{Input, Rule, RuleContext};

#[derive(Default)]
pub(super) struct UniqueInputFieldNames;

impl<'a> Rule<'a> for UniqueInputFieldNames {
    fn inner_value(&mut self, cx: &mut RuleContext<'a>, value: &'a Value<'a>, _: Option<Input<'a>>) {
        let Literal::Object(fields) = &value.literal else { return };
        let mut known = SmallMap::default();
        for field in fields {
            let name = field.name;
            if let Some(first) = known.add(name.text, name.at) {
                let detail = || format!("There can be only one input field named \"{}\".", name.text);
                cx.errors.add(&[*first, name.at], detail);
            }
        }
    }
}
