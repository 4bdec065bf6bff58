//! Step simulator: random steps of partners, the operator, the webhook workers and the receivers, on the real services and
//! database, compared with a small reference model after each step. It covers idempotency, deliveries and their order, kills and
//! failures of the store, where interleavings matter; other behaviours have direct tests.
//!
//! A seed decides every step, so a failure can be repeated: it prints the command. `model` says what must be in the database,
//! `step` makes a step and asks the model, `check` compares, `run` chooses the steps, `network` and `process` replace what
//! is outside of the service. The store may fail, or the process be killed, at any call of the store.
//!
//! SIM_STEPS=1000000 makes more steps than the default, and SIM_SEED=7 begins with another seed than 1. For long runs
//! CONTRIBUTING.md says how to compile our crate with optimisation.

#![allow(clippy::disallowed_methods)] // tests set the environment, the clock and clients of the service
#![allow(unreachable_pub)] // a test program has no users

mod check;
#[allow(dead_code)] // the conformance tests use more of it
#[path = "../app/database.rs"]
mod database;
mod input;
mod model;
mod network;
mod process;
mod random;
mod run;
mod step;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use self::database::{Database, FreshDatabase};

/// The steps of one seed.
const STEPS_PER_SEED: usize = 400;

/// The runs at the same time for each core. A run on PostgreSQL mostly waits for it.
const SQLITE_RUNS_PER_CORE: usize = 1;
const POSTGRES_RUNS_PER_CORE: usize = 3;

#[test]
fn sqlite_agrees_with_the_model() {
    steps(Database::Sqlite, 100_000);
}

#[test]
fn postgres_agrees_with_the_model() {
    steps(Database::Postgres, 3_000);
}

#[test]
fn sqlite_repeats_a_seed() {
    repeats(Database::Sqlite);
}

#[test]
fn postgres_repeats_a_seed() {
    repeats(Database::Postgres);
}

/// Runs one seed after the other until there are as many steps as asked for, or one fails.
fn steps(engine: Database, default: usize) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let steps = number("SIM_STEPS").map_or(default, |steps| steps as usize);
    let first = number("SIM_SEED").unwrap_or(1);
    let (next, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let began = std::time::Instant::now();
    let runs_per_core = match engine {
        Database::Sqlite => SQLITE_RUNS_PER_CORE,
        Database::Postgres => POSTGRES_RUNS_PER_CORE,
    };
    std::thread::scope(|scope| {
        let threads = runs_per_core * std::thread::available_parallelism().map_or(1, usize::from);
        for _ in 0..threads.min(steps.div_ceil(STEPS_PER_SEED)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let left = steps.saturating_sub(index as usize * STEPS_PER_SEED);
                    if left == 0 || failed.load(Ordering::SeqCst) {
                        return;
                    }
                    let done = run_seed(engine, first + index, left.min(STEPS_PER_SEED));
                    failed.fetch_or(done.is_none(), Ordering::SeqCst);
                }
            });
        }
    });
    assert!(!failed.into_inner(), "a run did not agree with the model");
    eprintln!("{engine:?}: {steps} steps, {:.0} a second", steps as f64 / began.elapsed().as_secs_f64());
}

fn repeats(engine: Database) {
    for seed in [1, 2] {
        let [one, other] = [(); 2].map(|()| run_seed(engine, seed, STEPS_PER_SEED).expect("it agrees"));
        let difference = one.iter().zip(&other).find(|(one, other)| one != other);
        assert_eq!((difference, one.len()), (None, other.len()), "seed {seed}");
    }
}

/// Runs a seed on an empty database.
fn run_seed(engine: Database, seed: u64, steps: usize) -> Option<run::Trace> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let database = match engine {
        Database::Sqlite => {
            // In memory if it can be: nothing here has to survive the machine.
            let memory = Some(Path::new("/dev/shm")).filter(|folder| folder.is_dir());
            let folder = memory.map_or_else(tempfile::tempdir, tempfile::tempdir_in).expect("a folder");
            FreshDatabase::new(format!("sqlite://{}", folder.path().join("card-service.db").display()), folder)
        }
        Database::Postgres => {
            let mut database = runtime.block_on(engine.fresh());
            // The process is killed, not PostgreSQL.
            database.url.push_str("%20-csynchronous_commit%3Doff");
            database
        }
    };
    let trace = run::run(engine, &database, seed, steps);
    runtime.block_on(database.drop());
    trace
}
