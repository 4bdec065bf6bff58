//! `changelog`: what changes between versions.

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
fn changelog_is_of_all_versions_or_between_any_two() {
    let project = project("changelog");
    project.run("changelog").exits(0).prints("## 2027-01\n\nCurrent. Published on 2027-01-04.\nSince 2026-10:\n");
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
    for name in ["2026-10", "2027-01", "2027-04"] {
        std::fs::remove_file(project.root.join(format!("schema/{name}.graphql"))).unwrap();
    }
    project.write("schema/versions.toml", "version = []\n");
    project.run("changelog --from 2026-10").exits(1).prints("there is no version 2026-10");
}
