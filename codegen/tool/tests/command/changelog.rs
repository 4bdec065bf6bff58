//! `changelog`: what changes between versions, as Markdown and as data.

use serde_json::{Value, json};

use super::project::{Project, SDL};

/// Makes three versions: the second is published and deprecates `b`, the third is a candidate without it.
fn project(name: &str) -> Project {
    let project = Project::new(name);
    let deprecating = SDL.replace("  b: Int\n", "  b: Int @deprecated(reason: \"Use `a`.\")\n");
    project.write("schema/2027-01.graphql", &deprecating);
    project.write("schema/2027-04.graphql", &SDL.replace("  \"The second.\"\n  b: Int\n", "  \"More.\"\n  d: Int\n"));
    let entry = |name: &str, rest: &str| format!("\n[[version]]\nname = \"{name}\"\n{rest}\n");
    let published = entry("2027-01", "status = \"current\"\npublished = 2027-01-04");
    let toml = project.read("schema/versions.toml") + &published + &entry("2027-04", "status = \"candidate\"");
    project.write("schema/versions.toml", &toml);
    project
}

#[test]
fn changelog_has_dates_reasons_and_replacements() {
    let project = project("changelog");
    let text = project
        .run("changelog")
        .exits(0)
        .prints("## 2027-01\n\nCurrent. Published on 2027-01-04.\nSince 2026-10:\n")
        .prints("- `Query.b` is deprecated from now on. Use `a`. Instead: `Query.a`.\n")
        .prints("# Not published yet\n\n## 2027-04\n\nCandidate: ")
        .prints("is refused. 2027-01 deprecated it: Use `a`. Instead: `Query.a`.\n")
        .prints("## 2026-10\n\nCurrent. Published on 2026-10-01.\nThe first version.\n");
    // What was published comes first, though the candidate is newer.
    assert!(text.out.find("## 2027-01") < text.out.find("## 2027-04"), "{}", text.out);
}

#[test]
fn changelog_is_written_between_any_two_versions() {
    let project = project("changelog_between");
    project
        .run("changelog --from 2026-10 --to 2027-04")
        .exits(0)
        .prints("Since 2026-10:")
        .prints("2027-01 deprecated it: Use `a`.")
        .prints("- Field `Query.d` was added.")
        .prints_not("## 2027-01");
    project.run("changelog --to 2027-01").exits(0).prints("Since 2026-10:").prints_not("2027-04");
    project.run("changelog --from 2027-01").exits(0).prints("## 2027-04").prints("Since 2027-01:");
    project.run("changelog --from 2027-04 --to 2027-01").exits(1).prints("2027-04 is not older than 2027-01");
    project.run("changelog --to 2026-10").exits(1).prints("2026-10 is the first version: none is before it");
    project.run("changelog --from 2026-11").exits(1).prints("there is no version 2026-11; did you mean 2026-10?");
}

#[test]
fn changelog_is_written_as_data() {
    let project = project("changelog_data");
    let document: Value = serde_json::from_str(&project.run("changelog --format json").exits(0).out).unwrap();
    assert_eq!(document["format"], 1);
    let [new, first] = document["versions"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!(
        (&new["version"], &new["status"], &new["published"]),
        (&json!("2027-01"), &json!("current"), &json!("2027-01-04"))
    );
    assert_eq!((&first["since"], &first["changes"]), (&Value::Null, &json!([])));
    let [candidate] = document["candidates"].as_array().unwrap().as_slice() else { panic!("{document}") };
    assert_eq!((&candidate["since"], &candidate["published"]), (&json!("2027-01"), &Value::Null));
    let removed = &candidate["changes"][0];
    assert_eq!((&removed["level"], &removed["rule"]), (&json!("breaking"), &json!("field-removed")));
    assert_eq!(removed["coordinate"], "Query.b");
    let deprecation = json!({ "since": "2027-01", "reason": "Use `a`.", "replacements": ["Query.a"] });
    assert_eq!(removed["deprecation"], deprecation);
    project.write("schema/2027-04.graphql", "type Query {");
    project.run("changelog --format json").exits(100).prints("schema-mistake");
}
