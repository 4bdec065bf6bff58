//! The list of all rules: the source of docs/schema-rules.md, of the rules that a waiver can name, and of the rules in
//! SARIF output.

mod explanation;
mod page;

use schema::diff::{self, Level};

use super::finding::Severity;
use super::lint;
pub use explanation::explain;
pub use page::page;

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub id: &'static str,
    /// The default severity.
    pub severity: Severity,
    pub summary: &'static str,
    pub reason: &'static str,
    /// Whether `schema/waivers.toml` can name it.
    pub waivable: bool,
}

/// The rules of `cargo schema check` other than changes and lint.
pub const OWN: &[Rule] = &[
    Rule {
        id: "schema-mistake",
        severity: Severity::Error,
        summary: "A file of schema/ is invalid: its syntax, a rule of GraphQL, or an entry of a TOML file.",
        reason: "Nothing can be generated from it.",
        waivable: false,
    },
    Rule {
        id: "generated-stale",
        severity: Severity::Error,
        summary: "`generated/` differs from what `schema/` generates.",
        reason: "A reviewer reads `generated/`; `cargo schema generate` updates it.",
        waivable: false,
    },
    Rule {
        id: "removed-without-deprecation",
        severity: Severity::Error,
        summary: "An element was removed that the previous version did not deprecate.",
        reason: "A partner learns of a removal from the version it uses; an unexpected removal keeps partners from moving \
                 to the next version.",
        waivable: true,
    },
    Rule {
        id: "removed-too-soon",
        severity: Severity::Error,
        summary: "An element was removed sooner after its deprecation than `notice_months` in `schema/versions.toml`, by \
                  default 6.",
        reason: "A partner needs time to change its program. The time runs from the publication of the version that \
                 deprecated the element to that of the version without it.",
        waivable: true,
    },
    Rule {
        id: "published-changed",
        severity: Severity::Error,
        summary: "A published version changed: its digest or the file at the merge base differs. A warning where the change is signed off.",
        reason: "A partner must be able to trust a published version for years. Only the words of its descriptions may change; their figures stay.",
        waivable: false,
    },
    Rule {
        id: "payload-changed",
        severity: Severity::Error,
        summary: "The JSON Schema of a notification of a published version differs from the file in `generated/` at the merge base \
                  in more than its words and added fields.",
        reason: "A subscription gets notifications in the version in which it was made, for as long as that version lives.",
        waivable: false,
    },
    Rule {
        id: "published-digest-missing",
        severity: Severity::Error,
        summary: "A published version has no digest in `schema/versions.toml`.",
        reason: "Without it a change of the published file is not found.",
        waivable: false,
    },
    Rule {
        id: "sign-off-missing",
        severity: Severity::Error,
        summary: "The digest of a published version is not that of its latest line in `schema/published.txt`.",
        reason: "A published version and its digest can change together in a commit that is compared with nothing; the line says who \
                 allowed it, and when.",
        waivable: false,
    },
    Rule {
        id: "sign-off-removed",
        severity: Severity::Error,
        summary: "A line of `schema/published.txt` in an earlier commit is not there any more.",
        reason: "The file is the record of everything that was published.",
        waivable: false,
    },
    Rule {
        id: "published-removed",
        severity: Severity::Error,
        summary: "A published version was removed, or is a candidate again.",
        reason: "A version ends on its `sunset`, after it was deprecated, and not before.",
        waivable: false,
    },
    Rule {
        id: "version-days-changed",
        severity: Severity::Error,
        summary: "A published version has another day of publication or deprecation, or an earlier sunset, than at the merge \
                  base.",
        reason: "Partners were told these days. A sunset can be put off.",
        waivable: false,
    },
    Rule {
        id: "day-in-the-past",
        severity: Severity::Error,
        summary: "A sunset that is announced now is in the past, or a deprecation more than 31 days ago.",
        reason: "No partner could have known of it.",
        waivable: false,
    },
    Rule {
        id: "notice-too-short",
        severity: Severity::Error,
        summary: "A version ends sooner after its deprecation than `notice_months` in `schema/versions.toml`, by default 6.",
        reason: "A partner needs time to change its program.",
        waivable: false,
    },
    Rule {
        id: "base-unknown",
        severity: Severity::Warning,
        summary: "There is no merge base to compare published versions with; an error where the variable `CI` is set.",
        reason: "The digests are checked, but a change of a file together with its digest is not found.",
        waivable: false,
    },
    Rule {
        id: "operation-broken",
        severity: Severity::Error,
        summary: "An operation of `--operations` is refused, or reads what it was promised not to see, in the candidate.",
        reason: "The client that sends it stops working when it moves to the version.",
        waivable: false,
    },
    Rule {
        id: "operation-affected",
        severity: Severity::Warning,
        summary: "An operation of `--operations` may behave differently in the candidate.",
        reason: "Whether it does depends on the values that it sends, or on how its client reads the answer.",
        waivable: false,
    },
    Rule {
        id: "operation-unaffected",
        severity: Severity::Note,
        summary: "An operation of `--operations` uses nothing that the candidate changes.",
        reason: "Its client can move to the version without a change.",
        waivable: false,
    },
    Rule {
        id: "operation-invalid",
        severity: Severity::Error,
        summary: "An operation of `--operations` does not fit the version that it was written for.",
        reason: "What it uses is not known, so nothing can be said about it.",
        waivable: false,
    },
    Rule {
        id: "waiver-expired",
        severity: Severity::Error,
        summary: "A waiver has expired.",
        reason: "A waiver allows a finding until a day; after that the finding must be fixed.",
        waivable: false,
    },
    Rule {
        id: "waiver-unused",
        severity: Severity::Error,
        summary: "A waiver matches no finding.",
        reason: "Its finding is fixed; the next one at the same coordinate must not be allowed.",
        waivable: false,
    },
    Rule {
        id: "waiver-wrong",
        severity: Severity::Error,
        summary: "A waiver names a rule that does not exist or cannot be waived, gives no reason, or is a duplicate.",
        reason: "The reason explains to a later reader why the finding was allowed.",
        waivable: false,
    },
];

/// Returns every rule: of this list, of changes, of lint.
pub fn all() -> Vec<Rule> {
    let changes = diff::rules().map(|rule| Rule {
        id: rule.id,
        severity: severity(rule.level),
        summary: rule.summary,
        reason: rule.reason,
        waivable: true,
    });
    let lint = lint::RULES.iter().map(|rule| Rule {
        id: rule.id,
        severity: Severity::Error,
        summary: rule.summary,
        reason: rule.reason,
        waivable: true,
    });
    OWN.iter().copied().chain(changes).chain(lint).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_has_an_id_of_its_own() {
        let mut ids: Vec<&str> = all().into_iter().map(|rule| rule.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        let known = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(ids.iter().all(|id| id.chars().all(known)), "{ids:?}");
    }
}
