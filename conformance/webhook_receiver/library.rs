//! The public `standardwebhooks` libraries accept our signatures, and refuse changed notifications.
//!
//! `.ci/libraries` installs them from npm and PyPI into a temporary folder and passes its path.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::notification::{Notification, Story, now, secret};
use crate::app::TestApp;

/// Runs one of the two scripts of this folder, which prints for each request whether its library accepts it.
fn verdicts(mut command: Command, requests: &Value) -> Vec<bool> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut input = child.stdin.take().expect("stdin is piped");
    input.write_all(requests.to_string().as_bytes()).expect("the script reads");
    drop(input);
    let output = child.wait_with_output().expect("the script ends");
    assert!(output.status.success(), "{command:?} failed");
    serde_json::from_slice(&output.stdout).expect("the script prints a list of verdicts")
}

fn installed() -> PathBuf {
    std::env::var_os("STANDARDWEBHOOKS_FOLDER").expect("bash .ci/libraries runs this test, and sets the folder").into()
}

fn script(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("conformance/webhook_receiver").join(name)
}

/// Returns requests, and whether a receiver with one secret must accept them.
async fn cases(app: &TestApp) -> (String, Vec<(Notification, bool)>) {
    let (own, other) = (secret(), secret());
    let whole = Story::happened(app, std::slice::from_ref(&own)).await.ordered;
    let spoilt = |change: &dyn Fn(&mut Notification)| {
        let mut spoilt = whole.clone();
        change(&mut spoilt);
        (spoilt, false)
    };
    let mut cases = vec![
        (whole.clone(), true),
        (whole.clone().signed(&[own.clone(), other.clone()], now()), true),
        (whole.clone().signed(&[other.clone(), own.clone()], now() - 240), true),
        (whole.clone().signed(&[other], now()), false),
        (whole.clone().signed(std::slice::from_ref(&own), now() - 330), false),
        spoilt(&|n| n.id.push('0')),
        spoilt(&|n| n.timestamp += 1),
    ];
    // Each byte of the body, in turn: other letters and digits, so that it stays JSON in most places.
    for place in (0..whole.body.len()).filter(|place| whole.body.as_bytes()[*place].is_ascii_alphanumeric()) {
        cases.push(spoilt(&|n| {
            let other = if n.body.as_bytes()[place] == b'7' { "8" } else { "7" };
            n.body.replace_range(place..=place, other);
        }));
    }
    (own.reveal(), cases)
}

async fn believes_what_is_genuine(app: &TestApp, command: impl FnOnce(PathBuf) -> Command) {
    let (secret, cases) = cases(app).await;
    let requests: Vec<_> = cases
        .iter()
        .map(|(notification, _)| {
            let headers: serde_json::Map<_, _> =
                notification.headers().into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
            json!({ "headers": headers, "body": notification.body })
        })
        .collect();
    let verdicts = verdicts(command(installed()), &json!({ "secret": secret, "requests": requests }));
    assert_eq!(verdicts.len(), cases.len());
    for (verdict, (notification, expected)) in verdicts.into_iter().zip(cases) {
        assert_eq!(verdict, expected, "{notification:?}");
    }
}

on_sqlite! {
    #[ignore = "needs packages of npm: run with bash .ci/libraries"]
    async fn javascript_library_verifies_signatures_and_refuses_changes(app: TestApp) {
        believes_what_is_genuine(&app, |folder| {
            let mut command = Command::new("node");
            command.arg(script("library.mjs")).env("STANDARDWEBHOOKS_FOLDER", folder);
            command
        }).await;
    }

    #[ignore = "needs packages of PyPI: run with bash .ci/libraries"]
    async fn python_library_verifies_signatures_and_refuses_changes(app: TestApp) {
        believes_what_is_genuine(&app, |folder| {
            let mut command = Command::new("python3");
            command.arg("-B").arg(script("library.py")).env("PYTHONPATH", folder.join("python"));
            command
        }).await;
    }
}
