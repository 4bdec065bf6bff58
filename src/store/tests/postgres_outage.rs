//! A PostgreSQL server that is down, or slow.

use std::future::pending;
use std::ops::ControlFlow;
use std::time::Duration;

use diesel_async::SimpleAsyncConnection;
use tokio::time::Instant;

use super::database::{TestDatabase, postgres_place, settings};
use crate::base::limits;
use crate::store::database::Database;
use crate::store::postgres::Postgres;
use crate::store::{Store, StoreError, StoreSettings};

fn is_unavailable<T: std::fmt::Debug>(outcome: Result<T, impl Into<StoreError>>) {
    match outcome.map_err(Into::into) {
        Err(StoreError::Unavailable(_)) => {}
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn server_that_is_not_there_is_unavailable() {
    let error = match Store::open(&settings("postgres://nobody:secret@127.0.0.1:1/none")).await {
        Ok(_) => panic!("nobody listens there"),
        Err(error) => error,
    };
    assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
    assert!(!format!("{error:?}").contains("secret"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pool_with_every_connection_taken_is_unavailable_until_one_comes_back() {
    let (url, _database) = postgres_place().await;
    let (store, closer) = Store::open(&StoreSettings { postgres_pool_size: 1, ..settings(&url) }).await.unwrap();
    let Database::Postgres(postgres) = &store.database else { unreachable!() };
    let held = postgres.connection().await.unwrap();
    is_unavailable(store.ping().await);
    drop(held);
    store.ping().await.unwrap();
    drop(store);
    closer.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connection_that_the_server_ends_is_replaced() {
    let db = TestDatabase::postgres().await;
    is_unavailable(db.run("SELECT pg_terminate_backend(pg_backend_pid())").await);
    tokio::time::sleep(Duration::from_millis(200)).await; // the task of the connection notices its end
    for _ in 0..3 {
        db.store.ping().await.unwrap();
    }
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_that_does_not_end_is_unavailable_and_closes_its_connection() {
    let (url, _database) = postgres_place().await;
    let (store, closer) = Store::open(&StoreSettings { postgres_pool_size: 1, ..settings(&url) }).await.unwrap();
    let Database::Postgres(postgres) = &store.database else { unreachable!() };
    let mut held = postgres.connection().await.unwrap();
    held.batch_execute("SET statement_timeout = 0").await.unwrap();
    let (since, began) = (held.since(), std::time::Instant::now());
    let work = async {
        Postgres::begin(&mut held).await?;
        Ok::<_, StoreError>(held.batch_execute("SELECT pg_sleep(60)").await?)
    };
    let out = postgres.run_bounded(since, work).await;
    let took = began.elapsed();
    is_unavailable(postgres.settle(held, out));
    assert!(took >= limits::DATABASE_WORK - Duration::from_secs(1) && took < limits::DATABASE_WORK * 2, "{took:?}");
    // Nothing has succeeded since, so other calls are refused for a short time. Then the pool opens a new connection.
    is_unavailable(store.ping().await);
    tokio::time::sleep(limits::DATABASE_GONE).await;
    store.ping().await.unwrap();
    assert_eq!(postgres.pool_use().open, 1);
    drop(store);
    closer.close().await;
}

#[tokio::test]
async fn database_is_back_with_the_first_answer_on_any_connection() {
    let db = TestDatabase::postgres().await;
    let Database::Postgres(postgres) = &db.store.database else { unreachable!() };
    let shared = postgres.shared(None).await.unwrap();
    let give_up = async || {
        tokio::time::sleep(Duration::from_millis(10)).await; // the pool's times are in milliseconds
        let work = pending::<Result<(), StoreError>>();
        assert!(postgres.run_bounded(long_ago(limits::DATABASE_WORK), work).await.is_none());
    };
    give_up().await;
    is_unavailable(postgres.connection().await.map(|_| ()));
    let answered = shared.run(async { Ok(()) }).await;
    assert!(matches!(answered, ControlFlow::Break(Ok(()))));
    postgres.connection().await.unwrap();
    give_up().await;
    is_unavailable(postgres.connection().await.map(|_| ()));
    let slow = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        Ok::<_, StoreError>(())
    };
    postgres.run_bounded(long_ago(limits::DATABASE_SLOW), slow).await.unwrap().unwrap();
    postgres.connection().await.unwrap();
    db.close().await;
}

fn long_ago(duration: Duration) -> Instant {
    Instant::now() - duration
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn statement_that_takes_too_long_is_unavailable() {
    let db = TestDatabase::postgres().await;
    let Database::Postgres(postgres) = &db.store.database else { unreachable!() };
    let mut connection = postgres.connection().await.unwrap();
    connection.batch_execute("SET statement_timeout = 50").await.unwrap();
    is_unavailable(connection.batch_execute("SELECT pg_sleep(9)").await);
    drop(connection);
    db.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transaction_that_its_caller_drops_is_rolled_back() {
    let (url, _database) = postgres_place().await;
    let (store, closer) = Store::open(&StoreSettings { postgres_pool_size: 1, ..settings(&url) }).await.unwrap();
    let Database::Postgres(postgres) = &store.database else { unreachable!() };
    let mut connection = postgres.connection().await.unwrap();
    Postgres::begin(&mut connection).await.unwrap();
    connection.batch_execute("INSERT INTO photos VALUES ('a', 1, now(), now())").await.unwrap();
    drop(connection); // as a request does when its client disconnects
    let far = super::database::later(1_000_000_000);
    assert_eq!(store.photos_unused(far, 10).await.unwrap(), []);
    drop(store);
    closer.close().await;
}
