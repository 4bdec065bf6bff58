//! Group commit: effects of one unit of work on the others of its batch.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use futures_util::future::join_all;

use super::database::TestDatabase;
use crate::base::limits;
use crate::store::database::{Database, Unit};
use crate::store::sqlite::Sqlite;
use crate::store::{CreateCardError, Store, StoreError};

fn sqlite(db: &TestDatabase) -> &Sqlite {
    match &db.store.database {
        Database::Sqlite(sqlite) => sqlite,
        Database::Postgres(_) => unreachable!("these tests open SQLite"),
    }
}

/// Blocks the writer until the gate is opened, so that units that are queued meanwhile share a batch.
fn hold_the_writer(db: &TestDatabase) -> (mpsc::Sender<()>, tokio::task::JoinHandle<Result<(), StoreError>>) {
    let (gate, opened) = mpsc::channel();
    let (sqlite, (entered, inside)) = (sqlite(db).clone(), mpsc::channel());
    let held = tokio::spawn(async move {
        sqlite
            .run_unit(Unit::Transaction, async move |_| {
                let _ = entered.send(());
                let _ = opened.recv(); // an error: the gate is open
                Ok::<_, StoreError>(())
            })
            .await
    });
    inside.recv().unwrap();
    (gate, held)
}

/// Opens the gate when the futures have queued their units, and returns their results.
async fn in_one_batch<F: Future>(gate: mpsc::Sender<()>, queued: impl Iterator<Item = F>) -> Vec<F::Output> {
    let open = async {
        tokio::time::sleep(Duration::from_millis(50)).await; // every future has been polled, and has queued its unit
        drop(gate);
    };
    futures_util::future::join(join_all(queued), open).await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unit_that_fails_rolls_back_only_itself() {
    let db = TestDatabase::sqlite().await;
    let partner_id = db.partner().await;
    let (gate, held) = hold_the_writer(&db);
    // Every third create has the dossier number of the one before it, in the same uncommitted batch.
    let create = |n: usize| db.store.create_card(db.new_card(partner_id, &format!("d{}", n - n % 3 / 2), None));
    let outcomes = in_one_batch(gate, (0..30).map(create)).await;
    held.await.unwrap().unwrap();
    for (n, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Ok(_) => assert_ne!(n % 3, 2, "{n}"),
            Err(CreateCardError::Taken { .. }) => assert_eq!(n % 3, 2, "{n}"),
            other => panic!("{n}: {other:?}"),
        }
    }
    assert_eq!((db.count("cards").await, db.count("events").await), (20, 20));
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unit_that_fails_or_panics_rolls_back_only_its_own_writes() {
    for panics in [true, false] {
        let db = TestDatabase::sqlite().await;
        let write = |n: i32| {
            let sqlite = sqlite(&db).clone();
            async move {
                let unit = async move |c: &mut diesel::SqliteConnection| {
                    c.batch_execute(&format!("INSERT INTO photos (key, bytes, created_at) VALUES ('{n}', 1, 1)"))?;
                    assert!(n != 3 || !panics, "on purpose");
                    if n == 3 { Err(StoreError::Failed("on purpose".into())) } else { Ok(()) }
                };
                sqlite.run_unit(Unit::Transaction, unit).await
            }
        };
        let (gate, held) = hold_the_writer(&db);
        let outcomes = in_one_batch(gate, (0..6).map(write)).await;
        held.await.unwrap().unwrap();
        for (n, outcome) in outcomes.iter().enumerate() {
            assert_eq!(outcome.is_ok(), n != 3, "{n}: {outcome:?}");
        }
        assert!(matches!(outcomes[3], Err(StoreError::Failed(_))));
        assert_eq!((db.count("photos").await, db.count("photos WHERE key = '3'").await), (5, 0));

        assert!(write(3).await.is_err());
        assert_eq!(db.count("photos").await, 5);
        write(6).await.unwrap();
        assert_eq!(db.count("photos").await, 6);
        db.close().await;
    }
}

/// Runs a statement of SQL as a unit of work.
async fn run_statement(db: &TestDatabase, sql: String) -> Result<(), StoreError> {
    sqlite(db).run_unit(Unit::Statement, async move |c| Ok(c.batch_execute(&sql)?)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_that_fails_keeps_what_ran_before_it() {
    let db = TestDatabase::sqlite().await;
    let write = |n: i32| {
        let key = if n == 3 { 2 } else { n };
        run_statement(&db, format!("INSERT INTO photos (key, bytes, created_at) VALUES ('{key}', 1, 1)"))
    };
    let (gate, held) = hold_the_writer(&db);
    let outcomes = in_one_batch(gate, (0..6).map(write)).await;
    held.await.unwrap().unwrap();
    for (n, outcome) in outcomes.iter().enumerate() {
        assert_eq!(matches!(outcome, Err(StoreError::Failed(_))), n == 3, "{n}: {outcome:?}");
        assert_eq!(outcome.is_ok(), n != 3, "{n}: {outcome:?}");
    }
    assert_eq!(db.count("photos").await, 5);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn card_that_cannot_be_written_rolls_back_only_itself() {
    let db = TestDatabase::sqlite().await;
    let partner_id = db.partner().await;
    db.run(
        "CREATE TRIGGER poison BEFORE INSERT ON events
         WHEN (SELECT external_dossier_id FROM cards WHERE id = NEW.card_id) = 'd1'
         BEGIN SELECT raise(ABORT, 'on purpose'); END",
    )
    .await
    .unwrap();
    let create = |n: i32| db.store.create_card(db.new_card(partner_id, &format!("d{n}"), None));
    let (gate, held) = hold_the_writer(&db);
    let outcomes = in_one_batch(gate, (0..4).map(create)).await;
    held.await.unwrap().unwrap();
    for (n, outcome) in outcomes.iter().enumerate() {
        assert_eq!(outcome.is_ok(), n != 1, "{n}: {outcome:?}");
    }
    assert!(format!("{:?}", outcomes[1]).contains("on purpose"), "{outcomes:?}");
    assert_eq!((db.count("cards").await, db.count("events").await), (3, 3));
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_in_a_statement_loses_the_batch() {
    let db = TestDatabase::sqlite().await;
    db.run("CREATE TABLE heap (bytes BLOB)").await.unwrap();
    db.run("PRAGMA max_page_count = 1").await.unwrap();
    let write = |n: i32| {
        let bytes = if n == 1 { 100_000 } else { 10 };
        run_statement(&db, format!("INSERT INTO heap VALUES (zeroblob({bytes}))"))
    };
    let (gate, held) = hold_the_writer(&db);
    let outcomes = in_one_batch(gate, (0..4).map(write)).await;
    assert!(matches!(held.await.unwrap(), Err(StoreError::Unavailable(_))));
    for (n, outcome) in outcomes.iter().enumerate() {
        assert_eq!(matches!(outcome, Err(StoreError::Unavailable(_))), n < 2, "{n}: {outcome:?}");
        assert_eq!(outcome.is_ok(), n >= 2, "{n}: {outcome:?}");
    }
    assert_eq!(db.count("heap").await, 2);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_disk_loses_the_batch_and_the_writer_recovers() {
    let db = TestDatabase::sqlite().await;
    let partner_id = db.partner().await;
    db.created(partner_id, "before").await;
    // The writer's connection can add one page at most: SQLite reports a full disk.
    db.run("PRAGMA max_page_count = 1").await.unwrap();
    let (gate, held) = hold_the_writer(&db);
    let create = |n: usize| {
        let mut new = db.new_card(partner_id, &format!("d{n}"), None);
        new.card.deceased.first_name = Some("x".repeat(if n == 4 { 100_000 } else { 10 }));
        db.store.create_card(new)
    };
    let outcomes = in_one_batch(gate, (0..8).map(create)).await;
    let first = held.await.unwrap();
    assert!(matches!(first, Err(StoreError::Unavailable(_))), "{first:?}");
    // The units up to the failed one were in its batch. The others got a new connection without the limit.
    for (n, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Err(CreateCardError::Store(StoreError::Unavailable(_))) if n <= 4 => {}
            Ok(_) if n > 4 => {}
            other => panic!("{n}: {other:?}"),
        }
    }
    let kept = db.count("cards WHERE external_dossier_id IN ('before', 'd5', 'd6', 'd7')").await;
    assert_eq!((kept, db.count("cards").await, db.count("events").await), (4, 4, 4));
    db.created(partner_id, "d4").await;
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn file_locked_by_another_process_is_unavailable() {
    let db = TestDatabase::sqlite().await;
    let partner_id = db.partner().await;
    let other = rusqlite::Connection::open(db.url.trim_start_matches("sqlite://")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let started = Instant::now();
    let outcomes = join_all((0..10).map(|n| {
        let new = db.new_card(partner_id, &format!("d{n}"), None);
        db.store.create_card(new)
    }))
    .await;
    assert!(outcomes.iter().all(|o| matches!(o, Err(CreateCardError::Store(StoreError::Unavailable(_))))));
    // They wait once or twice together, not one after the other.
    assert!(started.elapsed() < limits::DATABASE_WAIT * 3, "{:?}", started.elapsed());
    // Reads continue, and so do writes when the lock is released.
    assert_eq!(db.count("cards").await, 0);
    other.execute_batch("ROLLBACK").unwrap();
    db.created(partner_id, "d0").await;
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn close_waits_for_writes_of_dropped_callers() {
    let db = TestDatabase::sqlite().await;
    let partner_id = db.partner().await;
    let (gate, held) = hold_the_writer(&db);
    let create = db.store.create_card(db.new_card(partner_id, "d", None));
    // The caller drops its future while its unit is queued.
    assert!(tokio::time::timeout(Duration::from_millis(20), create).await.is_err());
    gate.send(()).unwrap();
    held.await.unwrap().unwrap();
    assert_eq!(db.count("cards").await, 1);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_log_is_checkpointed_and_restarted() {
    const FRAME_BYTES: u64 = 4_096 + 24; // a page and its header (SQLite, "WAL-mode File Format")
    let db = TestDatabase::sqlite().await;
    db.run("CREATE TABLE heap (bytes BLOB)").await.unwrap();
    for _ in 0..40 {
        db.run("INSERT INTO heap VALUES (zeroblob(1048576))").await.unwrap();
    }
    let log = std::path::PathBuf::from(db.url.trim_start_matches("sqlite://")).with_extension("db-wal");
    let full = limits::LOG_PAGES as u64 * FRAME_BYTES;
    let length = std::fs::metadata(log).unwrap().len();
    assert!((full..full + 300 * FRAME_BYTES).contains(&length), "{length}, and {full} is full");
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closed_store_leaves_one_complete_file() {
    let (url, place) = super::database::sqlite_place();
    let path = std::path::PathBuf::from(url.trim_start_matches("sqlite://"));
    let (store, closer) = Store::open(&super::database::settings(&url)).await.unwrap();
    store
        .put_photo(crate::model::PhotoKey::trusted("a.jpeg"), 1, super::database::now(), super::database::now())
        .await
        .unwrap();
    store.ping().await.unwrap();
    drop(store);
    closer.close().await;
    assert!(!path.with_extension("db-wal").exists(), "the log was folded into the file");
    let other = rusqlite::Connection::open(&path).unwrap();
    let photos: i64 = other.query_row("SELECT COUNT(*) FROM photos", [], |row| row.get(0)).unwrap();
    assert_eq!(photos, 1);
    let mode: String = other.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    drop(place);
}
