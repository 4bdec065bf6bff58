//! `new`, `publish`, `changelog`: a version from its beginning to its publication.

use super::project::{Project, SDL};

#[test]
fn version_is_begun_edited_and_published() {
    let project = Project::new("life");
    let said = project.run("new 2027-01").ended(0);
    said.said("wrote schema/2027-01.graphql, a copy of 2026-10").said("  Query.c").said("cargo schema publish 2027-01");
    assert_eq!(project.read("schema/2027-01.graphql"), SDL);
    assert!(project.read("generated/mod.rs").contains("VersionStatus::Candidate"));
    project.run("check").ended(0);
    project.edit("schema/2027-01.graphql", "  \"The second.\"", "  \"The new one.\"\n  d: Int\n  \"The second.\"");
    project.run("check").ended(0);
    let said = project.run("publish 2027-01").ended(0).said("published 2027-01").said("sha256:");
    said.said("wrote generated/mod.rs");
    let toml = project.read("schema/versions.toml");
    let entry = "[[version]]\nname = \"2027-01\"\nstatus = \"current\"\npublished = 2026-11-21\ndigest = \"sha256:";
    assert!(toml.contains(entry), "{toml}");
    project.run("check").ended(0);
    project.run("publish 2027-01").ended(1).said("2027-01 is published already");
    let said = project.run("changelog").ended(0).said("## 2027-01\n\nSince 2026-10.\n");
    said.said("### What is new\n\n- Field `Query.d` was added.\n").said("## 2026-10\n\nThe first version.\n");
}

#[test]
fn candidate_with_findings_is_not_published() {
    let project = Project::with_candidate("life_unfit");
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    let before = project.read("schema/versions.toml");
    let said = project.run("publish 2027-01").ended(100).said("removed-without-deprecation");
    said.said("2027-01 is not fit to be published; nothing was written");
    assert_eq!(project.read("schema/versions.toml"), before);
    project.run("publish 2099-01").ended(1).said("there is no version 2099-01");
}

#[test]
fn version_is_begun_only_where_there_is_room_for_it() {
    let project = Project::new("life_begin");
    for (name, said) in [
        ("next", "`next` is no version"),
        ("2027-13", "`2027-13` is no version"),
        ("2026-10", "does not come after 2026-10"),
        ("2026-09", "does not come after 2026-10"),
    ] {
        project.run(&format!("new {name}")).ended(1).said(said);
    }
    project.run("new 2027-01").ended(0);
    project.run("new 2027-04").ended(1).said("2027-01 is still a candidate");
    project.write("schema/2027-01.graphql", "type Query {");
    project.run("new 2027-04").ended(100).said("schema-mistake");
}
