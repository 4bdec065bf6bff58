//! A database file of SQLite that is moved, replaced or damaged: no acknowledged write is lost, and no file is changed that was
//! not opened.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::app::{FreshDatabase, Program, Serving, create_document, wait_for};

const READ: &str = "query ($id: ID!) { card(id: $id) { id } }";

/// A database with a card, a backup of it, and its server, which has added another card since.
struct Place {
    program: Program,
    token: String,
    file: PathBuf,
    backup: PathBuf,
    log: PathBuf,
    /// The ids of the card of the backup, and of the other one.
    cards: [String; 2],
}

impl Place {
    async fn new(database: &FreshDatabase) -> (Self, Serving) {
        let (program, folder) = (Program::new(database), database.folder.path());
        let (backup, log) = (folder.join("kopie.db"), folder.join("log"));
        let token = program.token("live");
        let file = folder.join("card-service.db");
        let serving = program.serve_with_log(&log);
        let first = serving.create(&token, json!({ "externalDossierId": "1" })).await;
        program.json(&["backup", &backup.display().to_string()]);
        let cards = [first, serving.create(&token, json!({ "externalDossierId": "2" })).await];
        (Self { program, token, file, backup, log, cards }, serving)
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        self.file.with_file_name(format!("card-service.db{suffix}"))
    }

    /// Puts the backup in the place of the database, under a new inode or into the file that is there.
    fn put_backup(&self, under_new_inode: bool) {
        if under_new_inode {
            fs::copy(&self.backup, self.beside(".synced")).expect("a copy");
            fs::rename(self.beside(".synced"), &self.file).expect("it moves");
        } else {
            fs::copy(&self.backup, &self.file).expect("a copy");
        }
    }

    /// Asserts that the commands and the server refuse the file, and change neither it nor the log.
    fn assert_foreign_log(&self) {
        let files = || [self.file.clone(), self.beside("-wal")].map(|path| fs::read(path).expect("a file"));
        let before = files();
        for command in [&["serve"][..], &["partner", "list"], &["backup", "andere.db"], &["init"]] {
            let said = self.program.expect_failure(command);
            assert!(said.contains("belongs to the file that was there"), "{command:?}: {said}");
            assert!(files() == before, "{command:?} changed a file");
        }
        let report = self.program.run(&["doctor", "--json"]);
        let report: Value = serde_json::from_slice(&report.stdout).expect("an object");
        assert_eq!(
            (&report["checks"][0]["name"], &report["checks"][0]["outcome"]),
            (&json!("database"), &json!("failed"))
        );
        assert!(files() == before && before[0] == fs::read(&self.backup).expect("a file"), "doctor changed a file");
    }

    /// Starts a server, and asserts that it has so many of the cards and takes another one.
    async fn assert_cards(&self, count: usize) {
        let serving = self.program.serve();
        for (nth, card) in self.cards.iter().enumerate() {
            let found = serving.data(&self.token, READ, json!({ "id": card })).await;
            assert_eq!(found["card"].is_object(), nth < count, "{nth}: {found}");
        }
        serving.create(&self.token, json!({ "externalDossierId": format!("after {count}") })).await;
        assert!(serving.terminate());
        assert_intact(&self.file);
    }

    fn clear(&self) {
        for path in
            ["", "-wal", "-shm", "-id"].map(|suffix| self.beside(suffix)).into_iter().chain([self.backup.clone()])
        {
            let _ = fs::remove_file(path);
        }
        let _ = fs::remove_file(format!("{}.manifest.json", self.backup.display()));
    }
}

fn assert_intact(file: &Path) {
    let connection = rusqlite::Connection::open(file).expect("it opens");
    let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
    assert_eq!(said, "ok");
}

/// Returns where the first page of a table begins.
fn root(file: &Path, table: &str) -> usize {
    let connection = rusqlite::Connection::open(file).expect("it opens");
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?";
    let page: u32 = connection.query_row(sql, [table], |row| row.get(0)).expect("a page");
    (page as usize - 1) * 4096
}

