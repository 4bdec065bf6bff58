//! Runs every sample with a delivery, a repeat, an old one, one under two secrets, and forged ones.

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use card_service::model::SigningSecret;

use super::notification::{DOSSIER, Notification, Story, now, secret};
use crate::app::{TestApp, http_client, lines_of};

/// The time limit for a sample to start on a busy machine; some are compiled first.
const UP_WITHIN: Duration = Duration::from_secs(90);
const SAID_WITHIN: Duration = Duration::from_secs(20);

/// A sample process; killed when it is dropped.
struct Sample {
    child: Child,
    lines: Receiver<String>,
    address: String,
}

impl Drop for Sample {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The path of a program, as a shell finds it.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Returns whether the programs of an optional language are installed. If not, prints that past the capture of the test's
/// output, so that it is visible in a passing run.
pub fn is_here(programs: &[&str]) -> bool {
    let missing: Vec<_> = programs.iter().copied().filter(|name| program(name).is_none()).collect();
    if !missing.is_empty() {
        let line = format!("NOT RUN: the sample that needs {}: not on this machine\n", missing.join(", "));
        std::io::stderr().write_all(line.as_bytes()).expect("stderr is open");
    }
    missing.is_empty()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/webhooks")
}

impl Sample {
    /// Starts the command for a port and a folder, and waits until it accepts connections.
    fn start(secret: &SigningSecret, state: &Path, command: impl FnOnce(u16) -> Command) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port is free").port();
        let mut command = command(port);
        command.env("WEBHOOK_SECRET", secret.reveal()).env("PORT", port.to_string()).env("STATE_FOLDER", state);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let lines = lines_of(&mut child);
        let address = format!("127.0.0.1:{port}");
        let started = Instant::now();
        while TcpStream::connect(&address).is_err() {
            if let Ok(Some(status)) = child.try_wait() {
                panic!("{command:?} ended: {status}");
            }
            assert!(started.elapsed() < UP_WITHIN, "{command:?} does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { child, lines, address }
    }

    /// Sends a notification; returns the status.
    async fn send(&self, notification: &Notification) -> u16 {
        self.answer(notification).await.0
    }

    /// Sends a notification; returns the status and the body of the response.
    async fn answer(&self, notification: &Notification) -> (u16, String) {
        let mut request = http_client().post(format!("http://{}/", self.address));
        for (name, value) in notification.headers() {
            request = request.header(name, value);
        }
        let request = request.header("content-type", "application/json").body(notification.body.clone());
        let response = request.send().await.expect("the sample answers");
        let status = response.status().as_u16();
        (status, response.text().await.expect("a text"))
    }

    /// The next line that it prints about a notification.
    fn said(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(SAID_WITHIN).expect("the sample says what it does");
            if !line.starts_with("listening") {
                return line;
            }
        }
    }

