//! Runs the binary as an operator does.

use std::io::{BufRead, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use card_service::model::SigningSecret;
use serde_json::{Value, json};

use super::{Answer, FreshDatabase, http_client};

/// The time limit for a process to start on a busy machine.
const UP_WITHIN: Duration = Duration::from_secs(30);

/// `card-service` with the settings of one test's database.
#[derive(Clone)]
pub struct Program {
    binary: PathBuf,
    settings: Vec<(&'static str, String)>,
}

/// A server process; killed when it is dropped.
pub struct Serving {
    child: Child,
    /// `http://host:port`, or `https://host:port`.
    pub base: String,
}

impl Program {
    /// The program on an existing database, which is created first if it is missing.
    pub fn new(database: &FreshDatabase) -> Self {
        Self::with(&database.url, database.folder.path()).create_database()
    }

    /// Creates the database of these settings.
    pub fn create_database(self) -> Self {
        self.json(&["init"]);
        self
    }

    /// The program on a database that may not exist.
    pub fn with(database_url: &str, data_dir: &Path) -> Self {
        Self {
            binary: env!("CARGO_BIN_EXE_card-service").into(),
            settings: vec![
                ("CONFIG", "/dev/null".to_owned()), // not the file of a service that is installed here
                ("DATABASE_URL", database_url.to_owned()),
                ("DATA_DIR", data_dir.display().to_string()),
                ("LISTEN", "127.0.0.1:0".to_owned()),
                (super::start::ENDLESS_RATE.0, super::start::ENDLESS_RATE.1.to_owned()),
            ],
        }
    }

    /// Sets a setting.
    pub fn set(mut self, name: &'static str, value: &str) -> Self {
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_owned()));
        self
    }

    /// Uses another binary, such as an older one.
    pub fn binary(mut self, binary: &Path) -> Self {
        self.binary = binary.to_owned();
        self
    }

    /// Returns a command, not started.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        // Nothing of the developer's own environment decides a test.
        command.env_clear().envs(self.settings.iter().map(|(name, value)| (name, value))).args(arguments);
        command.stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the binary runs")
    }

    /// Runs a command that is refused; returns its message, which is no panic.
    #[track_caller]
    pub fn expect_failure(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(matches!(output.status.code(), Some(1 | 2)) && output.stdout.is_empty(), "{arguments:?}: {said}");
        assert!(!said.is_empty() && !said.contains("panicked"), "{arguments:?}: {said}");
        said
    }

    /// Runs a command for people; returns its output.
    #[track_caller]
    pub fn text(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Adds the partner Noord and issues a key of this mode; returns its token.
    #[track_caller]
    pub fn token(&self, mode: &str) -> String {
        self.token_and_secret(mode).0
    }

    /// The same; also returns the partner's first signing secret.
    #[track_caller]
    pub fn token_and_secret(&self, mode: &str) -> (String, SigningSecret) {
        let added = self.json(&["partner", "add", "Noord"]);
        let secret = added["secret"].as_str().unwrap_or_else(|| panic!("{added}"));
        (self.key(mode).0, SigningSecret::parse(secret).expect("a secret"))
    }

    /// Issues a key of the partner Noord; returns its token and id.
    #[track_caller]
    pub fn key(&self, mode: &str) -> (String, String) {
        let issued = self.json(&["key", "issue", "--partner", "Noord", "--mode", mode]);
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{issued}")).to_owned();
        (text(&issued["token"]), text(&issued["key"]["id"]))
    }

    /// Imports the shipped themes.
    #[track_caller]
    pub fn import_themes(&self) -> Value {
        self.json(&["theme", "import", concat!(env!("CARGO_MANIFEST_DIR"), "/themes")])
    }

    /// Returns the audit records, oldest first: command, subject and fields.
    #[track_caller]
    pub fn audit_records(&self) -> Vec<(String, String, Vec<String>)> {
        let audit = self.json(&["audit", "list"]);
        let text = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{audit}")).to_owned();
        let record = |entry: &Value| {
            let fields = entry["fields"].as_array().expect("a list").iter().map(text).collect();
            (text(&entry["command"]), text(&entry["subject"]), fields)
        };
        audit["audit"].as_array().expect("a list").iter().rev().map(record).collect()
    }

    /// Runs a command with `--json` and parses its output.
    #[track_caller]
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--json"]].concat());
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {out}{err}");
        serde_json::from_str(&out).unwrap_or_else(|e| panic!("{arguments:?} prints no JSON ({e}): {out}"))
    }

    /// Starts `serve` and waits for the line with its address.
    pub fn serve(&self) -> Serving {
        self.try_serve().expect("serve prints one line once it accepts connections")
    }

    /// Starts `serve --create`.
    pub fn serve_and_create(&self) -> Serving {
        Self::start(self.command(&["serve", "--create"])).expect("serve prints one line once it accepts connections")
    }

    /// The same; `None` when it ended or did not come up.
    pub fn try_serve(&self) -> Option<Serving> {
        Self::start(self.command(&["serve"]))
    }

    /// The same, with its log in a file.
    pub fn serve_with_log(&self, log: &Path) -> Serving {
        let mut command = self.command(&["serve"]);
        command.stderr(std::fs::File::create(log).expect("a file for the log"));
        Self::start(command).expect("serve prints one line once it accepts connections")
    }

    /// Starts `serve` on a socket that the caller keeps, as a service manager does (sd_listen_fds(3)).
    pub fn serve_on(&self, socket: &TcpListener) -> Serving {
        let mut command = Command::new("bash");
        // bash gets the socket as its stdin, and keeps its process id.
        command.args(["-c", "exec 3<&0 </dev/null; LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\" serve"]).arg(&self.binary);
        command.env_clear().envs(self.settings.iter().map(|(name, value)| (name, value)));
        command.stdin(OwnedFd::from(socket.try_clone().expect("a socket")));
        Self::start(command).expect("serve prints one line once it accepts connections")
    }

    fn start(mut command: Command) -> Option<Serving> {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
        let lines = lines_of(&mut child);
        // Ended by its drop, should it hang.
        let mut serving = Serving { child, base: String::new() };
        let line = lines.recv_timeout(UP_WITHIN).ok()?;
        serving.base = address_in(&line).unwrap_or_else(|| panic!("no address in {line:?}"));
        Some(serving)
    }
}

