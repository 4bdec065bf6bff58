//! A database of one contender: migrated by the real server, with a partner, a key, themes and cards.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;
use tempfile::TempDir;
use tokio_postgres::{NoTls, SimpleQueryMessage};

use crate::load::block_on;
use crate::process::{Process, callgrind, on_first_core};

pub(crate) const PUBLIC_BASE: &str = "https://cards.example.org";
const THEMES: usize = 60;

/// How long deliveries can be inserted before they are due.
const DUE_AFTER_SECONDS: i64 = 4;

/// Returns the id of the n-th card.
pub(crate) fn card_id(n: usize) -> String {
    format!("01930000-0000-7000-8000-{n:012x}")
}

/// Deleted when dropped.
pub(crate) struct Database {
    /// The program of the service.
    program: String,
    folder: TempDir,
    pub url: String,
    /// Where PostgreSQL databases are created and dropped.
    maintenance: Option<String>,
    pub cards: usize,
    pub partner: String,
    pub token: String,
}

impl Database {
    /// Creates a database with this many cards: an SQLite file, or a database of the PostgreSQL server at `maintenance`.
    pub(crate) fn new(program: &str, maintenance: Option<&str>, cards: usize) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let (folder, partner, token) = (TempDir::new().expect("a folder"), String::new(), String::new());
        let mut url = format!("sqlite://{}", file(&folder).display());
        if let Some(maintenance) = maintenance {
            let name = format!("bench_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            on_postgres(maintenance, &format!("CREATE DATABASE {name}"));
            url = format!("{}/{name}", maintenance.rsplit_once('/').expect("an address").0);
        }
        let program = program.to_owned();
        let mut new = Self { program, folder, url, maintenance: maintenance.map(str::to_owned), cards, partner, token };
        new.json(&["init"]);
        new.partner = new.json(&["partner", "add", "Bench"])["partner"]["id"].as_str().expect("an id").to_owned();
        let key = new.json(&["key", "issue", "--partner", "Bench", "--mode", "live"]);
        new.token = key["token"].as_str().expect("a token").to_owned();
        new.execute(&new.seed_sql());
        // The statistics and the visibility map that autovacuum would make; on SQLite the log goes into the file.
        new.execute(if maintenance.is_some() { "VACUUM (ANALYZE)" } else { "PRAGMA wal_checkpoint(TRUNCATE)" });
        new
    }

    /// Starts the real server on the first core.
    pub(crate) fn serve(&self) -> Process {
        Process::start(self.environment(&mut on_first_core(&self.program)).arg("serve"))
    }

    /// Starts the real server under callgrind, which writes its counts to this file.
    pub(crate) fn serve_counted(&self, counts: &Path) -> Process {
        Process::start(self.environment(&mut callgrind(&self.program, counts)).arg("serve"))
    }

    fn environment<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env("CONFIG", "/dev/null"); // not the file of a service that is installed here
        command.env("DATA_DIR", self.folder.path()).env("DATABASE_URL", &self.url).env("PUBLIC_BASE_URL", PUBLIC_BASE);
        command.env("LISTEN", "127.0.0.1:0").env("RUST_LOG", "error").env("EGRESS_ALLOW", "127.0.0.1");
        // The rate limit is checked, and never reached.
        command.env("RATE_LIMIT_POINTS", "1000000000")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut command = Command::new(&self.program);
        let output = self.environment(&mut command).args(arguments).arg("--json").output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Runs statements.
    fn execute(&self, sql: &str) {
        match &self.maintenance {
            None => self.sqlite().execute_batch(sql).expect("the statements run"),
            Some(_) => drop(on_postgres(&self.url, sql)),
        }
    }

    fn sqlite(&self) -> rusqlite::Connection {
        let connection = rusqlite::Connection::open(file(&self.folder)).expect("the database opens");
        connection.busy_timeout(std::time::Duration::from_secs(10)).expect("a setting");
        connection
    }

