//! Runs a test body on a new test app, and cleans up after success and failure.

use std::future::Future;
use std::panic::resume_unwind;

use card_service::base::FrontLimits;
use tokio::task::JoinError;
use tracing_subscriber::filter::LevelFilter;

use super::{Database, FreshDatabase, TestApp};

/// Writes each test once and runs it on both databases: `name::sqlite` and `name::postgres`. A test takes the running
/// server, or an empty database to start the binary on.
macro_rules! on_both_databases {
    ($($(#[$note:meta])* async fn $name:ident($given:ident: $kind:ident) $body:block)+) => {$(
        $(#[$note])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn body($given: $kind) $body

            #[test]
            fn sqlite() {
                $crate::app::start_with!($kind, $crate::app::Database::Sqlite, module_path!(), body);
            }

            #[test]
            fn postgres() {
                $crate::app::start_with!($kind, $crate::app::Database::Postgres, module_path!(), body);
            }
        }
    )+};
}

macro_rules! start_with {
    (TestApp, $database:expr, $name:expr, $body:expr) => {
        $crate::app::run($database, concat!($name, stringify!($database)), $body)
    };
    (FreshDatabase, $database:expr, $name:expr, $body:expr) => {
        $crate::app::run_alone($database, $body)
    };
}

pub(crate) use start_with;

/// The same on SQLite only, for behaviour that does not depend on the database.
macro_rules! on_sqlite {
    ($($(#[$note:meta])* async fn $name:ident($app:ident: $kind:ident) $body:block)+) => {$(
        $(#[$note])*
        #[test]
        fn $name() {
            async fn body($app: $kind) $body
            $crate::app::start_with!(
                $kind,
                $crate::app::Database::Sqlite,
                concat!(module_path!(), "::", stringify!($name)),
                body
            );
        }
    )+};
}

/// Runs `body` on a new app; `name` seeds its randomness.
pub fn run<F>(database: Database, name: &'static str, body: impl FnOnce(TestApp) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    show_log();
    let outcome = runtime().block_on(async {
        let database = database.empty().await;
        let given = database.clone();
        let outcome = tokio::spawn(async move { body(TestApp::start(&given, name).await).await }).await;
        // A failed test may have left anything.
        if outcome.is_ok() {
            database.give_back().await
        } else {
            database.drop().await
        }
        outcome
    });
    pass_panic_on(outcome);
}

/// Runs `body` on SQLite and a server with these connection limits.
pub fn run_within<F>(name: &'static str, front: FrontLimits, body: impl FnOnce(TestApp) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    run_alone(Database::Sqlite, async move |fresh| {
        body(TestApp::start_within(&fresh, name, &[], front).await).await;
    });
}

/// Runs `body` with an empty database and no server: for tests that start the binary or servers themselves.
pub fn run_alone<F>(database: Database, body: impl FnOnce(FreshDatabase) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    show_log();
    let outcome = runtime().block_on(async {
        let fresh = database.fresh().await;
        let outcome = tokio::spawn(body(fresh.clone())).await;
        fresh.drop().await;
        outcome
    });
    pass_panic_on(outcome);
}

/// `RUST_LOG=debug cargo test …` shows what the server logged in a failing test.
fn show_log() {
    let level = std::env::var("RUST_LOG").ok().and_then(|level| level.parse().ok()).unwrap_or(LevelFilter::ERROR);
    let _ = tracing_subscriber::fmt().with_max_level(level).with_test_writer().try_init();
}

fn pass_panic_on(outcome: Result<(), JoinError>) {
    if let Err(failure) = outcome {
        resume_unwind(failure.into_panic());
    }
}

/// The runtime of a test.
pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts")
}
