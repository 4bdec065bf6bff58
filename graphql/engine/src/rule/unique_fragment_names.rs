//! No two fragments have the same name.
//!
//! <https://spec.graphql.org/September2025/#sec-Fragment-Name-Uniqueness>

use crate::ast::Fragment;
use crate::definition::Type;
use crate::visit::{Rule, RuleContext};

#[derive(Default)]
pub(super) struct UniqueFragmentNames;

impl<'a> Rule<'a> for UniqueFragmentNames {
    fn fragment(&mut self, cx: &mut RuleContext<'a>, fragment: &'a Fragment<'a>, _: Option<&'static Type>) {
        let name = fragment.name;
        // The lookup returns the first fragment of a name.
        if let Some((_, first)) = cx.document.fragment(name.text).filter(|(_, first)| first.name.at != name.at) {
            let detail = || format!("There can be only one fragment named \"{}\".", name.text);
            cx.errors.add(&[first.name.at, name.at], detail);
        }
    }
}
