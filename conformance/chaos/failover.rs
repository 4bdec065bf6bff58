//! A primary PostgreSQL is killed under load, and its synchronous standby takes over: nothing acknowledged is lost, and no replica of
//! the service is restarted (docs/operating.md).

use std::time::Instant;

use tempfile::TempDir;
use tokio_postgres::{NoTls, SimpleQueryMessage};

use super::check::{check_cards, check_links};
use super::cluster::Cluster;
use super::crowd::Crowd;
use super::fleet::Fleet;
use crate::app::{FreshDatabase, Program, runtime, wait_for};
use crate::webhook::follow::Followed;

/// The number of cards that callers create after the failover.
const MORE: usize = 20;

#[test]
fn killed_primary_and_promoted_standby_lose_nothing() {
    runtime().block_on(async {
        let folder = TempDir::new().expect("a folder for the test's data");
        let primary = Cluster::start(folder.path());
        let standby = primary.start_standby();
        make_synchronous(&primary.url).await;
        let (first, second) = (primary.address(), standby.address());
        let url = format!("postgres://postgres@{first},{second}/postgres?target_session_attrs=read-write");
        let database = FreshDatabase::new(url, folder);
        let program = Program::new(&database).set("WEBHOOK_RETRY_SCHEDULE", "0s, 1s, 1s, 1s, 2s, 2s, 4s, 4s");
        let mut followed = Followed::with(database, program).await;
        followed.program = followed.program.set("RUST_LOG", "off");

        let fleet = Fleet::start(&followed.program, 2).await;
        let crowd = Crowd::start(&fleet, &followed);
        crowd.enough().await;
        tokio::task::block_in_place(|| primary.kill());
        let killed = Instant::now();
        tokio::task::block_in_place(|| standby.promote());
        let (promoted, before) = (Instant::now(), crowd.ledger().cards().len());
        let written = |count| {
            let ledger = crowd.ledger();
            move || async move { (ledger.cards().len() >= before + count).then(Instant::now) }
        };
        let next = wait_for("cards are created again", written(1)).await;
        wait_for("callers go on", written(MORE)).await;
        let ledger = crowd.rest().await;
        println!(
            "promoted {:?} after the kill; the next card {:?} later; {:#?}",
            promoted - killed,
            next - promoted,
            ledger.counts()
        );
        ledger.assert_faultless();
        check_cards(&fleet, &ledger, &followed).await;
        check_links(&fleet, &ledger).await;
        // The operator's commands find the primary too.
        followed.program.text(&["partner", "list"]);
        fleet.terminate();
    });
}

/// Waits until commits of the primary wait for the standby.
async fn make_synchronous(primary: &str) {
    let (client, connection) = tokio_postgres::connect(primary, NoTls).await.expect("PostgreSQL answers");
    tokio::spawn(connection);
    for setting in ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"] {
        client.batch_execute(setting).await.expect("the role may set it");
    }
    let is_synchronous = || async {
        let rows = client.simple_query("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'").await;
        rows.expect("rows").iter().any(|row| matches!(row, SimpleQueryMessage::Row(_))).then_some(())
    };
    wait_for("the standby is synchronous", is_synchronous).await;
}
