//! `new`, `publish`, `changelog`: a version from creation to publication.

use super::project::{Project, SDL};

#[test]
fn version_is_begun_edited_and_published() {
    let project = Project::new("version");
    let output = project.run("new 2027-01").exits(0);
    output
        .prints("wrote schema/2027-01.graphql, a copy of 2026-10")
        .prints("  Query.c")
        .prints("cargo schema publish 2027-01");
    assert_eq!(project.read("schema/2027-01.graphql"), SDL);
    assert!(project.read("generated/mod.rs").contains("VersionStatus::Candidate"));
    project.run("check").exits(0);
    project.edit("schema/2027-01.graphql", "  \"The second.\"", "  \"The new one.\"\n  d: Int\n  \"The second.\"");
    project.run("check").exits(0);
    let before = project.read("schema/versions.toml");
    project
        .run("publish 2027-01 --dry-run")
        .exits(0)
        .prints("2026-11-21 is before the month of 2027-01")
        .prints("2027-01 can be published on 2026-11-21; nothing was written");
    assert_eq!(project.read("schema/versions.toml"), before);
    let output = project.run("publish 2027-01").exits(0).prints("published 2027-01").prints("sha256:");
    output.prints("wrote generated/mod.rs");
    let toml = project.read("schema/versions.toml");
    let entry = "[[version]]\nname = \"2027-01\"\nstatus = \"current\"\npublished = 2026-11-21\ndigest = \"sha256:";
    assert!(toml.contains(entry), "{toml}");
    project.run("check").exits(0);
    project.run("publish 2027-01").exits(1).prints("2027-01 is published already");
    let output =
        project.run("changelog").exits(0).prints("## 2027-01\n\nCurrent. Published on 2026-11-21.\nSince 2026-10:\n");
    output.prints("### What is new\n\n- Field `Query.d` was added.\n").prints_not("Not published yet");
}

#[test]
fn candidate_with_findings_is_not_published() {
    let project = Project::with_candidate("version_unfit");
    project.edit("schema/2027-01.graphql", "  \"The second.\"\n  b: Int\n", "");
    let before = project.read("schema/versions.toml");
    for dry in ["", " --dry-run"] {
        let output = project.run(&format!("publish 2027-01{dry}")).exits(100).prints("removed-without-deprecation");
        output.prints("2027-01 is not fit to be published; nothing was written");
    }
    assert_eq!(project.read("schema/versions.toml"), before);
    project.run("publish 2099-01").exits(1).prints("there is no version 2099-01");
}

#[test]
fn version_that_is_not_after_the_latest_is_refused() {
    let project = Project::new("version_begin");
    for (name, output) in [
        ("next", "`next` is no version"),
        ("2027-13", "`2027-13` is no version"),
        ("2026-10", "does not come after 2026-10"),
        ("2026-09", "does not come after 2026-10"),
    ] {
        project.run(&format!("new {name}")).exits(1).prints(output);
    }
    project.run("new 2027-01").exits(0);
    project.run("new 2027-04").exits(1).prints("2027-01 is still a candidate");
    project.write("schema/2027-01.graphql", "type Query {");
    project.run("new 2027-04").exits(100).prints("schema-mistake");
}

/// The SDL of a version in two files.
fn in_two_files(project: &Project) {
    std::fs::remove_file(project.root.join("schema/2026-10.graphql")).unwrap();
    let (schema, query) = SDL.split_once("\n\n").unwrap();
    project.write("schema/2026-10/query.graphql", query);
    project.write("schema/2026-10/a.graphql", &format!("{schema}\n"));
}

#[test]
fn version_of_several_files_is_checked_generated_and_copied() {
    let project = Project::new("several_files");
    in_two_files(&project);
    project.run("generate").exits(0).prints("wrote generated/v2026_10.rs");
    let dispatch = project.read("generated/v2026_10/dispatch.rs");
    let [a, query] = ["a", "query"].map(|name| format!("include_str!(\"../../schema/2026-10/{name}.graphql\")"));
    assert!(
        dispatch.contains(&a) && dispatch.contains(&query) && dispatch.contains("from schema/2026-10/."),
        "{dispatch}"
    );
    // The same contract as in one file, also at the merge base.
    project.run("check --no-base").exits(0);
    project.commit();
    project.run("check --base main").exits(0);
    project.run("new 2027-01").exits(0).prints("wrote schema/2027-01, a copy of 2026-10");
    assert_eq!(project.read("schema/2027-01/query.graphql"), project.read("schema/2026-10/query.graphql"));
    project.edit("schema/2026-10/query.graphql", "  b: Int\n", "  b: String\n");
    let check = project.run("check --base main").exits(100).prints("--> schema/2026-10/query.graphql:6:6");
    check.prints("at ").prints("error[published-changed]");
    project.edit("schema/2026-10/query.graphql", "  b: String\n", "  b: Int\n");
    project.write("schema/2027-01/more.graphql", "type More {\n  a: Nothing\n}\n\ntype Query {\n  z: Int\n}\n");
    project
        .run("generate")
        .exits(100)
        .prints(" --> schema/2027-01/more.graphql:2:6")
        .prints(" --> schema/2027-01/query.graphql:2:6")
        .prints("::: schema/2027-01/more.graphql:5:6");
    project.write("schema/2027-01/more.graphql", "type More{a:Int}");
    project.run("fmt").exits(0).prints("formatted schema/2027-01/more.graphql").prints_not("query");
    project.run("diff 2026-10 2027-01").exits(0).prints(" --> schema/2027-01/more.graphql:1:6");
}
