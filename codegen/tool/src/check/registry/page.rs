//! Writes docs/schema-rules.md from the registry; a test checks that the file is current.

use schema::diff::{self, Level};

use super::OWN;
use crate::check::lint;

/// The introduction.
const HEAD: &str = "\
# Rules of the schema

<!-- Written by `cargo schema rules --write`; a test compares it with the rules. -->

`cargo schema check` reports all of these; `cargo schema diff` only the changes. The id of a rule never changes and is not
used again. Every finding has a schema coordinate, such as `Card.status` or `Query.card(id:)`.

- An **error** fails the check (exit code 100). A **warning** and a **note** do not.
- Changes are compared from a published version to the candidate after it. A breaking change is an error, unless the
  published version deprecated what the candidate removes: then it is a warning. A dangerous change is a warning.
  `--deny` makes more of them errors: `--deny dangerous`, `--deny warnings`, `--deny enum-value-added`.
- A lint finding is an error in what changed since the previous version, and a warning in the rest.
- A finding is waived in `schema/waivers.toml`, by rule and coordinate, with a reason and a last day:

      [[waiver]]
      rule = \"removed-without-deprecation\"
      coordinate = \"Card.livestreamUrl\"
      reason = \"No partner used it in a year, and all were informed.\"
      expires = 2027-03-31

  A breaking change prints the waiver to paste. A waiver of a dangerous change acknowledges it. A waiver that matches no
  finding, or has expired, is an error. When its version is published, it stays as a record and does not expire.
- The level of a change or of a lint rule is set in `schema/check.toml`, which need not exist:

      rules_page = \"https://example.org/docs/schema-rules.md\"

      [levels]
      enum-value-added = \"error\"
      description-sentence = \"note\"

  `rules_page` is the address of this page, for links in reports. In GitHub Actions it is known without.
- `cargo schema explain <rule>` prints what this page says about a rule.
- `--usage <database url or file>` adds to every breaking or dangerous change which partners used what it affects in the last 30 days, and
  when last: a required argument affects every use of its field, an enum value every field that returns the enum. `Card` is
  used when `Card.status` is. The database is only read. The file is an export of the server's counts: JSON,

      {\"format\": 1, \"from\": \"2026-10-22\", \"to\": \"2026-11-20\", \"uses\": [
        {\"partner\": \"Uitvaart Jansen\", \"keyMode\": \"live\", \"version\": \"2026-10\",
         \"day\": \"2026-11-19\", \"coordinate\": \"Card.status\", \"count\": 120}]}

  or CSV, whose first line names the counted days:

      # from 2026-10-22 to 2026-11-20
      partner,keyMode,version,day,coordinate,count
      Uitvaart Jansen,live,2026-10,2026-11-19,Card.status,120

  Missing counts do not prove that an element is unused: the finding names the counted days, and its level does not change.
- `--operations <folder, database URL or file>` checks the operations of a client (`.graphql` and `.gql`, in all folders below it; files share their
  fragments), written for the version before the candidate: each breaks (`operation-broken`), may behave differently, because
  that depends on the values that it sends or on what its client does (`operation-affected`), or is as before
  (`operation-unaffected`, shown with `--notes`). Each finding names the change and the place in the operation. From the server's database
  (`sqlite://…` or `postgres://…`, which is only read), or a `.json` file of `card-service usage documents --json`, it checks what
  partners sent to each version before the candidate, where the operator stores that (`USAGE_DOCUMENTS=on`): a finding for each
  operation, with the partners that send it, their key modes, and the last day. A source without operations is an error.

";

/// Writes the page.
pub fn page() -> String {
    let mut text = HEAD.to_owned();
    text.push_str("## Files and versions\n\n| rule | | what | why |\n|---|---|---|---|\n");
    for rule in OWN {
        let severity = rule.severity.as_str();
        text.push_str(&format!("| {} | {severity} | {} | {} |\n", anchored(rule.id), rule.summary, rule.reason));
    }
    text.push_str(
        "\n## Changes\n\nEvery kind of change that graphql-js (`findBreakingChanges`, `findDangerousChanges`) and \
         graphql-inspector know,\nby their names. The levels are those of graphql-js on all its kinds: \
         `conformance/schema_change_reference` holds its results. Where\nours differ, the table of differences says why.\n",
    );
    for level in [Level::Breaking, Level::Dangerous, Level::Safe] {
        let rules = diff::rules().filter(|rule| rule.level == level);
        text.push_str(&format!("\n### {}\n\n", title(level)));
        text.push_str("| rule | what | why | graphql-js | graphql-inspector |\n|---|---|---|---|---|\n");
        for rule in rules {
            let graphql_js = rule.graphql_js.map_or_else(String::new, |name| format!("`{name}`"));
            let (id, inspector) = (anchored(rule.id), inspector(rule.inspector));
            text.push_str(&format!("| {id} | {} | {} | {graphql_js} | {inspector} |\n", rule.summary, rule.reason));
        }
    }
    text.push_str("\n### What to do instead\n\n| rule | |\n|---|---|\n");
    for (rule, help) in diff::rules().filter_map(|rule| Some((rule, rule.help?))) {
        text.push_str(&format!("| `{}` | {}. |\n", rule.id, sentence(help)));
    }
    text.push_str("\n### Differences from graphql-js\n\n| rule | why |\n|---|---|\n");
    for (rule, note) in diff::rules().filter_map(|rule| Some((rule, rule.note?))) {
        text.push_str(&format!("| `{}` | {note} |\n", rule.id));
    }
    text.push_str(
        "\n`cargo schema diff` reads schemas of others too: SDL with subscriptions and extensions (`extend type`), which the \
         build refuses in\nour schemas, introspection as JSON, and the address of a GraphQL service.\n\n## Lint\n\n| rule | what | why |\n|---|---|---|\n",
    );
    for rule in lint::RULES {
        text.push_str(&format!("| {} | {} | {} |\n", anchored(rule.id), rule.summary, rule.reason));
    }
    text
}

/// The id of a rule as the target of a link.
fn anchored(id: &str) -> String {
    format!("<a id=\"{id}\"></a>`{id}`")
}

/// Gives a text a capital.
fn sentence(text: &str) -> String {
    let (first, rest) = text.split_at(text.len().min(1));
    first.to_uppercase() + rest
}

fn title(level: Level) -> &'static str {
    match level {
        Level::Breaking => "Breaking",
        Level::Dangerous => "Dangerous",
        Level::Safe => "Safe",
    }
}

/// Writes the names of graphql-inspector; more than six become one entry.
fn inspector(names: &[&str]) -> String {
    if names.len() > 6 {
        let end = names[0].rsplit('_').next().unwrap_or_default();
        return format!("`DIRECTIVE_USAGE_…_{end}`");
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
