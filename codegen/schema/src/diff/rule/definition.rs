//! What a rule is, and the rules that tables complete with `..BASE`.

use crate::diff::element::{Aspect, Compared, TextChange};

/// How bad a kind of change is for a client that does not follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No client notices.
    Safe,
    /// A client may notice that was not written with such a change in mind.
    Dangerous,
    /// A valid request is refused, or an answer has a shape that it could not have before.
    Breaking,
}

impl Level {
    /// Returns the name in reports, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Safe => "safe",
            Level::Dangerous => "dangerous",
            Level::Breaking => "breaking",
        }
    }
}

/// A kind of change.
#[derive(Debug)]
pub struct Rule {
    /// The rule's name, which never changes.
    pub id: &'static str,
    /// The effect on clients.
    pub level: Level,
    /// The kind of change, in a sentence.
    pub summary: &'static str,
    /// Why the rule has its level.
    pub reason: &'static str,
    /// The kind of graphql-js, if it has one.
    pub graphql_js: Option<&'static str>,
    /// The kinds of graphql-inspector.
    pub inspector: &'static [&'static str],
    /// Where the rule is finer or stricter than graphql-js, and why.
    pub note: Option<&'static str>,
    /// How to make the change so that it is not found again.
    pub help: Option<&'static str>,
    pub(in crate::diff) aspect: Aspect,
    /// Returns the message where an element changed in this way.
    pub(in crate::diff) describe: fn(&Compared<'_>) -> Option<String>,
}

pub(super) const SAFE: Rule = Rule {
    id: "",
    level: Level::Safe,
    summary: "",
    reason: "No request and no answer changes.",
    graphql_js: None,
    inspector: &[],
    note: None,
    help: None,
    aspect: Aspect::Name,
    describe: |_| None,
};

pub(super) const DANGEROUS: Rule = Rule { level: Level::Dangerous, ..SAFE };

pub(super) const BREAKING: Rule = Rule { level: Level::Breaking, ..SAFE };

pub(super) const ADDED: Rule = Rule {
    describe: |compared| {
        compared.presence().added()?;
        Some(format!("{} was added", compared.label()?))
    },
    ..SAFE
};

pub(super) const REMOVED: Rule = Rule {
    describe: |compared| {
        compared.presence().removed()?;
        Some(format!("{} was removed", compared.label()?))
    },
    ..BREAKING
};

/// The description was added, removed or changed.
pub(super) const DESCRIPTION: Rule = Rule {
    reason: "Only what people read changes.",
    aspect: Aspect::Description,
    describe: |compared| {
        compared.description_change()?;
        Some(format!("the description of `{}` changed", compared.coordinate))
    },
    ..SAFE
};

pub(super) const DESCRIPTION_ADDED: Rule = Rule {
    describe: |compared| {
        let added = compared.description_change()? == TextChange::Added;
        added.then(|| format!("the description was added to `{}`", compared.coordinate))
    },
    ..DESCRIPTION
};

pub(super) const DESCRIPTION_REMOVED: Rule = Rule {
    describe: |compared| {
        let removed = compared.description_change()? == TextChange::Removed;
        removed.then(|| format!("the description was removed from `{}`", compared.coordinate))
    },
    ..DESCRIPTION
};

pub(super) const DESCRIPTION_CHANGED: Rule = Rule {
    describe: |compared| {
        let changed = compared.description_change()? == TextChange::Changed;
        changed.then(|| format!("the description of `{}` changed", compared.coordinate))
    },
    ..DESCRIPTION
};

pub(super) const DEPRECATED: Rule = Rule {
    reason: "Everything still works; people and tools see it.",
    describe: |compared| {
        let deprecated = compared.deprecation_change()? == TextChange::Added;
        deprecated.then(|| format!("`{}` is deprecated from now on", compared.coordinate))
    },
    ..REASON_CHANGED
};

pub(super) const UNDEPRECATED: Rule = Rule {
    describe: |compared| {
        let undeprecated = compared.deprecation_change()? == TextChange::Removed;
        undeprecated.then(|| format!("`{}` is no longer deprecated", compared.coordinate))
    },
    ..REASON_CHANGED
};

pub(super) const REASON_CHANGED: Rule = Rule {
    reason: "Only what people read changes.",
    aspect: Aspect::Deprecation,
    describe: |compared| {
        let changed = compared.deprecation_change()? == TextChange::Changed;
        changed.then(|| format!("the reason for the deprecation of `{}` changed", compared.coordinate))
    },
    ..SAFE
};
