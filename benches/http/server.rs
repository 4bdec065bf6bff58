//! The processes under load: the server with a seeded database, and the limits, each on the first core.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::load::{self, Outcome};

const SERVER: &str = env!("CARGO_BIN_EXE_card-service");

/// A listening process on the first core; stopped when dropped.
pub(crate) struct Process {
    child: Child,
    pub address: SocketAddr,
}

impl Process {
    /// One of this program's own limits.
    pub(crate) fn limit(arguments: &[&str]) -> Self {
        let own = std::env::current_exe().expect("this program has a path");
        Self::start(pinned(own.to_str().expect("a UTF-8 path")).args(arguments))
    }

    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the process starts");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        let address = line.trim().rsplit_once("http://").and_then(|(_, a)| a.parse().ok());
        Self { address: address.unwrap_or_else(|| panic!("no address in {line:?}")), child }
    }

    /// Seconds of processor time so far: in the program itself, and in the kernel for it.
    pub(crate) fn processor_time(&self) -> (f64, f64) {
        const TICKS_PER_SECOND: f64 = 100.0; // proc_pid_stat(5): what Linux calls USER_HZ, on every platform of ours
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("a running process");
        // The name of the program, in brackets, may hold spaces.
        let after_name = stat.rsplit_once(')').expect("a name in brackets").1;
        let mut fields = after_name.split_ascii_whitespace().skip(11).map(|field| field.parse::<f64>().expect("ticks"));
        let mut seconds = || fields.next().expect("a field") / TICKS_PER_SECOND;
        (seconds(), seconds())
    }

    /// Resident memory in KiB.
    fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a running process");
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).expect("resident memory");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn pinned(program: &str) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", "0", program]);
    command
}

/// A database with one partner, a key and some cards, created over HTTP.
pub(crate) struct Seeded {
    folder: TempDir,
    pub partner: String,
    pub token: String,
    pub cards: Vec<String>,
}

impl Seeded {
    pub(crate) fn new(cards: usize) -> Self {
        let mut seeded = Self {
            folder: TempDir::new().expect("a folder"),
            partner: String::new(),
            token: String::new(),
            cards: vec![],
        };
        seeded.json(&["init"]);
        seeded.partner = seeded.json(&["partner", "add", "Bench"])["partner"]["id"].as_str().expect("an id").to_owned();
        let key = seeded.json(&["key", "issue", "--partner", "Bench", "--mode", "live"]);
        seeded.token = key["token"].as_str().expect("a token").to_owned();
        let server = seeded.serve();
        for n in 0..cards {
            let query = "mutation($input: CardCreateInput!) { cardCreate(input: $input) { card { id } } }";
            let input = serde_json::json!({ "externalDossierId": format!("2026-{n:06}"), "externalFuneralDirectorId": "UV-88",
                "deceased": { "firstName": "Johanna", "lastName": "van den \"Berg\"", "dateOfBirth": "1941-03-09",
                "dateOfDeath": "2026-10-01" }, "livestreamUrl": "https://live.example.org/abc",
                "familyContact": { "name": "Pieter van den Berg", "email": "pieter@example.org" } });
            let body = serde_json::json!({ "query": query, "variables": { "input": input } }).to_string();
            let answer = load::once(server.address, &load::post(crate::PATH, &seeded.token, &body));
            let answer: Value = serde_json::from_slice(&answer).expect("JSON");
            seeded.cards.push(answer["data"]["cardCreate"]["card"]["id"].as_str().expect("a card").to_owned());
        }
        drop(server);
        seeded.fold();
        seeded
    }

    /// Checkpoints the write-ahead log: a limit maps only the database file into memory, and pages in the log would cost it
    /// extra look-ups.
    fn fold(&self) {
        let connection = rusqlite::Connection::open(self.database()).expect("the database that the real server made");
        let busy: bool = connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
            .expect("nobody else has it open");
        assert!(!busy, "all of the log is in the file");
    }

    pub(crate) fn database(&self) -> String {
        self.folder.path().join("card-service.db").to_str().expect("a UTF-8 path").to_owned()
    }

    /// Starts the real server on this database.
    pub(crate) fn serve(&self) -> Process {
        Process::start(self.command(pinned(SERVER)).arg("serve"))
    }

    fn command(&self, mut command: Command) -> Command {
        command.env("CONFIG", "/dev/null"); // not the file of a service that is installed here
        command.env("DATA_DIR", self.folder.path()).env("LISTEN", "127.0.0.1:0").env("RUST_LOG", "warn");
        // The limit is reckoned with, and never reached.
        command.env("RATE_LIMIT_POINTS", "1000000000");
        command
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output =
            self.command(Command::new(SERVER)).args(arguments).arg("--json").output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

/// Resident memory after `requests` requests.
pub(crate) fn soak(server: &Process, requests: u64, run: impl Fn(Duration) -> Outcome) {
    let before = server.resident_kib();
    let mut done = 0;
    while done < requests {
        done += (run(Duration::from_secs(5)).rate * 5.0) as u64;
    }
    println!(
        "resident memory: {} KiB before, {} KiB after {done} more requests (wanted under 40,960)",
        before,
        server.resident_kib()
    );
}
