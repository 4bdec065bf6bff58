//! Explains one rule in text: `cargo schema explain`. The sources are those of docs/schema-rules.md.

use schema::diff;

use super::{Rule, find};

/// Returns the explanation of a rule; `address` is that of its description.
pub fn explain(id: &str, address: &str) -> Option<String> {
    let rule = find(id)?;
    let change = diff::rules().find(|change| change.id == id);
    let kind = match change {
        Some(change) => format!("a {} change; ", change.level.as_str()),
        None => String::new(),
    };
    let mut paragraphs =
        vec![format!("{id}: {kind}by default {}", with_article(&rule)), format!("{}\n{}", rule.summary, rule.reason)];
    paragraphs.extend(change.and_then(|change| change.help).map(|help| format!("Instead: {help}.")));
    if let Some(change) = change {
        let inspector = change.inspector.join(", ");
        let names = [("graphql-js", change.graphql_js.unwrap_or_default()), ("graphql-inspector", &*inspector)];
        let names = names.into_iter().filter(|(_, name)| !name.is_empty());
        let mut lines: Vec<String> = names.map(|(tool, name)| format!("{tool}: {name}")).collect();
        lines.extend(change.note.map(str::to_owned));
        paragraphs.extend((!lines.is_empty()).then(|| lines.join("\n")));
    }
    if rule.waivable {
        paragraphs.push(format!(
            "Another level, in schema/check.toml (error, warning or note):\n\n    [levels]\n    {id} = \"warning\""
        ));
        paragraphs.push(format!(
            "One finding allowed until a day, in schema/waivers.toml:\n\n    [[waiver]]\n    rule = \"{id}\"\n    \
             coordinate = \"Card.status\"\n    reason = \"Why it is allowed.\"\n    expires = 2027-03-31"
        ));
    }
    paragraphs.push(address.to_owned());
    Some(paragraphs.join("\n\n") + "\n")
}

fn with_article(rule: &Rule) -> String {
    let severity = rule.severity.as_str();
    format!("{} {severity}", if severity == "error" { "an" } else { "a" })
}