    #[track_caller]
    fn said_nothing(&self) {
        let said: Vec<_> = self.lines.try_iter().filter(|line| !line.starts_with("listening")).collect();
        assert_eq!(said, [] as [String; 0]);
    }
}

async fn lives_through(app: &TestApp, start: impl FnOnce(&SigningSecret, &Path) -> Sample) {
    let own = secret();
    let story = Story::happened(app, std::slice::from_ref(&own)).await;
    let state = tempfile::tempdir().expect("a folder");
    // A sample waits for lines: not on a thread that others need.
    tokio::task::block_in_place(|| {
        let sample = start(&own, state.path());
        tokio::runtime::Handle::current().block_on(hears(&sample, own, story));
    });
}

/// Sends a sample every kind of notification.
async fn hears(sample: &Sample, own: SigningSecret, story: Story) {
    let other = secret();
    let secrets = std::slice::from_ref(&own);

    // What must not be believed changes nothing.
    let Story { updated, ordered, activated } = story;
    let spoilt = |change: &dyn Fn(&mut Notification)| {
        let mut spoilt = ordered.clone();
        change(&mut spoilt);
        spoilt
    };
    for (why, notification) in [
        ("a byte of the body was changed", spoilt(&|n| n.body = n.body.replace("ORDERED", "ORDERE0"))),
        ("the body ends in a line break", spoilt(&|n| n.body.push('\n'))),
        ("the id is another one", spoilt(&|n| n.id = n.id.replace("evt_0", "evt_1"))),
        ("the timestamp is another one", spoilt(&|n| n.timestamp += 1)),
        ("the signature is cut off", spoilt(&|n| n.signature.truncate(20))),
        ("the signature has no scheme", spoilt(&|n| n.signature = n.signature.replace("v1,", ""))),
        ("the signature is of another scheme", spoilt(&|n| n.signature = n.signature.replace("v1,", "v1a,"))),
        ("the secret is another one", ordered.clone().signed(std::slice::from_ref(&other), now())),
        ("it is too old", ordered.clone().signed(secrets, now() - 301)),
        ("it comes from the future", ordered.clone().signed(secrets, now() + 330)),
    ] {
        assert_eq!(sample.send(&notification).await, 401, "{why}");
    }
    let bare = http_client().post(format!("http://{}/", sample.address)).body(ordered.body.clone());
    assert_eq!(bare.send().await.expect("an answer").status().as_u16(), 401, "no headers at all");
    sample.said_nothing();

    // A genuine challenge is repeated, and another one is not.
    let challenge = Notification::challenge("zU7v-q_5");
    assert_eq!(sample.answer(&challenge.clone().signed(secrets, now())).await, (200, "zU7v-q_5".to_owned()));
    let (status, text) = sample.answer(&challenge.signed(std::slice::from_ref(&other), now())).await;
    assert!(status == 401 && !text.contains("zU7v-q_5"), "{status} {text}");
    sample.said_nothing();

    // A genuine notification is processed once, even when it is repeated.
    assert_eq!(sample.send(&ordered).await, 204);
    assert_eq!(sample.said(), format!("CARDS_ORDERED 3 {DOSSIER} ORDERED"));
    assert_eq!(sample.send(&ordered.clone().signed(secrets, now() - 60)).await, 204, "another attempt");
    assert_eq!(sample.said(), format!("repeat {}", ordered.id));
    // While the service changes over to another secret, it signs with both.
    let activated = activated.signed(&[other, own.clone()], now());
    assert_eq!(sample.send(&activated).await, 204);
    assert_eq!(sample.said(), format!("CARDS_ACTIVATED 4 {DOSSIER} ACTIVE"));
    // An older state of the card does not come back.
    assert_eq!(sample.send(&updated).await, 204);
    assert_eq!(sample.said(), format!("overtaken {}", updated.id));
    sample.said_nothing();
    let read = http_client().get(format!("http://{}/", sample.address)).send().await.expect("an answer");
    assert_eq!(read.status().as_u16(), 405);
}

on_sqlite! {
    async fn node_sample_believes_what_is_genuine_and_does_it_once(app: TestApp) {
        let node = program("node").expect("node is on every machine that tests: bash .ci/test installs it");
        lives_through(&app, |secret, state| {
            Sample::start(secret, state, |_| {
                let mut command = Command::new(node);
                command.arg(folder().join("receiver.mjs"));
                command
            })
        })
        .await;
    }

    async fn python_sample_believes_what_is_genuine_and_does_it_once(app: TestApp) {
        let python = program("python3").expect("python3 is on every machine that tests: bash .ci/test installs it");
        lives_through(&app, |secret, state| {
            Sample::start(secret, state, |_| {
                let mut command = Command::new(python);
                command.arg("-B").arg(folder().join("receiver.py"));
                command
            })
        })
        .await;
    }

    async fn php_sample_believes_what_is_genuine_and_does_it_once(app: TestApp) {
        if !is_here(&["php"]) {
            return;
        }
        lives_through(&app, |secret, state| {
            Sample::start(secret, state, |port| {
                let mut command = Command::new("php");
                command.args(["-S", &format!("127.0.0.1:{port}")]).arg(folder().join("receiver.php"));
                command.stderr(Stdio::null()); // its web server logs each request
                command
            })
        })
        .await;
    }

    async fn java_sample_believes_what_is_genuine_and_does_it_once(app: TestApp) {
        // `javac` is what makes a JDK of it: `java Receiver.java` compiles.
        if !is_here(&["java", "javac"]) {
            return;
        }
        lives_through(&app, |secret, state| {
            Sample::start(secret, state, |_| {
                let mut command = Command::new("java");
                command.args(["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"]).arg(folder().join("Receiver.java"));
                command
            })
        })
        .await;
    }

    async fn c_sharp_sample_believes_what_is_genuine_and_does_it_once(app: TestApp) {
        if !is_here(&["mcs", "mono"]) {
            return;
        }
        let built = tempfile::tempdir().expect("a folder");
        let program = built.path().join("receiver.exe");
        let out = format!("-out:{}", program.display());
        let compiled = Command::new("mcs").arg(out).arg(folder().join("Receiver.cs")).output().expect("mcs runs");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        lives_through(&app, |secret, state| {
            Sample::start(secret, state, |_| {
                let mut command = Command::new("mono");
                command.arg(&program).env("LANG", "C.UTF-8");
                command
            })
        })
        .await;
    }
}
