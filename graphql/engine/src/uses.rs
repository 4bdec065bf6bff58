//! The variables and fragments that each definition of a document uses, and the fragments that an operation reaches.
//!
//! Collected during the visit, so that the rules about variables and fragments need not walk selections again.

use super::ast::{Fragment, Literal, Operation, Spread, Value};
use super::definition::Type;
use super::error::Location;
use super::visit::{Input, Rule, RuleContext};

/// The uses of every definition.
#[derive(Default)]
pub(super) struct Uses<'a> {
    pub operations: Vec<Used<'a>>,
    pub fragments: Vec<Used<'a>>,
}

/// The uses of one definition.
#[derive(Default)]
pub(super) struct Used<'a> {
    pub variables: Vec<Use<'a>>,
    /// The positions of spread fragments that exist, with the locations of the spreads.
    pub spreads: Vec<(usize, Location)>,
}

/// A use of a variable.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    pub name: &'a str,
    pub at: Location,
    /// `None` if the schema does not define the position.
    pub input: Option<Input<'a>>,
}

impl<'a> Uses<'a> {
    fn last(&mut self) -> Option<&mut Used<'a>> {
        // Operations are visited before fragments.
        self.fragments.last_mut().or(self.operations.last_mut())
    }

    /// Returns the fragments that an operation reaches, each once.
    pub(super) fn reached(&self, operation: &Used<'a>) -> Vec<usize> {
        if operation.spreads.is_empty() {
            return Vec::new();
        }
        let mut seen = vec![false; self.fragments.len()];
        let (mut reached, mut next) = (Vec::new(), 0);
        let mut spreads = &operation.spreads;
        loop {
            for (fragment, _) in spreads {
                if !std::mem::replace(&mut seen[*fragment], true) {
                    reached.push(*fragment);
                }
            }
            let Some(fragment) = reached.get(next) else { return reached };
            spreads = &self.fragments[*fragment].spreads;
            next += 1;
        }
    }

    /// Returns the uses of variables in an operation and in the fragments that it reaches.
    pub(super) fn variables<'u>(
        &'u self,
        operation: &'u Used<'a>,
        reached: &'u [usize],
    ) -> impl Iterator<Item = &'u Use<'a>> {
        let through = reached.iter().flat_map(|fragment| &self.fragments[*fragment].variables);
        operation.variables.iter().chain(through)
    }
}

impl<'a> Rule<'a> for Uses<'a> {
    fn operation(&mut self, _: &mut RuleContext<'a>, _: &'a Operation<'a>) {
        self.operations.push(Used::default());
    }

    fn fragment(&mut self, _: &mut RuleContext<'a>, _: &'a Fragment<'a>, _: Option<&'static Type>) {
        self.fragments.push(Used::default());
    }

    fn spread(&mut self, cx: &mut RuleContext<'a>, spread: &'a Spread<'a>, _: Option<&'static Type>) {
        if let (Some((fragment, _)), Some(used)) = (cx.document.fragment(spread.name.text), self.last()) {
            used.spreads.push((fragment, spread.at));
        }
    }

    fn inner_value(&mut self, _: &mut RuleContext<'a>, value: &'a Value<'a>, input: Option<Input<'a>>) {
        if let (Literal::Variable(name), Some(used)) = (&value.literal, self.last()) {
            used.variables.push(Use { name, at: value.at, input });
        }
    }
}
