//! Several processes on one database: a commit of any wakes the workers of all. `chaos::storm` kills servers at random times.

use std::time::{Duration, Instant};

use card_service::base::{Clock, limits};
use serde_json::json;

use crate::app::mock_server::Reply;
use crate::app::{Database, FreshDatabase, Program, TestApp, run_alone};

/// Returns the median of some waits.
fn median(mut waits: Vec<Duration>) -> Duration {
    waits.sort();
    waits[waits.len() / 2]
}

on_both_databases! {
    async fn notification_follows_its_commit_at_once(app: TestApp) {
        let (caller, _) = app.follower("CARDS_UPDATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let gid = caller.draft("1").await;
        let mut waits = Vec::new();
        for n in 0..15 {
            caller.update(&gid, json!({ "externalFuneralDirectorId": n.to_string() })).await;
            let committed = Instant::now();
            app.arrive("/hook", n + 1).await;
            waits.push(committed.elapsed());
        }
        let median = median(waits);
        assert!(median < limits::WORKER_POLL / 4, "{median:?}: as slow as looking from time to time");
    }
}

/// Commits a change in a process without a worker, such as an operator's command.
#[test]
fn commit_of_another_process_wakes_a_server_on_postgres() {
    run_alone(Database::Postgres, |database: FreshDatabase| async move {
        let app = TestApp::start(&database, "wake").await;
        let (caller, _) = app.follower("CARDS_ORDERED", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let program = Program::new(&database);
        // The command uses the machine's clock: the server's clock must not be behind it.
        let apart_ms = Clock::system().now().millis() - app.now().millis();
        app.pass(chrono::Duration::milliseconds(apart_ms) + chrono::Duration::hours(1));
        let mut waits = Vec::new();
        for n in 0..11 {
            let gid = caller.draft(&n.to_string()).await;
            app.complete(&gid).await;
            program.json(&["card", "order", &gid]);
            let committed = Instant::now();
            app.arrive("/hook", n + 1).await;
            waits.push(committed.elapsed());
        }
        let median = median(waits);
        assert!(median < limits::WORKER_POLL / 4, "{median:?}: as slow as looking from time to time");
        drop(caller); // it holds the server, which must stop before its database is dropped
    });
}
