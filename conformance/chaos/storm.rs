//! Servers are killed under mixed load: one alone on SQLite, and three replicas in turn, while PostgreSQL is restarted, and the
//! object store fails twice. Nothing acknowledged is lost, nothing happens twice, and clients see no error but 503.

use std::sync::Arc;
use std::time::Duration;

use card_service::base::Entropy;
use tempfile::TempDir;
use tokio::time::{Instant, sleep, sleep_until};

use super::check::{check_cards, check_links};
use super::cluster::Cluster;
use super::crowd::Crowd;
use super::fleet::Fleet;
use crate::app::mock_server::Reply;
use crate::app::{FreshDatabase, Program, S3Server, runtime};
use crate::webhook::follow::{Followed, HOOK};

const REPLICAS: usize = 3;

#[test]
fn failing_replicas_database_and_store_lose_and_repeat_nothing() {
    runtime().block_on(storm(storm_seconds()));
}

/// How often the server is killed that is alone with its database.
const KILLS: usize = 10;

on_sqlite! {
    async fn server_killed_again_and_again_loses_and_repeats_nothing(database: FreshDatabase) {
        let followed = Followed::new(database).await;
        let fleet = Fleet::start(&followed.program, 1).await;
        let (crowd, entropy) = (Crowd::start(&fleet, &followed), Entropy::system());
        for _ in 0..KILLS {
            sleep(Duration::from_millis(50) + random_pause(&entropy, 1_000)).await;
            fleet.kill(0).await;
            fleet.raise(0, &followed.program).await;
        }
        crowd.enough().await;
        let ledger = crowd.rest().await;
        ledger.assert_faultless();
        check_cards(&fleet, &ledger, &followed).await;
        check_links(&fleet, &ledger).await;
        fleet.terminate();
    }
}

/// How long it lasts: `CHAOS_SECONDS`, which `.ci/run` sets to two minutes.
fn storm_seconds() -> u64 {
    match std::env::var("CHAOS_SECONDS") {
        Ok(text) => text.parse().expect("CHAOS_SECONDS is a number of seconds"),
        Err(_) => 24,
    }
}

async fn storm(seconds: u64) {
    let folder = TempDir::new().expect("a folder for the test's data");
    let cluster = Arc::new(Cluster::start(folder.path()));
    let mut s3 = S3Server::start();
    let database = FreshDatabase::new(cluster.url.clone(), folder);
    let mut program = Program::new(&database)
        .set("WEBHOOK_RETRY_SCHEDULE", "0s, 1s, 1s, 1s, 1s, 1s, 2s, 2s, 2s, 4s, 4s, 4s")
        .set("POSTGRES_POOL_SIZE", "8");
    for (name, value) in s3.settings() {
        program = program.set(name, &value);
    }
    let mut followed = Followed::with(database, program).await;
    // What fails is what this is about: the log would be full of it.
    followed.program = followed.program.set("RUST_LOG", "off");
    followed.mock_server.play(HOOK, moody());

    let fleet = Fleet::start(&followed.program, REPLICAS).await;
    let crowd = Crowd::start(&fleet, &followed);
    let (begin, whole) = (Instant::now(), Duration::from_secs(seconds));
    let (kills, ()) =
        tokio::join!(kill(&fleet, &followed.program, begin + whole), outages(&cluster, &mut s3, begin, whole));
    let ledger = crowd.rest().await;
    assert!(kills > 3, "{kills} kills");
    println!("{kills} kills in {seconds} s; {:#?}", ledger.counts());

    ledger.assert_faultless();
    assert!(ledger.cards().values().any(|card| card.photo.is_some()), "some have a portrait");
    check_cards(&fleet, &ledger, &followed).await;
    check_links(&fleet, &ledger).await;
    fleet.terminate();
}

fn random_pause(entropy: &Entropy, millis: u64) -> Duration {
    Duration::from_millis(u64::from(u16::from_be_bytes(entropy.bytes())) % millis)
}

/// Kills and restarts one replica after the other; returns the number of kills.
async fn kill(fleet: &Fleet, program: &Program, end: Instant) -> usize {
    let entropy = Entropy::system();
    let mut kills = 0;
    while Instant::now() < end {
        sleep(Duration::from_secs(1) + random_pause(&entropy, 2_000)).await;
        let slot = kills % REPLICAS;
        fleet.kill(slot).await;
        kills += 1;
        sleep(random_pause(&entropy, 700)).await;
        fleet.raise(slot, program).await;
    }
    kills
}

/// Stops the object store, restarts PostgreSQL, and makes the object store stop answering.
async fn outages(cluster: &Arc<Cluster>, s3: &mut S3Server, begin: Instant, whole: Duration) {
    let pause = (whole / 12).min(Duration::from_secs(6));
    sleep_until(begin + whole / 5).await;
    s3.stop();
    sleep(pause).await;
    tokio::task::block_in_place(|| s3.resume());

    sleep_until(begin + whole / 2).await;
    tokio::task::block_in_place(|| cluster.stop());
    sleep(pause).await;
    tokio::task::block_in_place(|| cluster.resume());

    sleep_until(begin + whole * 3 / 4).await;
    s3.signal("STOP");
    sleep(pause).await;
    s3.signal("CONT");
}

/// A receiver that sometimes fails, breaks connections or sends `Retry-After`, and succeeds in the end.
fn moody() -> Vec<Reply> {
    let reply = |n: usize| match n % 23 {
        5 => Reply::Status(500),
        11 => Reply::Reset,
        17 => Reply::Told { status: 503, header: ("retry-after", "1".to_owned()) },
        _ => Reply::Status(204),
    };
    (0..1_500).map(reply).chain([Reply::Status(200)]).collect()
}
