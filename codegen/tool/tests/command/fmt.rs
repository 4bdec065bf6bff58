//! `fmt` formats the files, or says which are not formatted; `watch` checks each change.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

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
fn watch_generates_and_checks_each_change() {
    let project = Project::with_candidate("watch");
    let mut command = Command::new(env!("CARGO_BIN_EXE_schema"));
    let command = command.arg("watch").arg("--root").arg(&project.root).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut watch = command.spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut until = |text: &str| lines.by_ref().find(|line| line.contains(text)).unwrap();
    until("watching");
    project.write("schema/2027-01.graphql", &SDL.replace("  a: Int\n", "  a: Int\n  \"The new one.\"\n  d: Int\n"));
    until("wrote generated/v2027_01.rs");
    until("watching");
    project.write("schema/2027-01.graphql", "type Query {");
    until("schema-mistake");
    watch.kill().unwrap();
    watch.wait().unwrap();
}
