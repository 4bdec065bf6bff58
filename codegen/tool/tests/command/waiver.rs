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
fn waiver_lets_its_finding_through_until_its_day() {
    let project = project("waiver", &[(RULE, "Query.b", "Nobody used it.", "2026-11-21")]);
    project.run("check").ended(0).kept_quiet("Query.b");
    project.run("check --notes").ended(0).said("waived until 2026-11-21: Nobody used it.");
    let expired = project.read("schema/waivers.toml").replace("2026-11-21", "2026-11-20");
    project.write("schema/waivers.toml", &expired);
    let said = project.run("check").ended(100).said("error[removed-without-deprecation]");
    said.said("error[waiver-expired]").said("ended on 2026-11-20").said("schema/waivers.toml:2:8");
}

#[test]
fn waiver_stays_as_the_record_of_a_published_version() {
    let project = project("waiver_published", &[(RULE, "Query.b", "Nobody used it.", "2026-11-21")]);
    project.run("publish 2027-01").ended(0);
    project.write("schema/waivers.toml", &project.read("schema/waivers.toml").replace("2026-11-21", "2026-11-20"));
    project.run("check").ended(0).kept_quiet("waiver");
}

#[test]
fn waiver_that_lets_nothing_through_is_a_finding() {
    let elsewhere = project("waiver_unused", &[(RULE, "Query.a", "Why not.", "2027-01-01")]);
    elsewhere.run("check").ended(100).said("error[waiver-unused]: nothing at `Query.a` breaks").said("remove it");
    // Nor does the waiver of a field cover what it does not name.
    elsewhere.run("check").said("error[removed-without-deprecation]: field `Query.b`");
}

#[test]
fn waiver_that_makes_no_sense_is_a_finding() {
    let wrong = [
        ("removed-without-deprecatio", "Query.b", "Why not.", "2027-01-01"),
        ("published-changed", "Query.b", "Why not.", "2027-01-01"),
        (RULE, "Query.b", " ", "2027-01-01"),
        ("description-missing", "Query.b", "Once.", "2027-01-01"),
        ("description-missing", "Query.b", "Twice.", "2027-01-01"),
    ];
    let project = project("waiver_wrong", &wrong);
    let said = project.run("check").ended(100).said("did you mean `removed-without-deprecation`?");
    said.said("there is no rule `published-changed` that can be waived").said("gives no reason").said("waived twice");
    project.write("schema/waivers.toml", "[[waiver]]\nrule = \"x\"\n");
    project.run("check").ended(100).said("error[schema-mistake]").said("schema/waivers.toml:1:1");
    project.write(
        "schema/waivers.toml",
        "[[waiver]]\nrule = \"x\"\ncoordinate = \"a\"\nreason = \"b\"\nexpires = \"soon\"\n",
    );
    project.run("check").ended(100).said("schema/waivers.toml:5:11");
}