    /// Inserts a subscription whose notifications go to a port of this machine.
    pub(crate) fn insert_subscription(&self, port: u16) {
        let Sql { uuid, digest, at, .. } = Sql::new(self.maintenance.is_some());
        self.execute(&format!(
            "INSERT INTO webhook_subscriptions (id, partner_id, topic, callback_url, callback_url_digest, api_version,
                 created_at, updated_at)
             SELECT {id}, (SELECT id FROM partners), 'CARDS_UPDATE', 'http://127.0.0.1:{port}/hook', {digest}, '2026-10',
                 {at}, {at} FROM (SELECT 0 AS i) AS one",
            id = uuid(3),
        ));
    }

    /// Inserts deliveries of as many cards, which are due [`DUE_AFTER_SECONDS`] later, in this round.
    pub(crate) fn insert_deliveries(&self, count: usize, round: usize) {
        let Sql { uuid, at, no, .. } = Sql::new(self.maintenance.is_some());
        let id = uuid(10 + round);
        let numbers = numbers(count);
        let due = chrono::Utc::now().timestamp() + DUE_AFTER_SECONDS;
        let due = if self.maintenance.is_some() { format!("to_timestamp({due})") } else { format!("{due}000") };
        self.execute(&format!(
            "BEGIN;
             INSERT INTO notifications (event_id, api_version, body)
             SELECT {id}, '2026-10', '{body}' FROM ({numbers}) AS numbers;
             INSERT INTO deliveries (id, event_id, subscription_id, partner_id, card_id, topic, sequence, test, api_version,
                 state, attempt_count, schedule_step, due_at, created_at)
             SELECT {id}, {id}, (SELECT id FROM webhook_subscriptions), (SELECT id FROM partners), {id}, 'CARDS_UPDATE', 1,
                 {no}, '2026-10', 'DUE', 0, 0, {due}, {at} FROM ({numbers}) AS numbers;
             COMMIT",
            body = "x".repeat(500),
        ));
    }

    /// Returns whether all deliveries are finished.
    pub(crate) fn is_delivered(&self) -> bool {
        const SQL: &str = "SELECT count(*) FROM deliveries WHERE finished_at IS NULL";
        let left = match &self.maintenance {
            None => self.sqlite().query_row(SQL, [], |row| row.get::<_, i64>(0)).expect("a count").to_string(),
            Some(_) => on_postgres(&self.url, SQL).expect("a row"),
        };
        left == "0"
    }

    /// Returns the statements that add themes, and cards with an event each.
    fn seed_sql(&self) -> String {
        let Sql { uuid, at, date, no, .. } = Sql::new(self.maintenance.is_some());
        let (id, event_id, theme_id) = (uuid(0), uuid(1), uuid(2));
        let partner = "(SELECT id FROM partners)";
        format!(
            r#"INSERT INTO themes (id, number, handle, title, description, images, videos, position)
               SELECT {theme_id}, i + 1, 'theme-' || i, 'Theme ' || i, 'Calm water under a wide sky, in the light of the evening.',
                   '[{{"key":"cover-' || i || '","altText":"A calm sea under a low sun."}},{{"key":"detail-' || i || '"}}]',
                   '[]', i * 10 FROM ({themes}) AS numbers;
               INSERT INTO cards (id, partner_id, theme_id, external_dossier_id, external_funeral_director_id, deceased_first_name,
                   deceased_last_name, deceased_date_of_birth, deceased_date_of_death, livestream_url, family_contact_name,
                   family_contact_email, status, test, created_at, updated_at, event_count)
               SELECT {id}, {partner}, (SELECT id FROM themes WHERE number = i % {THEMES} + 1), '2026-' || i, 'UV-88', 'Johanna', 'van den "Berg"', {date}'1941-03-09', {date}'2026-10-01',
                   'https://live.example.org/abc', 'Pieter van den Berg', 'pieter@example.org', 'DRAFT', {no}, {at}, {at}, 1
                   FROM ({cards}) AS numbers;
               INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, occurred_at)
               SELECT {event_id}, {partner}, {id}, 'CARDS_CREATE', 1, 'PARTNER', '[]', {no}, {at} FROM ({cards}) AS numbers;"#,
            themes = numbers(THEMES),
            cards = numbers(self.cards),
        )
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(maintenance) = &self.maintenance {
            let name = self.url.rsplit_once('/').expect("an address").1;
            on_postgres(maintenance, &format!("DROP DATABASE {name} WITH (FORCE)"));
        }
    }
}

fn file(folder: &TempDir) -> PathBuf {
    folder.path().join("card-service.db")
}

/// Runs statements on a PostgreSQL database; returns the first value.
fn on_postgres(url: &str, sql: &str) -> Option<String> {
    block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
        let connection = tokio::spawn(connection);
        let messages = client.simple_query(sql).await.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        drop(client);
        let _ = connection.await;
        messages.into_iter().find_map(|message| match message {
            SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        })
    })
}

fn numbers(count: usize) -> String {
    format!("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT {count}")
}

/// The expressions that differ between the databases; `i` is a number.
struct Sql {
    /// Writes the id of the `i`-th row of a kind.
    uuid: fn(usize) -> String,
    at: String,
    date: &'static str,
    digest: &'static str,
    no: &'static str,
}

impl Sql {
    /// Both databases of a run have the same times.
    fn new(is_postgres: bool) -> Self {
        static START: LazyLock<i64> = LazyLock::new(|| chrono::Utc::now().timestamp() - 3_600);
        match is_postgres {
            false => Self {
                uuid: |kind| format!("unhex('019300000000700080{kind:02x}' || printf('%012x', i))"),
                at: format!("{}000 + i", *START),
                date: "",
                digest: "zeroblob(32)",
                no: "0",
            },
            true => Self {
                uuid: |kind| format!("('01930000-0000-7000-80{kind:02x}-' || lpad(to_hex(i), 12, '0'))::uuid"),
                at: format!("to_timestamp({}) + i * interval '1 millisecond'", *START),
                date: "date ",
                digest: "decode(repeat('00', 32), 'hex')",
                no: "false",
            },
        }
    }
}
