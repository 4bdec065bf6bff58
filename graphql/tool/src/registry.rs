//! The list of all rules: the source of the page of rules, and of the rules that `schema/project.toml` can name.

use std::fmt::Write as _;

use dated_graphql_schema::diff::{self, Level};

use crate::finding::Severity;
use crate::lint;

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    pub id: &'static str,
    /// The default severity; `None` is off.
    pub severity: Option<Severity>,
    pub about: String,
    /// Whether `schema/project.toml` can name it.
    pub waivable: bool,
}

/// The rules of `cargo schema check` other than changes and lint.
const OWN: &[(&str, Severity, bool, &str)] = &[
    ("schema-mistake", Severity::Error, false, "A file of schema/ is invalid: nothing can be generated from it."),
    ("generated-stale", Severity::Error, false, "`generated/` differs from what `schema/` generates."),
    ("removed-without-deprecation", Severity::Error, true, "The previous version did not deprecate what was removed."),
    (
        "removed-too-soon",
        Severity::Error,
        true,
        "The time between the publication of the version that deprecated an element and of the version without it is \
         shorter than `notice_months` in `schema/versions.toml`, by default 6.",
    ),
    (
        "published-changed",
        Severity::Error,
        false,
        "A published version differs from its digest or from the merge base. Only the words of its descriptions may \
         change; their numbers stay.",
    ),
    (
        "payload-changed",
        Severity::Error,
        false,
        "A JSON Schema of a published version, in the folder `json_schemas` of `schema/project.toml`, lost or changed a field \
         since the merge base.",
    ),
    ("published-removed", Severity::Error, false, "A published version was removed before its `sunset`."),
    (
        "version-days",
        Severity::Error,
        false,
        "A day that clients know was changed, a new one is in the past, or the notice is shorter than `notice_months`.",
    ),
    (
        "base-unknown",
        Severity::Warning,
        false,
        "There is no merge base: a change of a published version together with its digest is not found. An error in CI; a note outside \
         of git, and where no version is published.",
    ),
    (
        "subscription-unserved",
        Severity::Warning,
        true,
        "The schema has a subscription root: it is left out of what is served, with the types that nothing else leads to.",
    ),
    (
        "scalar-untyped",
        Severity::Warning,
        true,
        "A custom scalar has no entry in `schema/project.toml`: it is any JSON.",
    ),
    ("waiver-unused", Severity::Error, false, "A waiver matches no finding, so it could allow a later one."),
];

/// Returns every rule: of this list, of changes, of lint.
pub fn all() -> Vec<Rule> {
    let own = OWN.iter().map(|(id, severity, waivable, about)| Rule {
        id,
        severity: Some(*severity),
        about: (*about).to_owned(),
        waivable: *waivable,
    });
    let changes = diff::RULES.iter().map(|rule| {
        let mut about = rule.reason.to_owned();
        about.extend(rule.help.map(|help| format!(" Instead: {help}.")));
        Rule { id: rule.id, severity: Some(severity(rule.level)), about, waivable: true }
    });
    let lint = lint::RULES.iter().map(|rule| Rule {
        id: rule.id,
        severity: rule.level,
        about: rule.about.to_owned(),
        waivable: true,
    });
    own.chain(changes).chain(lint).collect()
}

/// Returns the rule with this id.
pub fn find(id: &str) -> Option<Rule> {
    all().into_iter().find(|rule| rule.id == id)
}

/// Returns the default severity of a kind of change.
pub(crate) fn severity(level: Level) -> Severity {
    match level {
        Level::Breaking => Severity::Error,
        Level::Dangerous => Severity::Warning,
        Level::Safe => Severity::Note,
    }
}

/// Writes the page of the rules.
pub fn page() -> String {
    let mut text = "# Rules of the schema\n\n<!-- Written by `cargo schema rules`. -->\n\n\
         An error fails `cargo schema check`, a warning and a note do not. A breaking change is an error unless the previous\n\
         version deprecated what is removed. `[levels]` of `schema/project.toml` sets levels, `off` among them, and `[[waiver]]`\n\
         waives a finding until a day. Lint with the level `error` is an error in what changed, and a warning elsewhere.\n\n\
         | rule | | what |\n|---|---|---|\n"
        .to_owned();
    for Rule { id, severity, about, .. } in all() {
        let _ = writeln!(text, "| `{id}` | {} | {about} |", severity.map_or("off", Severity::as_str));
    }
    text.push_str(
        "\nThe levels of changes are those of graphql-js, except for these:\n\n\
         | rule | why |\n|---|---|\n",
    );
    for (id, note) in diff::RULES.iter().filter_map(|rule| Some((rule.id, rule.note?))) {
        let _ = writeln!(text, "| `{id}` | {note} |");
    }
    text
}
