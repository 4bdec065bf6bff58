//! A schema as a sorted list of facts, one a line: made from the file and from introspection by two readers that share
//! nothing else, so that a difference names itself.

use std::collections::BTreeSet;

/// What a schema says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts(BTreeSet<String>);

impl Facts {
    /// Takes a fact down, with its description where it has one.
    #[track_caller]
    pub fn state(&mut self, fact: String, description: Option<&str>) {
        let line = match description {
            Some(text) => format!("{fact} — {text:?}"),
            None => fact,
        };
        assert!(self.0.insert(line.clone()), "stated twice: {line}");
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Asserts that both say the same; the failure lists what only one of them says.
    #[track_caller]
    pub fn assert_same_as(&self, other: &Facts) {
        let only_here: Vec<_> = self.0.difference(&other.0).collect();
        let only_there: Vec<_> = other.0.difference(&self.0).collect();
        assert!(
            only_here.is_empty() && only_there.is_empty(),
            "only left: {only_here:#?}\nonly right: {only_there:#?}"
        );
    }
}
