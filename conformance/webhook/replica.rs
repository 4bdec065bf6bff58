//! Several processes on one database: a commit of any wakes the workers of all, and `kill -9` at random times or a stop for
//! longer than its leases loses nothing (decisions W3).

use std::time::{Duration, Instant};

use card_service::base::{Clock, Entropy, limits};
use serde_json::json;

use super::follow::{Followed, kill_seconds};
use crate::app::mock_server::Reply;
use crate::app::{Database, FreshDatabase, Program, TestApp, run_alone};

// On PostgreSQL `chaos::storm` does the same with three replicas.
on_sqlite! {
    async fn nothing_is_lost_when_the_process_is_killed_again_and_again(database: FreshDatabase) {
        let followed = Followed::new(database).await;
        let (entropy, end) = (Entropy::system(), Instant::now() + Duration::from_secs(kill_seconds()));
        let mut serving = followed.program.serve();
        followed.ask([serving.base.clone()]);
        let load = followed.run();
        let mut kills = 0;
        while Instant::now() < end {
            let pause = 100 + u64::from(u16::from_be_bytes(entropy.bytes())) % 1_500;
            tokio::time::sleep(Duration::from_millis(pause)).await;
            serving.kill();
            kills += 1;
            serving = followed.program.serve();
            followed.ask([serving.base.clone()]);
        }
        followed.rest(load).await;
        assert!(kills > 3 && followed.acknowledged() > 20, "{kills} kills, {} changes", followed.acknowledged());
        // What the last one killed had claimed is claimed again when its lease ends.
        followed.check(2 * limits::DELIVERY_LEASE).await;
        assert!(serving.terminate());
    }
}

#[test]
fn killed_and_sleeping_replicas_lose_no_delivery() {
    run_alone(Database::Postgres, |database: FreshDatabase| async move {
        let followed = Followed::new(database).await;
        let (sleeper, victim) = (followed.program.serve(), followed.program.serve());
        followed.ask([sleeper.base.clone(), victim.base.clone()]);
        let load = followed.run();
        tokio::time::sleep(Duration::from_secs(3)).await;

        // In the middle of its work: with deliveries claimed, and some on their way.
        sleeper.signal("STOP");
        followed.ask([victim.base.clone()]);
        tokio::time::sleep(limits::DELIVERY_LEASE + Duration::from_secs(3)).await;
        sleeper.signal("CONT");
        followed.ask([sleeper.base.clone(), victim.base.clone()]);
        tokio::time::sleep(Duration::from_secs(2)).await;

        victim.kill();
        followed.ask([sleeper.base.clone()]);
        tokio::time::sleep(Duration::from_secs(2)).await;
        followed.rest(load).await;
        assert!(followed.acknowledged() > 100, "{} changes", followed.acknowledged());
        followed.check(2 * limits::DELIVERY_LEASE).await;
        assert!(sleeper.terminate());
    });
}

/// Returns the median of some waits.
fn median(mut waits: Vec<Duration>) -> Duration {
    waits.sort();
    waits[waits.len() / 2]
}

on_both_databases! {
    async fn notification_follows_its_commit_at_once(app: TestApp) {
        let (caller, _) = app.follower("CARDS_UPDATE", "/hook").await;
        app.mock_server().on("/hook", Reply::Status(200));
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
        app.mock_server().on("/hook", Reply::Status(200));
        let program = Program::on(&database);
        // The command goes by the machine's clock: what it commits must not lie ahead of the server's.
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
        drop(caller); // it holds the server, which must not work in a database that goes
    });
}
