//! The shared lock of reads: when it is held, and that it hides nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use uuid::Uuid;

use super::database::TestDatabase;
use crate::base::limits;
use crate::model::Scope;

/// Opens a connection as another process would.
fn other(db: &TestDatabase) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(db.url.trim_start_matches("sqlite://")).unwrap();
    other.busy_timeout(Duration::ZERO).unwrap();
    other
}

/// Returns whether the log cannot be restarted because of a read.
fn is_held(other: &rusqlite::Connection) -> bool {
    other.query_row("PRAGMA wal_checkpoint(RESTART)", [], |row| row.get(0)).unwrap()
}

async fn read(db: &TestDatabase, times: u32) {
    for _ in 0..times {
        assert!(db.store.partner(Uuid::nil()).await.unwrap().is_none());
    }
}

#[tokio::test]
async fn consecutive_reads_hold_the_lock_until_a_write_or_their_limit() {
    let db = TestDatabase::sqlite().await;
    let other = other(&db);
    db.partner().await;
    read(&db, limits::READS_BEFORE_SHARED_LOCK - 1).await;
    assert!(!is_held(&other), "each read released its own lock");
    db.partner().await;
    read(&db, limits::READS_BEFORE_SHARED_LOCK).await;
    assert!(is_held(&other));
    db.partner().await;
    assert!(!is_held(&other), "it was released for the write");
    db.partner().await;
    read(&db, limits::READS_PER_SHARED_LOCK - 1).await;
    assert!(is_held(&other));
    read(&db, 1).await;
    assert!(!is_held(&other), "it was released after so many reads");
    db.close().await;
}

#[tokio::test]
async fn held_lock_hides_no_commit_of_any_process() {
    let db = TestDatabase::sqlite().await;
    let other = other(&db);
    let partner_id = db.partner().await;
    read(&db, limits::READS_BEFORE_SHARED_LOCK).await;
    for n in 0..50 {
        let name = format!("n{n}");
        other.execute("UPDATE partners SET name = ?1 WHERE id = ?2", (&name, &partner_id.as_bytes()[..])).unwrap();
        assert_eq!(db.store.partner(partner_id).await.unwrap().unwrap().name, name);
        let card = db.created(partner_id, &name).await;
        assert_eq!(db.store.card(Scope::account(partner_id), card.id).await.unwrap(), Some(card.into()));
        read(&db, n).await;
    }
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn log_is_restarted_under_continuous_reads() {
    const FRAME_BYTES: u64 = 4_096 + 24; // a page and its header (SQLite, "WAL-mode File Format")
    let db = TestDatabase::sqlite().await;
    db.run("CREATE TABLE heap (bytes BLOB)").await.unwrap();
    let done = AtomicBool::new(false);
    let reads = async {
        while !done.load(Ordering::Relaxed) {
            read(&db, 10).await;
            tokio::task::yield_now().await;
        }
    };
    let writes = async {
        for _ in 0..100 {
            db.run("INSERT INTO heap VALUES (zeroblob(1048576))").await.unwrap();
        }
        done.store(true, Ordering::Relaxed);
    };
    futures_util::future::join(reads, writes).await;
    let log = std::path::PathBuf::from(db.url.trim_start_matches("sqlite://")).with_extension("db-wal");
    let (full, length) = (limits::LOG_PAGES as u64 * FRAME_BYTES, std::fs::metadata(log).unwrap().len());
    assert!(length < full * 2, "{length}, and {full} is full");
    db.close().await;
}
