//! A pooler that shares its connections between transactions (docs/operating.md, "A pooler"): what is refused at start, and
//! three replicas behind it under load. `.ci/pooler` runs the tests that need PgBouncer.

use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::sleep;

use super::pgbouncer::{PgBouncer, missing_parameters};
use crate::app::{Database, FreshDatabase, Program, run_alone, runtime, tamper};
use crate::chaos::check::{check_cards, check_links};
use crate::chaos::cluster::Cluster;
use crate::chaos::crowd::Crowd;
use crate::chaos::fleet::Fleet;
use crate::webhook::follow::Followed;

const REPLICAS: usize = 3;
/// The connections that PgBouncer opens to PostgreSQL, for all replicas.
const POOLED: &str = "default_pool_size = 6\nmax_prepared_statements = 200\n";

/// A PostgreSQL with an empty database, and PgBouncer in front of it.
fn behind_pgbouncer(settings: &str) -> (FreshDatabase, Cluster, PgBouncer) {
    let folder = TempDir::new().expect("a folder for the test's data");
    let cluster = Cluster::start(folder.path());
    let program = std::env::var_os("PGBOUNCER").expect("PGBOUNCER names the program: bash .ci/pooler");
    let bouncer = PgBouncer::start(Command::new(program), folder.path(), &cluster.url, settings);
    (FreshDatabase::at(cluster.url.clone(), folder), cluster, bouncer)
}

/// Runs the statements that an error message gives for the role.
async fn set_parameters(program: &Program, postgres: &str) {
    let said = program.refused(&["init"]);
    let statements = missing_parameters(&said);
    assert_eq!(statements.len(), 5, "{said}");
    tamper(postgres, &statements.concat()).await;
}

#[test]
fn direct_address_without_a_pooler_is_refused() {
    run_alone(Database::Postgres, |database: FreshDatabase| async move {
        let program = Program::with(&database.url, database.folder.path()).set("DATABASE_DIRECT_URL", &database.url);
        let said = program.refused(&["init"]);
        assert!(said.contains("leave DATABASE_DIRECT_URL out"), "{said}");
    });
}

#[test]
#[ignore = "needs PgBouncer: bash .ci/pooler"]
fn pooler_without_the_direct_address_is_refused() {
    let (database, _cluster, bouncer) = behind_pgbouncer(POOLED);
    let program = Program::with(&bouncer.url, database.folder.path());
    for arguments in [["init"].as_slice(), &["serve"], &["init", "--status"], &["move", "--undo"]] {
        let said = program.refused(arguments);
        assert!(said.contains("DATABASE_DIRECT_URL to PostgreSQL itself"), "{arguments:?}: {said}");
    }
}

#[test]
#[ignore = "needs PgBouncer: bash .ci/pooler"]
fn pooler_that_keeps_no_prepared_statements_is_refused() {
    let (database, cluster, bouncer) = behind_pgbouncer("max_prepared_statements = 0\n");
    let program = Program::with(&bouncer.url, database.folder.path()).set("DATABASE_DIRECT_URL", &cluster.url);
    for arguments in [["init"].as_slice(), &["serve"]] {
        let said = program.refused(arguments);
        assert!(said.contains("as PgBouncer does from 1.21 on"), "{arguments:?}: {said}");
    }
}

#[test]
#[ignore = "needs PgBouncer: bash .ci/pooler"]
fn replicas_behind_a_pooler_serve_while_each_is_replaced() {
    runtime().block_on(async {
        let (database, cluster, mut bouncer) = behind_pgbouncer(POOLED);
        let program = Program::with(&bouncer.url, database.folder.path()).set("DATABASE_DIRECT_URL", &cluster.url);
        set_parameters(&program, &cluster.url).await;
        tokio::task::block_in_place(|| bouncer.restart());
        let moved = format!("sqlite://{}", database.folder.path().join("moved.db").display());
        let followed = Followed::with(database, program.created()).await;

        let fleet = Fleet::start(&followed.program, REPLICAS).await;
        let crowd = Crowd::start(&fleet, &followed);
        sleep(Duration::from_secs(4)).await;
        for slot in 0..REPLICAS {
            fleet.kill(slot).await;
            fleet.raise(slot, &followed.program).await;
            sleep(Duration::from_secs(4)).await;
        }
        // All connections of the pooler break at once.
        tokio::task::block_in_place(|| bouncer.restart());
        sleep(Duration::from_secs(4)).await;
        crowd.enough().await;
        let ledger = crowd.rest().await;
        println!("{:#?}", ledger.counts());
        ledger.assert_faultless();
        check_cards(&fleet, &ledger, &followed).await;
        check_links(&fleet, &ledger).await;

        // A move stays away from a database that replicas use, though no connection of the pooler holds a lock.
        let said = followed.program.refused(&["move", "--to", &moved]);
        assert!(said.contains("in use"), "{said}");
        fleet.terminate();
    });
}
