//! `schema/project.toml`: the levels of rules, and waivers, which let a finding through for a reason and until a day.

use super::project::{Project, SDL};

const RULE: &str = "removed-without-deprecation";

/// A candidate that removes an element without a deprecation.
fn removal(name: &str) -> Project {
    let project = Project::with_candidate(name);
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    project
}

/// A candidate with a dangerous change, `optional-argument-added` at `Query.a(x:)`.
fn addition(name: &str) -> Project {
    let project = Project::with_candidate(name);
    project.edit("schema/2027-01.graphql", "  a: Int\n", "  a(\"Which, 1 to 9.\" x: Int): Int\n");
    project
}

fn waiver(rule: &str, coordinate: &str, reason: &str, expires: &str) -> String {
    format!(
        "[[waiver]]\nrule = \"{rule}\"\ncoordinate = \"{coordinate}\"\nreason = \"{reason}\"\nexpires = {expires}\n"
    )
}

impl Project {
    fn set(&self, text: &str) {
        self.write("schema/project.toml", text);
    }
}

#[test]
fn level_of_a_rule_is_set_in_a_file() {
    let project = addition("policy_level");
    project.run("check").exits(0).prints("warning[optional-argument-added]");
    project.set("[levels]\noptional-argument-added = \"error\"\n");
    project.run("check").exits(100).prints("error[optional-argument-added]");
    project.set("[levels]\noptional-argument-added = \"off\"\n");
    project.run("check --notes").exits(0).prints_not("optional-argument-added");
    let removal = removal("policy_level_removal");
    removal.set("[levels]\nremoved-without-deprecation = \"warning\"\n");
    removal.run("check").exits(0).prints("warning[removed-without-deprecation]");
}

#[test]
fn warning_of_lint_in_what_clients_use_does_not_get_worse() {
    let project = Project::with_candidate("policy_lint");
    for version in ["2026-10", "2027-01"] {
        project.write(&format!("schema/{version}.graphql"), &SDL.replace("The second.", "the second."));
    }
    project.run("generate").exits(0);
    project.commit();
    project.commit_other();
    project.set("[levels]\ndescription-sentence = \"error\"\n");
    project.run("check").exits(0).prints("warning[description-sentence]");
    project.set("[levels]\ndescription-sentence = \"off\"\n");
    project.run("check").exits(0).prints("0 errors, 0 warnings");
}

/// The rules of style are off, the others warn: a schema of another team is not refused.
#[test]
fn lint_without_levels_refuses_nothing() {
    let project = Project::new("policy_default");
    project.write("schema/2027-01.graphql", "type Query { node(x: String): [node] }\ntype node { id: ID! }\n");
    let versions = project.read("schema/versions.toml") + "\n[[version]]\nname = \"2027-01\"\nstatus = \"candidate\"\n";
    project.write("schema/versions.toml", &versions);
    let output = project.run("lint 2027-01").exits(0);
    output.prints("warning[name-spelling]").prints("0 errors, 1 warning, 0 notes");
    project.run("check").prints("warning[name-spelling]").prints_not("description-missing");
    project.set("[levels]\nnode-id = \"error\"\n[resolve]\nfields = [\"node.id\"]\n");
    project.run("lint 2027-01").exits(100).prints("error[node-id]").prints("1 error, 1 warning, 0 notes");
}

#[test]
fn mistake_in_the_file_is_an_error() {
    let project = removal("policy_mistake");
    let day = "2027-01-01";
    for (text, position, message) in [
        ("[levels]\nfield-removde = \"off\"\n".to_owned(), "2:1", "did you mean `field-removed`?"),
        ("[levels]\nfield-removed = \"eror\"\n".to_owned(), "2:17", "unknown variant `eror`, expected one of `off`"),
        (
            "[levels]\npublished-changed = \"off\"\n".to_owned(),
            "2:1",
            "`published-changed` is no rule of changes or lint",
        ),
        ("[level]\n".to_owned(), "1:2", "unknown field `level`"),
        (waiver("published-changed", "Query.b", "Why.", day), "2:8", "is no rule of changes or lint"),
        (waiver(RULE, "Query.b", " ", day), "4:10", "a waiver gives a reason"),
        (
            waiver(RULE, "Query.b", "A.", day) + &waiver(RULE, "Query.b", "B.", day),
            "7:8",
            "is waived twice at `Query.b`",
        ),
        (waiver(RULE, "Query.b", "A.", "\"soon\""), "5:11", "schema-mistake"),
        (waiver(RULE, "Query.b", "A.", "2027-01-01T00:00:00Z"), "5:11", "`expires` is a day"),
    ] {
        project.set(&text);
        project.run("check").exits(100).prints(&format!("schema/project.toml:{position}")).prints(message);
    }
}

#[test]
fn waiver_allows_its_finding_until_its_day() {
    let project = removal("waiver");
    project.set(&waiver(RULE, "Query.b", "Nobody used it.", "2026-11-21"));
    project.run("check").exits(0).prints_not("Query.b");
    project.run("check --notes").exits(0).prints("waived until 2026-11-21: Nobody used it.");
    let expired = project.run_with("check", "2026-11-22", false).exits(100);
    expired
        .prints("error[removed-without-deprecation]")
        .prints("its waiver in schema/project.toml ended on 2026-11-21");
    // It stays as a record of the published version.
    project.run("publish 2027-01 --dry-run").exits(0).prints("waived until 2026-11-21: Nobody used it.");
    project.run("publish 2027-01").exits(0);
    project.run_with("check", "2026-11-22", false).exits(0).prints_not("waiver");
}

#[test]
fn waiver_without_a_finding_is_an_error() {
    let project = removal("waiver_unused");
    project.set(&waiver(RULE, "Query.a", "Why not.", "2027-01-01"));
    let output = project.run("check").exits(100).prints("error[waiver-unused]: nothing at `Query.a` breaks");
    // The waiver of a field does not cover other coordinates.
    output.prints("remove it").prints("error[removed-without-deprecation]: field `Query.b`");
}

#[test]
fn breaking_change_prints_the_waiver_to_paste() {
    let project = removal("waiver_paste");
    let output = project.run("check").exits(100).prints("to allow it, add to schema/project.toml:");
    let from = output.out.find("[[waiver]]").unwrap();
    let pasted: Vec<&str> = output.out[from..].lines().map(str::trim).take(5).collect();
    assert_eq!(pasted[4], "expires = 2027-02-19");
    project.set(&pasted.join("\n").replace("\"\"", "\"All clients agreed.\""));
    project.run("check").exits(0);
}

#[test]
fn dangerous_change_is_acknowledged_by_a_waiver() {
    let project = addition("waiver_dangerous");
    project.run("check").exits(0).prints("0 errors, 1 warning,").prints_not("to allow it");
    project.set(&waiver("optional-argument-added", "Query.a(x:)", "Without it all is as before.", "2026-11-21"));
    project.run("check").exits(0).prints("0 errors, 0 warnings");
    project.run_with("check", "2026-11-22", false).exits(0).prints("warning[optional-argument-added]");
}
