//! Runs the programs that change fields of a card.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use super::first_card::{compile_java, java, run};
use crate::app::TestApp;
use crate::webhook_receiver::sample::{is_here, program};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/partner/changing").join(name)
}

async fn changes_one_field(app: &TestApp, command: impl Fn() -> Command) {
    let caller = app.partner("Uitvaart Noord").await.live().await;
    let theme = app.theme("zee", 1).await.number.to_string();
    let created = caller.create(json!({
        "externalDossierId": "2026-0142",
        "themeId": theme,
        "deceased": { "firstName": "Johanna", "lastName": "van den Berg" },
        "familyContact": { "name": "Jo", "email": "jo@voorbeeld.nl" },
    }));
    let gid = created.await.gid();
    let before = caller.card(&gid).await;
    // The second change has a first name in an object whose other fields are unset.
    for (arguments, stored, first_name) in [
        (&["https://video.example/afscheid"][..], json!("https://video.example/afscheid"), "Johanna"),
        (&["-", "Jo"], Value::Null, "Jo"),
    ] {
        let output = run(&caller, &caller.token, &[&[gid.as_str()], arguments].concat(), &command);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&[output.stdout, output.stderr].concat()));
        let mut after = caller.card(&gid).await;
        assert_eq!((after["livestreamUrl"].take(), &after["deceased"]["firstName"]), (stored, &json!(first_name)));
        after["updatedAt"] = before["updatedAt"].clone();
        after["deceased"]["firstName"] = before["deceased"]["firstName"].clone();
        assert_eq!(after, before, "every other field is as it was");
    }
    for (address, words) in [("video", "webadres"), ("http://", "webadres")] {
        let refused = run(&caller, &caller.token, &[&gid, address], &command);
        let text = [refused.stdout, refused.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        assert!(!refused.status.success() && text.contains(words), "{text}");
    }
}

on_sqlite! {
    async fn node_program_changes_one_field(app: TestApp) {
        let node = program("node").expect("node is on every machine that tests: bash .ci/test installs it");
        changes_one_field(&app, || {
            let mut command = Command::new(&node);
            command.arg(sample("change_card.mjs"));
            command
        })
        .await;
    }

    async fn python_program_changes_one_field(app: TestApp) {
        let python = program("python3").expect("python3 is on every machine that tests: bash .ci/test installs it");
        changes_one_field(&app, || {
            let mut command = Command::new(&python);
            command.arg("-B").arg(sample("change_card.py"));
            command
        })
        .await;
    }

    async fn java_program_changes_one_field(app: TestApp) {
        if is_here(&["java", "javac"]) {
            let built = compile_java(&sample("ChangeCard.java"));
            changes_one_field(&app, || java(built.path(), "ChangeCard")).await;
        }
    }

    async fn php_program_changes_one_field(app: TestApp) {
        if is_here(&["php"]) {
            changes_one_field(&app, || {
                let mut command = Command::new("php");
                command.args(["-d", "display_errors=stderr"]).arg(sample("change_card.php"));
                command
            })
            .await;
        }
    }
}
