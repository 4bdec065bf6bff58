//! A database of one contender: migrated by the real server, with a partner, a key, themes and cards.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempDir;
use tokio_postgres::{Client, NoTls};

use crate::process::{Process, on_first_core};

const SERVER: &str = env!("CARGO_BIN_EXE_card-service");
pub(crate) const PUBLIC_BASE: &str = "https://cards.example.org";
const THEMES: usize = 60;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// Returns the id of the n-th card, in the form of the SQL below.
pub(crate) fn card_id(n: usize) -> String {
    format!("01930000-0000-7000-8000-{n:012x}")
}

/// Deleted when dropped.
pub(crate) struct Database {
    folder: TempDir,
    pub url: String,
    /// Where PostgreSQL databases are created and dropped.
    maintenance: Option<String>,
    pub cards: usize,
    pub partner: String,
    pub token: String,
}

impl Database {
    /// Creates an SQLite file with this many cards, checkpointed.
    pub(crate) fn sqlite(cards: usize) -> Self {
        let folder = TempDir::new().expect("a folder");
        let url = format!("sqlite://{}", folder.path().join("card-service.db").display());
        let database = Self::seeded(folder, url, None, cards);
        let busy: bool = rusqlite::Connection::open(database.path())
            .and_then(|connection| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)))
            .expect("nothing else has it open");
        assert!(!busy, "all of the log is in the file");
        database
    }

    /// Creates a database with this many cards on a PostgreSQL server. `vacuum` gives it the statistics and the visibility
    /// map that autovacuum would.
    pub(crate) fn postgres(maintenance: &str, cards: usize, vacuum: bool) -> Self {
        let url = create(maintenance, "template1");
        let folder = TempDir::new().expect("a folder");
        let database = Self::seeded(folder, url, Some(maintenance.to_owned()), cards);
        if vacuum {
            execute(&database.url, "VACUUM (ANALYZE)");
        }
        database
    }

    fn seeded(folder: TempDir, url: String, maintenance: Option<String>, cards: usize) -> Self {
        let (partner, token) = (String::new(), String::new());
        let mut new = Self { folder, url, maintenance, cards, partner, token };
        new.json(&["init"]);
        new.partner = new.json(&["partner", "add", "Bench"])["partner"]["id"].as_str().expect("an id").to_owned();
        let key = new.json(&["key", "issue", "--partner", "Bench", "--mode", "live"]);
        new.token = key["token"].as_str().expect("a token").to_owned();
        match &new.maintenance {
            None => rusqlite::Connection::open(new.path())
                .and_then(|connection| connection.execute_batch(&seed_sql(Engine::Sqlite, cards)))
                .expect("the rows are written"),
            Some(_) => execute(&new.url, &seed_sql(Engine::Postgres, cards)),
        }
        new
    }

    /// Copies the database, which nothing may have open.
    pub(crate) fn copy(&self) -> Self {
        let folder = TempDir::new().expect("a folder");
        let url = match &self.maintenance {
            None => {
                let file = folder.path().join("card-service.db");
                std::fs::copy(self.path(), &file).expect("the file is copied");
                format!("sqlite://{}", file.display())
            }
            Some(maintenance) => create(maintenance, self.name()),
        };
        let (partner, token) = (self.partner.clone(), self.token.clone());
        Self { folder, url, maintenance: self.maintenance.clone(), cards: self.cards, partner, token }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("card-service.db")
    }

    /// The name of a PostgreSQL database.
    fn name(&self) -> &str {
        self.url.rsplit_once('/').expect("an address").1
    }

    /// Starts the real server on the first core.
    pub(crate) fn serve(&self) -> Process {
        Process::start(self.environment(&mut on_first_core(SERVER)).arg("serve"))
    }

    /// The same with other settings.
    pub(crate) fn serve_with(&self, settings: &[(&str, String)]) -> Process {
        let mut command = on_first_core(SERVER);
        Process::start(self.environment(&mut command).envs(settings.iter().cloned()).arg("serve"))
    }

    /// Returns the message of a server that refuses to start with these settings.
    pub(crate) fn refusal(&self, settings: &[(&str, String)]) -> String {
        let mut command = Command::new(SERVER);
        let output = self.environment(&mut command).envs(settings.iter().cloned()).arg("serve").output();
        String::from_utf8(output.expect("the command runs").stderr).expect("text")
    }

    fn environment<'c>(&self, command: &'c mut Command) -> &'c mut Command {
        command.env("CONFIG", "/dev/null"); // not the file of a service that is installed here
        command.env("DATA_DIR", self.folder.path()).env("DATABASE_URL", &self.url).env("PUBLIC_BASE_URL", PUBLIC_BASE);
        command.env("LISTEN", "127.0.0.1:0").env("RUST_LOG", "error");
        // The rate limit is checked, and never reached.
        command.env("RATE_LIMIT_POINTS", "1000000000")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut command = Command::new(SERVER);
        let output = self.environment(&mut command).args(arguments).arg("--json").output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(maintenance) = &self.maintenance {
            execute(maintenance, &format!("DROP DATABASE {} WITH (FORCE)", self.name()));
        }
    }
}

