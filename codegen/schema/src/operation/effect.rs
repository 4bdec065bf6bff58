//! The effects of changes on the uses of an operation.

use std::collections::{BTreeMap, HashMap};

use super::uses::{How, Use};
use crate::coordinate;
use crate::diagnostic::Span;
use crate::diff::{self, Change, Level, Pair, affected};
use crate::model::Input;
use crate::walk::{InputValue, input_values};

/// The changes between two versions, by the coordinates of the old one whose use they affect.
pub(super) struct Effects {
    list: Vec<Effect>,
    by_use: HashMap<String, Vec<usize>>,
}

/// A change, and how it affects a use of an input value.
struct Effect {
    change: Change,
    /// Whether the changed argument or input field must be sent now.
    required: bool,
    /// Whether it takes every value that it took, except null.
    only_null_refused: bool,
}

impl Effects {
    pub(super) fn of(pair: Pair<'_>) -> Self {
        let (old, new) = (inputs(input_values(&pair.old.schema)), inputs(input_values(&pair.new.schema)));
        let (mut list, mut by_use) = (vec![], HashMap::<String, Vec<usize>>::new());
        for change in diff::find(pair).into_iter().filter(|change| change.rule.level > Level::Safe) {
            for used in affected_uses(pair, &change) {
                by_use.entry(used).or_default().push(list.len());
            }
            let (old, new) = (old.get(&change.coordinate), new.get(&change.coordinate));
            let required = new.is_some_and(|new| new.ty.is_non_null() && new.default.is_none());
            let only_null_refused = old.zip(new).is_some_and(|(old, new)| old.ty == new.ty.nullable());
            list.push(Effect { change, required, only_null_refused });
        }
        Self { list, by_use }
    }

    /// Returns the changes that these uses meet, each with its worst level and the first place of that.
    pub(super) fn met(&self, uses: &[Use]) -> Vec<(Level, Span, &Change)> {
        let mut met = BTreeMap::<usize, (Level, Span)>::new();
        for used in uses {
            for at in self.by_use.get(&used.coordinate).into_iter().flatten() {
                let Some(level) = self.list[*at].level(used) else { continue };
                let worst = met.entry(*at).or_insert((level, used.span));
                if level > worst.0 {
                    *worst = (level, used.span);
                }
            }
        }
        met.into_iter().map(|(at, (level, span))| (level, span, &self.list[at].change)).collect()
    }
}

fn inputs(values: Vec<InputValue<'_>>) -> HashMap<String, &Input> {
    values.into_iter().map(|value| (value.coordinate, value.input)).collect()
}

/// Unlike [`affected`], tells the uses of an argument or an input field from those of what has it.
fn affected_uses(pair: Pair<'_>, change: &Change) -> Vec<String> {
    let (id, at) = (change.rule.id, &change.coordinate);
    let parent = || coordinate::parent(at).unwrap_or(at).to_owned();
    match id {
        _ if id.ends_with("-argument-added") || id.ends_with("-input-field-added") => vec![parent()],
        _ if id.starts_with("argument-") || id.starts_with("input-field-") => vec![at.clone()],
        _ => affected(pair, change),
    }
}

impl Effect {
    /// Returns the level of the change for one use of what it affects, or `None` if that use is as good as before.
    fn level(&self, used: &Use) -> Option<Level> {
        let Effect { change, required, only_null_refused } = self;
        let (id, how) = (change.rule.id, used.how);
        if id == "number-changed" {
            return (how != How::LeftOut).then_some(Level::Dangerous);
        }
        if id.contains("-default-") {
            return (how == How::LeftOut).then_some(change.rule.level);
        }
        match how {
            How::LeftOut => required.then_some(change.rule.level),
            How::Sent if *only_null_refused || id.ends_with("-made-required") => None,
            // Each request may send another value.
            How::InVariable => Some(Level::Dangerous),
            // An answer may hold less than before, such as a removed enum value.
            How::Named if used.coordinate != change.coordinate && !id.ends_with("-added") => Some(Level::Dangerous),
            How::Named | How::Sent | How::SentFromNullable => Some(change.rule.level),
        }
    }
}
