//! Runs the first program of a partner in every language: a card, a link that opens it, a retry, and a mistake.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::app::family::{Browser, path_of};
use crate::app::{Caller, TestApp};
use crate::webhook_receiver::sample::{is_here, program};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/partner/first-card")
}

/// Runs a program of the guide, where it may wait for the server.
pub fn run(caller: &Caller, token: &str, arguments: &[&str], command: &dyn Fn() -> Command) -> Output {
    let mut command = command();
    command.args(arguments).env("SERVICE_URL", caller.app.url("")).env("TOKEN", token).stdin(Stdio::null());
    command.env("LC_ALL", "C.UTF-8");
    tokio::task::block_in_place(|| command.output()).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Compiles a program in Java into a folder.
pub fn compile_java(source: &Path) -> TempDir {
    let built = tempfile::tempdir().expect("a folder");
    let mut compiler = Command::new("javac");
    let compiled =
        compiler.args(["-encoding", "UTF-8", "-d"]).arg(built.path()).arg(source).output().expect("javac runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    built
}

/// The command that runs a class of a folder.
pub fn java(folder: &Path, class: &str) -> Command {
    let mut command = Command::new("java");
    command.args(["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp"]).arg(folder).arg(class);
    command
}

/// The texts behind `card` and `open` in its output.
#[track_caller]
fn printed(output: &Output) -> (String, String) {
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start)).expect("a line").to_owned();
    (line("card "), line("open "))
}

async fn creates_and_opens(app: &TestApp, command: impl Fn() -> Command) {
    let caller = app.partner("Uitvaart Noord").await.live().await;
    let (card, link) = printed(&run(&caller, &caller.token, &["2026-0142"], &command));
    let gid = card.strip_suffix(" DRAFT").expect("the id and the status");
    let row = app.row(gid).await;
    assert_eq!(
        (row.external_dossier_id.as_str(), row.deceased.last_name.as_deref()),
        ("2026-0142", Some("van den Berg"))
    );
    assert_eq!(app.topics(gid).await, ["CARDS_CREATE"]);
    let opened = Browser::new(app).open(&path_of(&link)).await;
    assert!(opened.status == 200 && opened.text().contains("Zo wordt de kaart"), "{}", opened.text());

    // A retry of the same dossier finds the same card, and another link.
    let (again, another) = printed(&run(&caller, &caller.token, &["2026-0142"], &command));
    assert!(again == card && another != link, "{again} {another}");
    assert_eq!(app.topics(gid).await, ["CARDS_CREATE"]);

    // Its key is valid for every dossier number.
    for dossier in ["dössier 1", "2026 0142", &"x".repeat(250)] {
        let (card, _) = printed(&run(&caller, &caller.token, &[dossier], &command));
        let gid = card.strip_suffix(" DRAFT").expect("the id and the status");
        assert_eq!(app.row(gid).await.external_dossier_id, dossier);
    }

    // What is wrong is said in the service's words, and ends the program.
    for (token, dossier, words) in [
        (caller.token.as_str(), " ", "Vul het dossiernummer in."),
        ("pcs_test_x", "2026-0143", "UNAUTHENTICATED"),
        ("pcs_test_x", "2026-0143", "Send a valid access token"),
    ] {
        let refused = run(&caller, token, &[dossier], &command);
        let text = [refused.stdout, refused.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(!refused.status.success() && text.contains(words), "{words}: {text}");
    }
}

on_sqlite! {
    async fn node_program_creates_and_opens_a_card(app: TestApp) {
        let node = program("node").expect("node is on every machine that tests: bash .ci/test installs it");
        creates_and_opens(&app, || {
            let mut command = Command::new(&node);
            command.arg(folder().join("first_card.mjs"));
            command
        })
        .await;
    }

    async fn python_program_creates_and_opens_a_card(app: TestApp) {
        let python = program("python3").expect("python3 is on every machine that tests: bash .ci/test installs it");
        creates_and_opens(&app, || {
            let mut command = Command::new(&python);
            command.arg("-B").arg(folder().join("first_card.py"));
            command
        })
        .await;
    }

    async fn php_program_creates_and_opens_a_card(app: TestApp) {
        if is_here(&["php"]) {
            creates_and_opens(&app, || {
                let mut command = Command::new("php");
                command.args(["-d", "display_errors=stderr"]).arg(folder().join("first_card.php"));
                command
            })
            .await;
        }
    }

    async fn java_program_creates_and_opens_a_card(app: TestApp) {
        if !is_here(&["java", "javac"]) {
            return;
        }
        let built = compile_java(&folder().join("FirstCard.java"));
        creates_and_opens(&app, || java(built.path(), "FirstCard")).await;
    }

    async fn c_sharp_program_creates_and_opens_a_card(app: TestApp) {
        if !is_here(&["mcs", "mono"]) {
            return;
        }
        let built = tempfile::tempdir().expect("a folder");
        let program = built.path().join("first_card.exe");
        let mut compiler = Command::new("mcs");
        compiler.arg("-r:System.Net.Http.dll").arg(format!("-out:{}", program.display())).arg(folder().join("FirstCard.cs"));
        let compiled = compiler.output().expect("mcs runs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        creates_and_opens(&app, || {
            let mut command = Command::new("mono");
            command.arg(&program).env("LANG", "C.UTF-8");
            command
        })
        .await;
    }
}
