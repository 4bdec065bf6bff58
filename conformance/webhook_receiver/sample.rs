//! Runs every receiver of docs/webhooks with genuine, repeated, late and forged notifications.

use std::io::Write as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use card_service::base::{Entropy, Timestamp};
use card_service::model::{DeliveryState, SigningSecret, event_name};
use card_service::webhook::{ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, challenge_request, sign};

use crate::app::{TestApp, free_addresses, http_client, lines_of};

/// The time limit for a receiver to start on a busy machine; some are compiled first.
const STARTED_WITHIN: Duration = Duration::from_secs(90);
const PRINTED_WITHIN: Duration = Duration::from_secs(20);
/// A dossier number with characters that need escapes.
const DOSSIER: &str = "2026/één";

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

/// A signed request.
#[derive(Clone, Debug)]
struct Notification {
    id: String,
    timestamp: i64,
    signature: String,
    body: String,
}

impl Notification {
    fn new(id: String, body: String) -> Self {
        Self { id, timestamp: 0, signature: String::new(), body }
    }

    /// Signs it at a time, as another attempt does.
    fn signed(&self, secrets: &[SigningSecret], timestamp: i64) -> Self {
        let signature = sign(secrets, &self.id, timestamp, self.body.as_bytes());
        Self { timestamp, signature, ..self.clone() }
    }

    fn changed(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut changed = self.clone();
        change(&mut changed);
        changed
    }
}

/// The time of the machine in seconds, which receivers use.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is past 1970");
    i64::try_from(since.as_secs()).expect("within the calendar")
}

/// Orders and activates a card. Returns the notifications about both, as the service renders them.
async fn ordered_and_activated(app: &TestApp) -> [Notification; 2] {
    let caller = app.live().await;
    let mut found = Vec::new();
    let topics = ["CARDS_ORDERED", "CARDS_ACTIVATED"];
    let mut subscriptions = Vec::new();
    for topic in topics {
        subscriptions.push(caller.subscribe(topic, &format!("https://hooks.example/{topic}")).await);
    }
    app.revoke_secrets().await; // nothing is sent
    let card = caller.draft(DOSSIER).await;
    app.order(&card).await;
    app.activate(&card).await;
    for subscription in subscriptions {
        let [delivery] = app.deliveries(&subscription, DeliveryState::Due).await.try_into().expect("one");
        let body = app.store().body_of(delivery.id).await.expect("the store answers").expect("a body");
        found.push(Notification::new(event_name(delivery.event_id), body));
    }
    found.try_into().expect("two topics")
}

/// A challenge of the service (decisions W9).
fn challenge(challenge: &str) -> Notification {
    let (entropy, at) = (Entropy::system(), Timestamp::from_millis(now() * 1_000).expect("within the calendar"));
    let request = challenge_request(entropy.uuid(at), challenge, &[], at);
    let id = request.headers.get(ID_HEADER).and_then(|id| id.to_str().ok()).expect("an id").to_owned();
    Notification::new(id, String::from_utf8(request.body.to_vec()).expect("JSON"))
}

/// A receiver's process; killed when it is dropped.
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

