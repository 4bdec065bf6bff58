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

#[test]
fn file_or_standard_input_is_formatted() {
    let project = Project::new("fmt_file");
    let file = project.root.join("other.graphql").to_str().unwrap().to_owned();
    project.write("other.graphql", "type A{a:Int}");
    project.run(&format!("fmt --check {file}")).exits(100).prints("other.graphql is not formatted");
    project.run(&format!("fmt {file}")).exits(0).prints("formatted ");
    assert_eq!(project.read("other.graphql"), "type A {\n  a: Int\n}\n");
    assert_eq!(project.run_on("type A{a:Int}", "fmt -").exits(0).out, "type A {\n  a: Int\n}\n");
    project.run_on("type A{a:Int}", "fmt --check -").exits(100).prints("- is not formatted");
    project.run_on("type A{", "fmt -").exits(100).prints(" --> -:1:7");
    project.run("fmt nowhere").exits(1).prints("nowhere: No such file");
}
