//! A full disk under the embedded database: callers get 503, the database stays intact, and the server recovers once there
//! is space. The disk is a small file system in memory; mounting it takes root.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{Answer, FreshDatabase, Program, Serving, http_client};

/// Enough for a database and its log.
const DISK: &str = "size=24m,mode=1777";
/// The space that the ballast leaves: the log fits, and then the database grows.
const LEFT_BYTES: u64 = 4_800_000;
const RECOVERS_WITHIN: Duration = Duration::from_secs(10);
const CREATE: &str = "mutation ($input: CardCreateInput!) {
    cardCreate(input: $input) { card { id externalDossierId } userErrors { code message } }
}";

/// A small file system; unmounted when this is dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path) -> Self {
        std::fs::create_dir_all(at).expect("a folder can be made");
        let at = at.display().to_string();
        let arguments = ["-t", "tmpfs", "-o", DISK, "tmpfs", &at];
        let mounted = |program: &str, before: &[&str]| {
            Command::new(program).args(before).args(arguments).status().is_ok_and(|status| status.success())
        };
        assert!(
            mounted("mount", &[]) || mounted("sudo", &["-n", "mount"]),
            "this test mounts a small file system, which only root may do"
        );
        Self(at.into())
    }

    /// Fills the disk until `left` bytes are free.
    fn fill(&self, left: u64) {
        let free = self.free();
        let ballast = vec![0; usize::try_from(free.saturating_sub(left)).expect("a few megabytes")];
        std::fs::write(self.ballast(), ballast).expect("the ballast fits");
    }

    fn free_space(&self) {
        std::fs::remove_file(self.ballast()).expect("the ballast is there");
    }

    fn ballast(&self) -> PathBuf {
        self.0.join("ballast")
    }

    fn free(&self) -> u64 {
        let found = Command::new("df").args(["-B1", "--output=avail"]).arg(&self.0).output().expect("df runs");
        let found = String::from_utf8(found.stdout).expect("UTF-8");
        found.lines().nth(1).and_then(|line| line.trim().parse().ok()).expect("a number of bytes")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmounted = |program: &str, before: &[&str]| {
            let done = Command::new(program).args(before).arg("--lazy").arg(&self.0).status();
            done.is_ok_and(|status| status.success())
        };
        let _ = unmounted("umount", &[]) || unmounted("sudo", &["-n", "umount"]);
    }
}

/// Sends a `cardCreate` with its dossier number as its key; its answer.
async fn create(serving: &Serving, token: &str, dossier: &str) -> Answer {
    // As much as a card may hold, so that the disk fills in a while.
    let contact = json!({ "name": "n".repeat(255) });
    let input = json!({ "externalDossierId": dossier, "livestreamUrl": format!("https://a.example/{}", "x".repeat(2_000)), "familyContact": contact });
    let request = http_client()
        .post(format!("{}/partner/api/2026-10/graphql", serving.base))
        .header("x-service-access-token", token)
        .header("idempotency-key", dossier)
        .json(&json!({ "query": CREATE, "variables": { "input": input } }));
    Answer::read(request.send().await.expect("an answer")).await
}

async fn readiness(serving: &Serving) -> (u16, Value) {
    let answer = http_client().get(format!("{}/health/ready", serving.base)).send().await.expect("an answer");
    let answer = Answer::read(answer).await;
    (answer.status, answer.json())
}

/// The id of the card in an answer that acknowledges it.
fn expect_acknowledged(answer: &Answer) -> String {
    let data = answer.data();
    assert_eq!(data["cardCreate"]["userErrors"], json!([]), "{data}");
    data["cardCreate"]["card"]["id"].as_str().expect("an id").to_owned()
}

fn assert_intact(database: &Path) {
    let connection = rusqlite::Connection::open(database).expect("the database opens");
    let said: String = connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("an answer");
    assert_eq!(said, "ok");
    let broken = connection.prepare("PRAGMA foreign_key_check").expect("a query").exists([]).expect("an answer");
    assert!(!broken, "every reference has its row");
}

on_sqlite! {
    async fn full_disk_is_503_and_recovers_when_space_is_freed(database: FreshDatabase) {
        let disk = Disk::mount(&database.folder.path().join("disk"));
        let file = disk.0.join("card-service.db");
        let program = Program::with(&format!("sqlite://{}", file.display()), &disk.0).set("RUST_LOG", "off").create_database();
        let token = program.token("live");
        let serving = program.serve();
        let first = expect_acknowledged(&create(&serving, &token, "first").await);
        disk.fill(LEFT_BYTES);

        let (mut cards, mut refused) = (vec![first.clone()], Vec::new());
        for number in 0..20_000 {
            let dossier = format!("d-{number}");
            let answer = create(&serving, &token, &dossier).await;
            if answer.status == 200 {
                cards.push(expect_acknowledged(&answer));
            } else {
                answer.expect_error(503, "UNAVAILABLE");
                assert!(answer.header("retry-after").is_some());
                refused.push(dossier);
                if refused.len() == 25 {
                    break;
                }
            }
        }
        assert!(refused.len() == 25 && cards.len() > 50, "{} cards, {} refused", cards.len(), refused.len());
        // What is there can be read, and nothing of it is harmed.
        let read = "query ($id: ID!) { card(id: $id) { id } }";
        for id in [&cards[0], &cards[cards.len() - 1]] {
            assert_eq!(serving.data(&token, read, json!({ "id": id })).await["card"]["id"], id.as_str());
        }
        assert_intact(&file);
        let (status, found) = readiness(&serving).await;
        assert_eq!((status, &found["database"]), (200, &json!("answers, but takes no writes")), "{found}");
        println!("{} cards fit", cards.len());

        disk.free_space();
        let started = Instant::now();
        while create(&serving, &token, "after").await.status != 200 {
            assert!(started.elapsed() < RECOVERS_WITHIN, "it does not go on by itself");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        println!("it went on after {:?}", started.elapsed());
        // What was refused is not there: the same request makes its card, once.
        for dossier in &refused {
            let id = expect_acknowledged(&create(&serving, &token, dossier).await);
            assert_eq!(expect_acknowledged(&create(&serving, &token, dossier).await), id);
            cards.push(id);
        }
        for id in &cards {
            assert_eq!(serving.data(&token, read, json!({ "id": id })).await["card"]["id"], id.as_str());
        }
        assert_eq!(readiness(&serving).await.0, 200);
        assert!(serving.terminate());
        assert_intact(&file);
        let connection = rusqlite::Connection::open(&file).expect("the database opens");
        let count: i64 = connection.query_row("SELECT count(*) FROM cards", [], |row| row.get(0)).expect("a count");
        assert_eq!(
            usize::try_from(count),
            Ok(cards.len() + 1),
            "every acknowledged card, the card of `after`, and no other"
        );
    }
}