impl Sample {
    /// Starts the command for a port, and waits until it accepts connections.
    fn start(secret: &SigningSecret, state: &Path, command: impl FnOnce(u16) -> Command) -> Self {
        let port = free_addresses::<1>()[0].port();
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
            assert!(started.elapsed() < STARTED_WITHIN, "{command:?} does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { child, lines, address }
    }

    /// Sends a notification; returns the status and the body of the response.
    async fn send(&self, notification: &Notification) -> (u16, String) {
        let request = http_client()
            .post(format!("http://{}/", self.address))
            .header(ID_HEADER, &notification.id)
            .header(TIMESTAMP_HEADER, notification.timestamp)
            .header(SIGNATURE_HEADER, &notification.signature)
            .header("content-type", "application/json")
            .body(notification.body.clone());
        let response = request.send().await.expect("the receiver answers");
        (response.status().as_u16(), response.text().await.expect("a text"))
    }

    /// The next line that it prints about a notification.
    fn printed(&self) -> String {
        loop {
            let line = self.lines.recv_timeout(PRINTED_WITHIN).expect("the receiver prints what it does");
            if !line.starts_with("listening") {
                return line;
            }
        }
    }
}

/// Sends a receiver every kind of notification. The clock of the machine counts, as for the receiver.
async fn check(app: &TestApp, command: impl FnOnce(u16) -> Command) {
    let (own, other) = ([SigningSecret::generate(&Entropy::system())], [SigningSecret::generate(&Entropy::system())]);
    let [ordered, activated] = ordered_and_activated(app).await;
    let state = tempfile::tempdir().expect("a folder");
    let both = [other[0].clone(), own[0].clone()];
    let genuine = ordered.signed(&own, now());
    // A receiver waits for lines: not on a thread that others need.
    tokio::task::block_in_place(|| {
        let sample = Sample::start(&own[0], state.path(), command);
        tokio::runtime::Handle::current().block_on(async {
            for forged in [
                genuine.changed(|it| it.body = it.body.replace("ORDERED", "ORDERE0")),
                genuine.changed(|it| it.body.push('\n')),
                genuine.changed(|it| it.id.push('0')),
                genuine.changed(|it| it.timestamp += 1),
                genuine.changed(|it| it.signature.truncate(20)),
                genuine.changed(|it| it.signature = it.signature.replace("v1,", "")),
                genuine.changed(|it| it.signature = it.signature.replace("v1,", "v1a,")),
                ordered.signed(&other, now()),
                ordered.signed(&own, now() - 301),
                ordered.signed(&own, now() + 330),
                challenge("zU7v-q_5").signed(&other, now()),
            ] {
                assert_eq!(sample.send(&forged).await.0, 401, "{forged:?}");
            }
            let challenged = challenge("zU7v-q_5").signed(&own, now());
            assert_eq!(sample.send(&challenged).await, (200, "zU7v-q_5".to_owned()));

            // While a secret is being rotated, both sign. The later event arrives first, and the first one twice.
            for (sent, printed) in [
                (activated.signed(&both, now()), vec![format!("CARDS_ACTIVATED 3 {DOSSIER} ACTIVE")]),
                (genuine, vec![format!("late {}", ordered.id), format!("CARDS_ORDERED 2 {DOSSIER} ORDERED")]),
                (ordered.signed(&own, now() - 60), vec![format!("repeat {}", ordered.id)]),
            ] {
                assert_eq!(sample.send(&sent).await.0, 204);
                for line in printed {
                    assert_eq!(sample.printed(), line);
                }
            }
        });
    });
}

/// A command with the path of a receiver as its last argument.
fn run(program: &str, arguments: &[&str], file: &str) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/webhooks").join(file));
    command.stderr(Stdio::null()); // PHP logs each request
    command
}

on_sqlite! {
    async fn node_receiver_does_the_work_of_each_genuine_notification_once(app: TestApp) {
        check(&app, |_| run("node", &[], "receiver.mjs")).await;
    }

    async fn python_receiver_does_the_work_of_each_genuine_notification_once(app: TestApp) {
        check(&app, |_| run("python3", &["-B"], "receiver.py")).await;
    }

    async fn php_receiver_does_the_work_of_each_genuine_notification_once(app: TestApp) {
        if is_here(&["php"]) {
            check(&app, |port| run("php", &["-S", &format!("127.0.0.1:{port}")], "receiver.php")).await;
        }
    }

    async fn java_receiver_does_the_work_of_each_genuine_notification_once(app: TestApp) {
        // `java Receiver.java` compiles, for which it needs the JDK.
        if is_here(&["java", "javac"]) {
            check(&app, |_| run("java", &["-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"], "Receiver.java")).await;
        }
    }

    async fn c_sharp_receiver_does_the_work_of_each_genuine_notification_once(app: TestApp) {
        if is_here(&["mcs", "mono"]) {
            let built = tempfile::tempdir().expect("a folder");
            let program = built.path().join("receiver.exe");
            let compiled = run("mcs", &[&format!("-out:{}", program.display())], "Receiver.cs").status();
            assert!(compiled.expect("mcs runs").success());
            check(&app, |_| {
                let mut command = Command::new("mono");
                command.arg(&program).env("LANG", "C.UTF-8");
                command
            })
            .await;
        }
    }
}