/// Creates a PostgreSQL database; returns its address.
fn create(maintenance: &str, template: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("bench_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    execute(maintenance, &format!("CREATE DATABASE {name} TEMPLATE {template}"));
    let mut url = url::Url::parse(maintenance).expect("an address");
    url.set_path(&name);
    url.into()
}

/// Runs statements on a PostgreSQL database.
pub(crate) fn execute(url: &str, sql: &str) {
    on_postgres(url, async |client| client.batch_execute(sql).await).unwrap_or_else(|error| panic!("{sql}: {error:?}"));
}

/// Connects to a PostgreSQL database.
pub(crate) fn on_postgres<T>(url: &str, work: impl AsyncFnOnce(&Client) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await.expect("PostgreSQL answers");
        let connection = tokio::spawn(connection);
        let done = work(&client).await;
        drop(client);
        let _ = connection.await;
        done
    })
}

/// Returns the statements that add themes, and cards as keyed requests of the past leave them: with an event, the record of
/// the key and its response.
fn seed_sql(engine: Engine, cards: usize) -> String {
    let Sql { id, event_id, theme_id, at, date, digest, yes, no } = Sql::of(engine);
    let numbers = |count: usize| {
        format!("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT {count}")
    };
    let partner = "(SELECT id FROM partners)";
    format!(
        r#"INSERT INTO themes (id, number, handle, title, description, images, videos, position)
           SELECT {theme_id}, i + 1, 'theme-' || i, 'Theme ' || i, 'Calm water under a wide sky, in the light of the evening.',
               '[{{"key":"cover-' || i || '","altText":"A calm sea under a low sun."}},{{"key":"detail-' || i || '"}}]',
               '[]', i * 10 FROM ({themes}) AS numbers;
           INSERT INTO cards (id, partner_id, external_dossier_id, external_funeral_director_id, deceased_first_name,
               deceased_last_name, deceased_date_of_birth, deceased_date_of_death, livestream_url, family_contact_name,
               family_contact_email, status, test, created_at, updated_at, event_count)
           SELECT {id}, {partner}, '2026-' || i, 'UV-88', 'Johanna', 'van den "Berg"', {date}'1941-03-09', {date}'2026-10-01',
               'https://live.example.org/abc', 'Pieter van den Berg', 'pieter@example.org', 'DRAFT', {no}, {at}, {at}, 1
               FROM ({cards}) AS numbers;
           INSERT INTO events (id, partner_id, card_id, topic, sequence, actor, changed_fields, test, occurred_at)
           SELECT {event_id}, {partner}, {id}, 'CARDS_CREATE', 1, 'PARTNER', '[]', {no}, {at} FROM ({cards}) AS numbers;
           INSERT INTO idempotency_keys (partner_id, mode, key, fingerprint, bound, response, created_at)
           SELECT {partner}, 'live', 'seeded-' || i, {digest}, {yes}, '{{"data":{{"cardCreate":{{"card":{{}}}}}}}}', {at}
               FROM ({cards}) AS numbers;
           INSERT INTO idempotency_cards (partner_id, mode, key, ordinal, card_id, input)
           SELECT {partner}, 'live', 'seeded-' || i, 0, {id}, {digest} FROM ({cards}) AS numbers;"#,
        themes = numbers(THEMES),
        cards = numbers(cards),
    )
}

/// The expressions that differ between the databases.
pub(crate) struct Sql {
    pub id: &'static str,
    pub event_id: &'static str,
    theme_id: &'static str,
    at: &'static str,
    date: &'static str,
    digest: &'static str,
    yes: &'static str,
    no: &'static str,
}

impl Sql {
    pub(crate) fn of(engine: Engine) -> Self {
        match engine {
            Engine::Sqlite => Self {
                id: "unhex('01930000000070008000' || printf('%012x', i))",
                event_id: "unhex('01930000000070008001' || printf('%012x', i))",
                theme_id: "unhex('01930000000070008002' || printf('%012x', i))",
                at: "unixepoch('now', '-1 hour') * 1000 + i",
                date: "",
                digest: "zeroblob(32)",
                yes: "1",
                no: "0",
            },
            Engine::Postgres => Self {
                id: "('01930000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid",
                event_id: "('01930000-0000-7000-8001-' || lpad(to_hex(i), 12, '0'))::uuid",
                theme_id: "('01930000-0000-7000-8002-' || lpad(to_hex(i), 12, '0'))::uuid",
                at: "date_trunc('second', now()) - interval '1 hour' + i * interval '1 millisecond'",
                date: "date ",
                digest: "decode(repeat('00', 32), 'hex')",
                yes: "true",
                no: "false",
            },
        }
    }
}