impl Serving {
    /// Subscribes an address to a topic; returns the global id.
    pub async fn subscribe(&self, token: &str, topic: &str, to: &str) -> String {
        let document = "mutation ($topic: WebhookSubscriptionTopic!, $to: URL!) {
            webhookSubscriptionCreate(topic: $topic, webhookSubscription: { callbackUrl: $to }) {
                webhookSubscription { id } userErrors { message }
            }
        }";
        let data = self.data(token, document, json!({ "topic": topic, "to": to })).await;
        let id = &data["webhookSubscriptionCreate"]["webhookSubscription"]["id"];
        id.as_str().unwrap_or_else(|| panic!("{data}")).to_owned()
    }

    /// Sends a document with a token; returns the data and asserts that there are no errors.
    pub async fn data(&self, token: &str, query: &str, variables: Value) -> Value {
        let answer = self.send(token, query, variables).await;
        assert!(answer.status == 200 && answer.json().get("errors").is_none(), "{}", answer.text());
        answer.json()["data"].take()
    }

    /// Creates a card; its global id.
    pub async fn create(&self, token: &str, input: Value) -> String {
        let document =
            "mutation ($input: CardCreateInput!) { cardCreate(input: $input) { card { id } userErrors { message } } }";
        let data = self.data(token, document, json!({ "input": input })).await;
        data["cardCreate"]["card"]["id"].as_str().unwrap_or_else(|| panic!("{data}")).to_owned()
    }

    /// Requests a link to an environment of a card; its path.
    pub async fn link(&self, token: &str, gid: &str, target: &str) -> String {
        let document = "mutation ($id: ID!, $target: CardSessionTarget!) {
            cardSessionCreate(cardId: $id, target: $target) { cardSession { url } userErrors { message } }
        }";
        let data = self.data(token, document, json!({ "id": gid, "target": target })).await;
        let url = data["cardSessionCreate"]["cardSession"]["url"].as_str().unwrap_or_else(|| panic!("{data}"));
        url[url.find("/s/").expect("a session link")..].to_owned()
    }

    /// Requests a path.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::read(http_client().get(format!("{}{path}", self.base)).send().await.expect("an answer")).await
    }

    /// Sends a document with a token.
    pub async fn send(&self, token: &str, query: &str, variables: Value) -> Answer {
        let request = http_client()
            .post(format!("{}/partner/api/2026-10/graphql", self.base))
            .header("x-service-access-token", token)
            .json(&json!({ "query": query, "variables": variables }));
        Answer::read(request.send().await.expect("the server answers")).await
    }

    /// Sends SIGTERM; returns whether the server exited with 0.
    pub fn terminate(mut self) -> bool {
        self.signal("TERM");
        self.child.wait().expect("the server ends").success()
    }

    /// Sends the server a signal, such as `STOP`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `kill -9`.
    pub fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.end();
    }
}

/// Addresses on the loopback whose ports are free.
pub fn free_addresses<const COUNT: usize>() -> [SocketAddr; COUNT] {
    let listeners = [(); COUNT].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port is free"));
    listeners.each_ref().map(|listener| listener.local_addr().expect("an address"))
}

/// Returns the lines that a child prints, read on a separate thread so that waiting can time out.
pub fn lines_of(child: &mut Child) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    let output = child.stdout.take().expect("the output is piped");
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            // Keeps reading after the receiver is dropped: a full pipe would block the child.
            let _ = send.send(line);
        }
    });
    receive
}

/// The `http://host:port` or `https://host:port` in a line.
fn address_in(line: &str) -> Option<String> {
    let start = line.find("http://").or_else(|| line.find("https://"))?;
    let (scheme, rest) = line[start..].split_once("://")?;
    let end = rest.find(|c: char| c == '/' || c == '"' || c.is_whitespace());
    Some(format!("{scheme}://{}", &rest[..end.unwrap_or(rest.len())]))
}