on_sqlite! {
    async fn file_replaced_while_it_is_open_stops_reads_and_writes(database: FreshDatabase) {
        for (way, killed) in [("moved", false), ("renamed over", false), ("renamed over", true), ("copied over", false), ("copied over", true)] {
            let (place, serving) = Place::new(&database).await;
            let kept = place.beside(".kept");
            match way {
                "moved" => fs::rename(&place.file, &kept).expect("it moves"),
                "renamed over" => {
                    fs::hard_link(&place.file, &kept).expect("a second name"); // the operator's way back
                    place.put_backup(true);
                }
                _ => place.put_backup(false),
            }
            for dossier in ["3", "4", "5"] {
                let input = json!({ "input": { "externalDossierId": dossier } });
                serving.send(&place.token, &create_document(), input).await.expect_error(503, "UNAVAILABLE");
            }
            let read = serving.send(&place.token, READ, json!({ "id": place.cards[0] })).await;
            read.expect_error(503, "UNAVAILABLE");
            let unready = || async { Some(serving.get("/health/ready").await).filter(|ready| ready.status == 503) };
            let ready = wait_for("readiness says so", unready).await.json();
            assert_eq!(ready["database"], "does not answer", "{way}");
            let said = fs::read_to_string(&place.log).expect("a log");
            assert!(said.contains("was moved, or replaced by another one"), "{way}: {said}");
            match way {
                "moved" => drop(place.program.expect_failure(&["partner", "list"])),
                _ => place.assert_foreign_log(),
            }
            match killed {
                true => serving.kill(),
                false => assert!(serving.terminate(), "{way}"),
            }
            if way != "moved" {
                place.assert_foreign_log();
            }
            if way == "copied over" {
                // The operator overwrote the database: its log is moved away, and the backup is used.
                ["-wal", "-shm"].iter().for_each(|suffix| fs::remove_file(place.beside(suffix)).expect("it is there"));
                place.assert_cards(1).await;
            } else {
                fs::rename(&kept, &place.file).expect("it moves back");
                place.assert_cards(2).await;
            }
            place.clear();
        }
    }

    async fn backup_beside_the_log_of_a_killed_server_is_refused(database: FreshDatabase) {
        let (place, serving) = Place::new(&database).await;
        serving.kill();
        let kept = fs::read(&place.file).expect("a file");
        place.put_backup(false);
        place.assert_foreign_log();
        // Back to the database of the log, which has everything that was acknowledged.
        fs::write(&place.file, kept).expect("a file");
        place.assert_cards(2).await;
        // After an orderly end there is no log, and a backup may take the place.
        place.put_backup(false);
        place.assert_cards(1).await;
    }

    async fn damaged_database_is_refused_with_what_to_do(database: FreshDatabase) {
        let (place, serving) = Place::new(&database).await;
        for number in 0..60 {
            serving.create(&place.token, json!({ "externalDossierId": format!("d-{number}") })).await;
        }
        assert!(serving.terminate());
        let good = fs::read(&place.file).expect("a file");
        let noise: Vec<u8> = (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let overwrite = |at: usize| {
            let mut bad = good.clone();
            bad[at..at + noise.len()].copy_from_slice(&noise);
            bad
        };
        let damages = [
            ("the root of the cards", overwrite(root(&place.file, "cards"))),
            ("the root of the events", overwrite(root(&place.file, "events"))),
            ("the last page", overwrite(good.len() - 4096)),
            ("cut in half", good[..good.len() / 2].to_vec()),
        ];
        for (damage, bad) in damages {
            fs::write(&place.file, &bad).expect("a file");
            let said = place.program.expect_failure(&["serve"]);
            assert!(said.contains("is damaged") && said.contains("backup restore"), "{damage}: {said}");
            let report = place.program.run(&["doctor", "--json"]);
            assert_eq!(report.status.code(), Some(1), "{damage}");
            assert!(fs::read(&place.file).expect("a file") == bad, "{damage}: the file was changed");
            ["-wal", "-shm"].iter().for_each(|suffix| drop(fs::remove_file(place.beside(suffix))));
        }
        fs::write(&place.file, &good).expect("a file");
        place.assert_cards(2).await;
    }

    async fn second_server_on_the_file_is_logged(database: FreshDatabase) {
        let (program, folder) = (Program::new(&database), database.folder.path());
        let logs = ["een", "twee"].map(|name| folder.join(name));
        let servers = logs.each_ref().map(|log| program.serve_with_log(log));
        let said = logs.map(|log| fs::read_to_string(log).expect("a log").contains("another server uses the same SQLite file"));
        assert_eq!(said, [false, true]);
        drop(servers);
    }
}
