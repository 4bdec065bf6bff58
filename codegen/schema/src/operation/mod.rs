//! What a version does to operations that were written for another one: they break, may behave differently, or stay as they are.
//!
//! Called by `cargo schema check --operations` and by the server, which checks the operations of a partner.

mod effect;
mod uses;

use std::cell::Cell;
use std::cmp::Reverse;

use cynic_parser::ExecutableDocument;
use cynic_parser::executable::OperationDefinition;

use crate::diagnostic::{Diagnostic, Span};
use crate::diff::{Level, Pair};
use crate::parse;
use effect::Effects;
use uses::{Fragments, FragmentsByName, Misfit, Use, uses};

/// A document with operations and fragments.
pub struct Document(ExecutableDocument);

impl Document {
    /// Reads the syntax of a document.
    pub fn parse(source: &str) -> Result<Self, Box<Diagnostic>> {
        parse::executable(source).map(Self)
    }

    /// Returns the number of its operations.
    pub fn operation_count(&self) -> usize {
        self.0.operations().count()
    }
}

/// The verdict on one operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The position of its document.
    pub document: usize,
    /// Its name, if it has one.
    pub operation: Option<String>,
    /// The span of its name, or of its selection set.
    pub span: Span,
    /// What becomes of it.
    pub outcome: Outcome,
    /// Why, the worst first; empty if it is unaffected.
    pub causes: Vec<Cause>,
}

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It uses nothing that changed.
    Unaffected,
    /// It may behave differently: that depends on the values that it sends or on what its client does.
    Affected,
    /// It is refused, or reads what it was promised not to see.
    Broken,
    /// It does not fit the version that it was written for, or there was too much to check.
    Invalid,
}

/// Why an operation is not as before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// What it makes of the operation.
    pub outcome: Outcome,
    /// The schema coordinate of what changed, or of what is not there.
    pub coordinate: String,
    /// What changed, in one line.
    pub message: String,
    /// Why that matters.
    pub reason: Option<&'static str>,
    /// The first use in the document.
    pub span: Span,
}

/// The changes from one version to another, ready to be applied to operations.
pub struct Comparison<'a> {
    pair: Pair<'a>,
    effects: Effects,
    /// The number of further fields, fragments and values that are looked at.
    steps: Cell<usize>,
}

impl<'a> Comparison<'a> {
    /// Compares two versions. Of the operations that are checked, `steps_max` fields, fragments and values are looked at in all,
    /// those of a shared fragment each time, in both versions; operations beyond that are invalid.
    pub fn new(pair: Pair<'a>, steps_max: usize) -> Self {
        Self { pair, effects: Effects::of(pair), steps: Cell::new(steps_max) }
    }

    /// Returns the two versions.
    pub fn pair(&self) -> Pair<'a> {
        self.pair
    }

    /// Returns the verdict on each operation, in the order of the documents, which share their fragments.
    pub fn check<'d>(&self, documents: &'d [Document]) -> Vec<Verdict> {
        let by_name = |document: &'d Document| document.0.fragments().map(|found| (found.name(), found));
        let shared: FragmentsByName<'_> = documents.iter().flat_map(by_name).collect();
        let mut verdicts = vec![];
        for (at, found) in documents.iter().enumerate() {
            let Document(document) = found;
            let own = by_name(found).collect();
            let fragments = Fragments { own: &own, shared: &shared };
            verdicts.extend(document.operations().map(|operation| self.verdict(at, operation, &fragments)));
        }
        verdicts
    }

    fn verdict(&self, document: usize, operation: OperationDefinition<'_>, fragments: &Fragments<'_, '_>) -> Verdict {
        let span = operation.name_span().unwrap_or(operation.selection_set_span()).into();
        let used = |schema| uses(schema, operation, fragments, &self.steps);
        let causes = match (used(&self.pair.old.schema), used(&self.pair.new.schema)) {
            (Err(misfit), _) => vec![misfit.cause(Outcome::Invalid)],
            (Ok(uses), after) => self.causes(&uses, after.err()),
        };
        let outcome = causes.first().map_or(Outcome::Unaffected, |cause| cause.outcome);
        Verdict { document, operation: operation.name().map(str::to_owned), span, outcome, causes }
    }

    fn causes(&self, uses: &[Use], misfit: Option<Misfit>) -> Vec<Cause> {
        let met = self.effects.met(uses).into_iter().map(|(level, span, change)| Cause {
            outcome: if level == Level::Breaking { Outcome::Broken } else { Outcome::Affected },
            coordinate: change.coordinate.clone(),
            message: change.message.clone(),
            reason: Some(change.rule.reason),
            span,
        });
        let mut causes: Vec<Cause> = met.collect();
        causes.sort_by_key(|cause| (Reverse(cause.outcome), cause.span));
        // A breaking change says more than what does not fit because of it.
        if let Some(misfit) = misfit
            && causes.first().is_none_or(|worst| worst.outcome < Outcome::Broken)
        {
            let outcome = if misfit.unchecked { Outcome::Invalid } else { Outcome::Broken };
            causes.insert(0, misfit.cause(outcome));
        }
        causes
    }
}

impl Misfit {
    fn cause(self, outcome: Outcome) -> Cause {
        let Self { coordinate, message, span, .. } = self;
        Cause { outcome, coordinate, message, reason: None, span }
    }
}
