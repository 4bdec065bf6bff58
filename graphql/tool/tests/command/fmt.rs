//! `fmt` formats the files, or says which are not formatted.

use super::project::{Project, SDL};

#[test]
fn file_is_formatted_once_and_checked() {
    let project = Project::with_candidate("fmt");
    project.run("fmt --check").exits(0).prints_not("formatted");
    project.write("schema/2027-01.graphql", &SDL.replace("  a: Int\n", "\ta :Int # first\n"));
    project.run("fmt --check").exits(100).prints("schema/2027-01.graphql is not formatted: run `cargo schema fmt`");
    project.run("fmt").exits(0).prints("formatted schema/2027-01.graphql").prints_not("2026-10");
    assert_eq!(project.read("schema/2027-01.graphql"), SDL.replace("  a: Int\n", "  a: Int # first\n"));
    project.run("fmt --check").exits(0).prints_not("formatted");
    project.write("schema/2027-01.graphql", "type Query {");
    project.run("fmt").exits(100).prints("schema-mistake");
    assert_eq!(project.read("schema/2027-01.graphql"), "type Query {");
}
