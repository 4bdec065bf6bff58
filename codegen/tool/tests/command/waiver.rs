//! Waivers let a finding through, for a reason and until a day.

use super::project::Project;

/// A candidate that removes what was not deprecated, with these waivers.
fn project(name: &str, waivers: &[(&str, &str, &str, &str)]) -> Project {
    let project = Project::with_candidate(name);
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    let entries = waivers.iter().map(|(rule, coordinate, reason, expires)| {
        format!(
            "[[waiver]]\nrule = \"{rule}\"\ncoordinate = \"{coordinate}\"\nreason = \"{reason}\"\nexpires = {expires}\n"
        )
    });
    project.write("schema/waivers.toml", &entries.collect::<Vec<_>>().join("\n"));
    project
}

const RULE: &str = "removed-without-deprecation";

#[test]
fn waiver_allows_its_finding_until_its_day() {
    let project = project("waiver", &[(RULE, "Query.b", "Nobody used it.", "2026-11-21")]);
    project.run("check").exits(0).prints_not("Query.b");
    project.run("check --notes").exits(0).prints("waived until 2026-11-21: Nobody used it.");
    let expired = project.read("schema/waivers.toml").replace("2026-11-21", "2026-11-20");
    project.write("schema/waivers.toml", &expired);
    let output = project.run("check").exits(100).prints("error[removed-without-deprecation]");
    output.prints("error[waiver-expired]").prints("ended on 2026-11-20").prints("schema/waivers.toml:2:8");
}

#[test]
fn waiver_of_a_published_version_stays() {
    let project = project("waiver_published", &[(RULE, "Query.b", "Nobody used it.", "2026-11-21")]);
    project.run("publish 2027-01 --dry-run").exits(0).prints("waived until 2026-11-21: Nobody used it.");
    project.run("publish 2027-01").exits(0);
    project.write("schema/waivers.toml", &project.read("schema/waivers.toml").replace("2026-11-21", "2026-11-20"));
    project.run("check").exits(0).prints_not("waiver");
}

#[test]
fn waiver_without_a_finding_is_an_error() {
    let elsewhere = project("waiver_unused", &[(RULE, "Query.a", "Why not.", "2027-01-01")]);
    elsewhere.run("check").exits(100).prints("error[waiver-unused]: nothing at `Query.a` breaks").prints("remove it");
    // The waiver of a field does not cover other coordinates.
    elsewhere.run("check").prints("error[removed-without-deprecation]: field `Query.b`");
}

#[test]
fn unused_waiver_says_what_was_meant() {
    let misspelt = project("waiver_misspelt", &[(RULE, "Qeury.b", "Why not.", "2027-01-01")]);
    misspelt
        .run("check")
        .exits(100)
        .prints("error[waiver-unused]")
        .prints("did you mean `Query.b`?")
        .prints_not("help: remove it");
    let other_rule = project("waiver_other_rule", &[("field-removed", "Query.b", "Why not.", "2027-01-01")]);
    other_rule.run("check").exits(100).prints("did you mean `removed-without-deprecation`?");
}

#[test]
fn breaking_change_prints_the_waiver_to_paste() {
    let project = project("waiver_paste", &[]);
    let output = project.run("check").exits(100).prints("to allow it, add to schema/waivers.toml:");
    let from = output.out.find("[[waiver]]").unwrap();
    let pasted: Vec<&str> = output.out[from..].lines().map(str::trim).take(5).collect();
    assert_eq!(pasted[4], "expires = 2027-02-19");
    project.write("schema/waivers.toml", &pasted.join("\n"));
    project.run("check").exits(100).prints("the waiver of `removed-without-deprecation` gives no reason");
    project.write("schema/waivers.toml", &pasted.join("\n").replace("\"\"", "\"All partners agreed.\""));
    project.run("check").exits(0);
    let sarif = project.run("check --format sarif").exits(0);
    sarif.prints("\"justification\": \"All partners agreed.\"").prints("\"uri\": \"schema/waivers.toml\"");
}

#[test]
fn dangerous_change_is_acknowledged_by_a_waiver() {
    let project = Project::with_candidate("waiver_dangerous");
    project.edit("schema/2027-01.graphql", "  a: Int\n", "  a(\"Which, 1 to 9.\" x: Int): Int\n");
    project.run("check").exits(0).prints("0 errors, 1 warning,").prints_not("to allow it");
    let waiver = "[[waiver]]\nrule = \"optional-argument-added\"\ncoordinate = \"Query.a(x:)\"\n\
                  reason = \"Without it all is as before.\"\nexpires = 2026-11-21\n";
    project.write("schema/waivers.toml", waiver);
    project.run("check --deny dangerous").exits(0).prints("0 errors, 0 warnings");
    project.run("check --notes").exits(0).prints("waived until 2026-11-21: Without it all is as before.");
    let expired = project.run_with("check", "2026-11-22", false).exits(100);
    expired.prints("error[waiver-expired]").prints("warning[optional-argument-added]");
    project.run("publish 2027-01").exits(0);
    project.run_with("check", "2026-11-22", false).exits(0);
    let unused = Project::with_candidate("waiver_dangerous_unused");
    unused.write("schema/waivers.toml", waiver);
    unused.run("check").exits(100).prints("error[waiver-unused]: nothing at `Query.a(x:)`");
}

#[test]
fn invalid_waiver_is_an_error() {
    let wrong = [
        ("removed-without-deprecatio", "Query.b", "Why not.", "2027-01-01"),
        ("published-changed", "Query.b", "Why not.", "2027-01-01"),
        (RULE, "Query.b", " ", "2027-01-01"),
        ("description-missing", "Query.b", "Once.", "2027-01-01"),
        ("description-missing", "Query.b", "Twice.", "2027-01-01"),
    ];
    let project = project("waiver_wrong", &wrong);
    let output = project.run("check").exits(100).prints("did you mean `removed-without-deprecation`?");
    output
        .prints("there is no rule `published-changed` that can be waived")
        .prints("gives no reason")
        .prints("waived twice");
    project.write("schema/waivers.toml", "[[waiver]]\nrule = \"x\"\n");
    project.run("check").exits(100).prints("error[schema-mistake]").prints("schema/waivers.toml:1:1");
    project.write(
        "schema/waivers.toml",
        "[[waiver]]\nrule = \"x\"\ncoordinate = \"a\"\nreason = \"b\"\nexpires = \"soon\"\n",
    );
    project.run("check").exits(100).prints("schema/waivers.toml:5:11");
}
