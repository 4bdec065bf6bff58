//! Litestream copies the database of a server under load, as `docs/operating/litestream.yml` configures it; a restore holds every
//! acknowledged change (docs/operating.md, "Back up and restore").

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rusqlite::types::Value;
use tokio::time::sleep;

use super::check::{check_cards, check_links};
use super::crowd::Crowd;
use super::fleet::Fleet;
use crate::app::{Database, FreshDatabase, run_alone};
use crate::webhook::follow::Followed;

/// The paths in `docs/operating/litestream.yml`.
const DATABASE: &str = "/var/lib/card-service/card-service.db";
const COPY: &str = "/backup/litestream/card-service";
/// The time between two restores that look for a change.
const PAUSE: Duration = Duration::from_millis(500);
/// The time limit for a change to arrive in the copy.
const COPIED_WITHIN: Duration = Duration::from_secs(60);

/// Litestream with the configuration of the documentation, on the database and a copy of this test.
struct Litestream {
    binary: PathBuf,
    config: PathBuf,
    database: PathBuf,
}

/// A running `litestream replicate`; killed when it is dropped.
struct Replicating(Child);

impl Drop for Replicating {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Replicating {
    /// Sends SIGTERM, and waits for the end.
    fn stop(mut self) {
        let sent = Command::new("kill").arg(self.0.id().to_string()).status();
        assert!(sent.expect("kill runs").success());
        self.0.wait().expect("it ends");
    }
}

impl Litestream {
    fn new(database: &FreshDatabase) -> Self {
        let binary =
            std::env::var_os("LITESTREAM").expect("bash .ci/litestream runs this test, and names the binary").into();
        let path = PathBuf::from(database.url.strip_prefix("sqlite://").expect("an SQLite file"));
        let (folder, config) = (database.folder.path(), database.folder.path().join("litestream.yml"));
        let documented = include_str!("../../docs/operating/litestream.yml");
        assert!(documented.contains(DATABASE) && documented.contains(COPY));
        let copy = folder.join("copied").display().to_string();
        fs::write(&config, documented.replace(DATABASE, &path.display().to_string()).replace(COPY, &copy))
            .expect("a file");
        Self { binary, config, database: path }
    }

    fn command(&self, command: &str) -> Command {
        let mut line = Command::new(&self.binary);
        line.args([command, "-config"]).arg(&self.config).stdout(Stdio::null());
        line
    }

    fn replicate(&self) -> Replicating {
        Replicating(self.command("replicate").stderr(Stdio::null()).spawn().expect("litestream starts"))
    }

    fn restore(&self, to: &Path) {
        let restored = self.command("restore").arg("-o").arg(to).arg(&self.database).output().expect("litestream runs");
        assert!(restored.status.success(), "{}", String::from_utf8_lossy(&restored.stderr));
    }

    /// Waits until a restore has every row of the database, which nothing changes meanwhile.
    async fn holds_everything(&self) {
        let (expected, began) = (rows(&self.database), Instant::now());
        loop {
            let folder = tempfile::tempdir().expect("a folder");
            let restored = folder.path().join("restored.db");
            self.restore(&restored);
            if rows(&restored) == expected {
                println!("the copy holds all {} rows after {} ms", expected.len(), began.elapsed().as_millis());
                return;
            }
            assert!(began.elapsed() < COPIED_WITHIN, "the copy never held every row");
            sleep(PAUSE).await;
        }
    }
}

/// Returns every row of our tables, with the name of its table.
fn rows(file: &Path) -> Vec<(String, Vec<Value>)> {
    let database = Connection::open(file).expect("it opens");
    let sound: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
    assert_eq!(sound, "ok");
    let ours = r"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\_litestream\_%' ESCAPE '\' ORDER BY name";
    let mut statement = database.prepare(ours).expect("a statement");
    let tables: Vec<String> =
        statement.query_map([], |row| row.get(0)).expect("names").map(|name| name.expect("a name")).collect();
    let mut rows = Vec::new();
    for table in tables {
        let mut statement = database.prepare(&format!("SELECT * FROM {table}")).expect("a statement");
        let columns = statement.column_count();
        let values = statement.query_map([], |row| (0..columns).map(|column| row.get(column)).collect()).expect("rows");
        rows.extend(values.map(|values| (table.clone(), values.expect("a row"))));
    }
    rows
}

/// Run by `.ci/litestream`, which installs Litestream.
#[test]
#[ignore = "needs Litestream: bash .ci/litestream"]
fn litestream_restores_every_acknowledged_change() {
    run_alone(Database::Sqlite, |database: FreshDatabase| async move {
        let litestream = Litestream::new(&database);
        let followed = Followed::new(database.clone()).await;
        let first = litestream.replicate();
        let fleet = Fleet::start(&followed.program, 1).await;
        let crowd = Crowd::start(&fleet, &followed);
        sleep(Duration::from_secs(4)).await;
        drop(first); // killed, while writes go on
        sleep(Duration::from_secs(2)).await;
        let mut copying = litestream.replicate();
        sleep(Duration::from_secs(2)).await;
        for _ in 0..2 {
            // As docs/operating/litestream.service: Litestream ends with the server, and starts after it.
            fleet.kill(0).await;
            copying.stop();
            fleet.raise(0, &followed.program).await;
            copying = litestream.replicate();
            sleep(Duration::from_secs(3)).await;
        }
        crowd.enough().await;
        let ledger = crowd.rest().await;
        ledger.assert_faultless();
        println!("{:?}", ledger.counts());
        assert!(!ledger.counts().contains_key("503 UNAVAILABLE"), "no write waits for Litestream");
        fleet.terminate();
        litestream.holds_everything().await;
        copying.stop();

        // The disk is lost; the folder of Litestream next to the database may still be there.
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{suffix}", litestream.database.display()));
        }
        litestream.restore(&litestream.database);
        let third = litestream.replicate();
        fleet.raise(0, &followed.program).await;
        check_cards(&fleet, &ledger, &followed).await;
        check_links(&fleet, &ledger).await;
        followed.program.json(&["partner", "add", "Zuid"]);
        let backup = database.folder.path().join("cards.db").display().to_string();
        let media = database.folder.path().join("media-copy").display().to_string();
        followed.program.json(&["backup", &backup, "--media", &media]);
        followed.program.json(&["backup", "drill", &backup, "--media", &media]);
        fleet.terminate();
        litestream.holds_everything().await;
        third.stop();
    });
}
