//! Arguments are defined by their field or directive.
//!
//! <https://spec.graphql.org/September2025/#sec-Argument-Names>

use super::did_you_mean;
use crate::ast::Argument;
use crate::visit::{Owner, Rule, RuleContext};

#[derive(Default)]
pub(super) struct KnownArgumentNames;

impl<'a> Rule<'a> for KnownArgumentNames {
    fn arguments(&mut self, cx: &mut RuleContext<'a>, arguments: &'a [Argument<'a>], owner: Owner<'a>) {
        for argument in arguments {
            let name = argument.name;
            if matches!(owner, Owner::Unknown) || owner.argument(name.text).is_some() {
                continue;
            }
            cx.errors.add(&[name.at], || {
                let of = match owner {
                    Owner::Field(parent, definition) => {
                        format!("field \"{}.{}\"", parent.name, definition.name)
                    }
                    Owner::Directive(_, directive) => format!("directive \"@{}\"", directive.name.text),
                    Owner::Unknown => String::new(),
                };
                let known = owner.definitions().iter().map(|definition| definition.name);
                format!("Unknown argument \"{}\" on {of}.{}", name.text, did_you_mean("", name.text, known))
            });
        }
    }
}
