//! The changelog: the changes from each version to the next that matter to clients.
//!
//! Used by `cargo schema changelog` and by the reference site.

use crate::diff::{self, Change, Level, Pair};
use crate::sdl::Sdl;

/// The changes from one version to the next.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name of the older version.
    pub from: String,
    /// The name of the newer version.
    pub to: String,
    /// Breaking changes first; empty groups are left out.
    pub groups: Vec<Group>,
}

/// Changes of one level.
#[derive(Clone, Debug)]
pub struct Group {
    /// The level of all changes in the group.
    pub level: Level,
    /// The heading for readers.
    pub title: &'static str,
    /// The changes, in the order of the schemas; never empty.
    pub lines: Vec<Line>,
}

/// One change.
#[derive(Clone, Debug)]
pub struct Line {
    /// The schema coordinate, `Card.status`.
    pub coordinate: String,
    /// A sentence without its full stop.
    pub text: String,
    /// Whether only the old version has the coordinate.
    pub gone: bool,
}

/// Returns the steps between versions, the newest first.
pub fn steps(versions: &[Sdl]) -> Vec<Step> {
    let pairs =
        versions.windows(2).filter_map(|pair| if let [old, new] = pair { Some(Pair { old, new }) } else { None });
    let mut steps: Vec<Step> = pairs.map(step).collect();
    steps.reverse();
    steps
}

fn step(pair: Pair<'_>) -> Step {
    let changes = diff::find(pair);
    let groups = [
        (Level::Breaking, "What you must follow"),
        (Level::Dangerous, "What you may have to follow"),
        (Level::Safe, "What is new"),
    ];
    let groups = groups.into_iter().map(|(level, title)| {
        let of_level = changes.iter().filter(|change| change.rule.level == level && is_listed(change));
        Group { level, title, lines: of_level.map(line).collect() }
    });
    Step {
        from: pair.old.version().to_owned(),
        to: pair.new.version().to_owned(),
        groups: groups.filter(|group| !group.lines.is_empty()).collect(),
    }
}

/// Returns whether the changelog lists a change; changed descriptions are left out.
fn is_listed(change: &Change) -> bool {
    !change.rule.id.contains("-description-")
}

fn line(change: &Change) -> Line {
    let gone = change.removed && !["implemented-interface-removed", "union-member-removed"].contains(&change.rule.id);
    let gone = gone && !change.coordinate.starts_with(crate::coordinate::SCHEMA);
    Line { coordinate: change.coordinate.clone(), text: change.message.clone(), gone }
}

/// Writes the changelog in Markdown, the newest version first.
pub fn markdown(versions: &[Sdl]) -> String {
    let mut text = String::from("# Changelog of the schema\n");
    for Step { from, to, groups } in steps(versions) {
        text.push_str(&format!("\n## {to}\n\nSince {from}.\n"));
        if groups.is_empty() {
            text.push_str("\nNothing that a client can notice.\n");
        }
        for Group { title, lines, .. } in groups {
            text.push_str(&format!("\n### {title}\n\n"));
            lines.iter().for_each(|line| text.push_str(&format!("- {}\n", sentence(&line.text))));
        }
    }
    if let Some(first) = versions.first() {
        text.push_str(&format!("\n## {}\n\nThe first version.\n", first.version()));
    }
    text
}

/// Adds a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map(|first| first.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sdl(version: &str, source: &str) -> Sdl {
        Sdl::parse(version, &format!("schema/{version}.graphql"), source).expect(source)
    }

    #[test]
    fn changelog_lists_the_newest_first_without_description_changes() {
        let versions = [
            sdl("2026-10", "\"A.\" type Query { a: Int b: Int }"),
            sdl(
                "2027-01",
                "\"B.\" type Query { a: Int b: Int @deprecated(reason: \"Use `a`.\") c(x: E): E } enum E { X }",
            ),
            sdl("2027-04", "type Query { a: Int c(x: E): E } enum E { X Y }"),
            sdl("2027-07", "type Query { a: Int c(x: E): E } enum E { X Y }"),
        ];
        let expected = "\
# Changelog of the schema

## 2027-07

Since 2027-04.

Nothing that a client can notice.

## 2027-04

Since 2027-01.

### What you must follow

- Field `Query.b` was removed.

### What you may have to follow

- Enum value `E.Y` was added.

## 2027-01

Since 2026-10.

### What is new

- `Query.b` is deprecated from now on.
- Field `Query.c` was added.
- Enum `E` was added.

## 2026-10

The first version.
";
        assert_eq!(markdown(&versions), expected);
    }
}
