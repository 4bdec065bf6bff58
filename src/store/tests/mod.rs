//! Tests of the store on SQLite and on PostgreSQL: concurrent writes, failed writes, and query plans.
//!
//! `conformance/` tests what partners see. Each test creates its own database; PostgreSQL is the server at
//! `TEST_POSTGRES_URL`.

/// Runs each test on an empty database of each engine.
macro_rules! on_both_engines {
    ($($test:ident,)*) => {
        mod sqlite {
            use crate::store::tests::database::TestDatabase;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let database = TestDatabase::sqlite().await;
                super::$test(&database).await;
                database.close().await;
            })*
        }
        mod postgres {
            use crate::store::tests::database::TestDatabase;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                let database = TestDatabase::postgres().await;
                super::$test(&database).await;
                database.close().await;
            })*
        }
    };
}

mod audit;
mod card_change;
mod concurrent;
mod database;
mod delivery;
mod every_statement;
mod idempotency;
mod invitee;
mod mail;
mod migration;
mod open;
mod operator_statement;
mod photo;
mod postgres_outage;
mod postgres_plan;
mod retention;
mod sqlite_plan;
mod sqlite_writer;
mod theme;
