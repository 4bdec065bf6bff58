//! Runs the commands with which a partner checks its operations.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::app::{PUBLIC_BASE, TestApp};

/// Returns the indented lines of the page from this one on.
fn commands(page: &str, first: &str) -> String {
    let lines = page.lines().skip_while(|line| !line.starts_with(&format!("    {first}")));
    lines.take_while(|line| line.starts_with("    ")).collect::<Vec<_>>().join("\n")
}

fn run(app: &TestApp, folder: &Path, token: &str, commands: &str) -> Output {
    let commands = commands.replace(PUBLIC_BASE, &app.url(""));
    let mut command = Command::new("bash");
    command.args(["-e", "-o", "pipefail", "-c", &commands]).env("TOKEN", token).current_dir(folder);
    tokio::task::block_in_place(|| command.output()).expect("bash is here")
}

on_sqlite! {
    async fn commands_of_the_guide_check_the_files_of_a_folder(app: TestApp) {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/partner/checking.md");
        let page = fs::read_to_string(page).expect("the page is there");
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("queries")).expect("a folder");
        let write = |name: &str, text: &str| {
            fs::write(folder.path().join("queries").join(name), text).expect("the folder can be written");
        };
        write("card.graphql", "query Card($id: ID!) {\n  card(id: $id) { ...Names }\n}\n");
        write("names.graphql", "fragment Names on Card { deceased { firstName } }\n");
        let token = app.partner("Noord").await.test().await.token;
        let checked = run(&app, folder.path(), &token, &commands(&page, "for file"));
        assert!(checked.status.success(), "{checked:?}");
        let answer = fs::read(folder.path().join("check.json")).expect("the answer is there");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!((&answer["unaffected"], &answer["operations"][0]["document"]), (&1.into(), &"queries/card.graphql".into()));

        // What does not fit fails the job.
        write("names.graphql", "fragment Names on Card { deceased { nickname } }\n");
        assert!(!run(&app, folder.path(), &token, &commands(&page, "for file")).status.success());
        assert!(!run(&app, folder.path(), "pcs_test_x", &commands(&page, "for file")).status.success());
        let stored = run(&app, folder.path(), &token, &commands(&page, "curl"));
        assert!(!stored.status.success() && String::from_utf8_lossy(&stored.stdout).contains("Send them with POST"));
    }
}
