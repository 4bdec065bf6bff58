//! Several processes on one database: a commit of any wakes the workers of all. `chaos::storm` kills servers at random times.

use std::time::{Duration, Instant};

use card_service::base::{Clock, limits};
use serde_json::json;

use crate::app::mock_server::Reply;
use crate::app::{Database, FreshDatabase, Program, TestApp, run_alone};

/// How many waits in a row have to be shorter than half the time between two polls: without a wake-up, that is one run in 4,000. A
/// busy machine may need more rounds.
const SHORT_IN_A_ROW: usize = 12;
const ROUNDS_MAX: usize = 150;

/// Counts a wait; `in_a_row` starts again at a long one.
fn count(in_a_row: &mut usize, wait: Duration) {
    *in_a_row = if wait < limits::WORKER_POLL / 2 { *in_a_row + 1 } else { 0 };
}

on_both_databases! {
    async fn notification_follows_its_commit_at_once(app: TestApp) {
        let (caller, _) = app.follower("CARDS_UPDATE", "/hook").await;
        app.mock_server().reply("/hook", Reply::Status(200));
        let gid = caller.draft("1").await;
        let (mut n, mut in_a_row) = (0, 0);
        while in_a_row < SHORT_IN_A_ROW {
            assert!(n < ROUNDS_MAX, "as slow as looking from time to time");
            caller.update(&gid, json!({ "externalFuneralDirectorId": n.to_string() })).await;
            let committed = Instant::now();
            n += 1;
            app.arrive("/hook", n).await;
            count(&mut in_a_row, committed.elapsed());
        }
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
        let (mut n, mut in_a_row) = (0, 0);
        while in_a_row < SHORT_IN_A_ROW {
            assert!(n < ROUNDS_MAX, "as slow as looking from time to time");
            let gid = caller.draft(&n.to_string()).await;
            app.complete(&gid).await;
            program.json(&["card", "order", &gid]);
            let committed = Instant::now();
            n += 1;
            app.arrive("/hook", n).await;
            count(&mut in_a_row, committed.elapsed());
        }
        drop(caller); // it holds the server, which must stop before its database is dropped
    });
}
