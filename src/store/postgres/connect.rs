//! Connects to PostgreSQL within a timeout, with errors for each server.
//!
//! An address may name several servers, of which one takes writes: a primary and its standbys (`target_session_attrs=read-write`). Each
//! is tried for its share of the time, beginning with the one that was last connected to, so that a server that is silent holds up no
//! connection to the others.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use diesel_async::{AsyncPgConnection, SimpleAsyncConnection};
use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio_postgres::config::{SslMode, SslNegotiation};
use tokio_postgres::tls::{MakeTlsConnect, TlsConnect};
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::{PostgresAddress, Protection, Server};
use super::tls::{self, Plain};
use super::transfer::shared_lock;
use crate::base::{ErrorChain, limits};
use crate::store::error::Cause;

/// Why a connection failed: each server, and its error.
#[derive(Debug, thiserror::Error)]
#[error("PostgreSQL at {0}")]
pub(super) struct ConnectError(String);

/// Connects to the servers of one address.
pub(super) struct Connector {
    servers: Vec<Server>,
    /// The server to try first: the one that was last connected to.
    first: AtomicUsize,
    way: Way,
}

/// How to connect.
enum Way {
    Socket,
    Plain,
    Tls(MakeRustlsConnect),
}

impl Connector {
    /// Reads the trusted roots, if the certificate of the server is checked.
    pub(super) fn new(address: PostgresAddress) -> Result<Self, Cause> {
        let PostgresAddress { mut servers, protection } = address;
        for Server { config, .. } in &mut servers {
            match protection {
                Protection::Socket => config.ssl_mode(SslMode::Disable),
                Protection::None => config.ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct),
                Protection::Tls(_) => config.ssl_mode(SslMode::Require),
            };
        }
        let way = match &protection {
            Protection::Socket => Way::Socket,
            Protection::None => Way::Plain,
            Protection::Tls(check) => Way::Tls(MakeRustlsConnect::new(tls::client_config(check)?)),
        };
        Ok(Self { servers, first: AtomicUsize::new(0), way })
    }

    /// Connects for statements of many requests: lookups, and outcomes, whose commits do not wait for the disk. Also returns the task
    /// that sends and receives, which ends when the connection is closed.
    pub(super) async fn connect_shared(&self) -> Result<(AsyncPgConnection, JoinHandle<()>), ConnectError> {
        let setup = &(set_parameters() + "SET synchronous_commit = off;" + &shared_lock());
        self.try_each(|config| async move {
            let (client, driver) = self.establish_client(config).await?;
            let connection = AsyncPgConnection::try_from(client).await;
            let connection = connection.map_err(|error| ErrorChain(&error).to_string());
            Ok((set_up(connection?, setup).await?, driver))
        })
        .await
    }

    /// Connects for the pool or the listener.
    pub(super) async fn connect(&self) -> Result<AsyncPgConnection, ConnectError> {
        let setup = &(set_parameters() + &shared_lock());
        self.try_each(|config| async move { set_up(self.establish(config).await?, setup).await }).await
    }

    /// Connects for the migrations, whose statements have no time limit.
    pub(super) async fn connect_unbounded(&self) -> Result<AsyncPgConnection, ConnectError> {
        let setup = &(reset_parameters() + &shared_lock());
        self.try_each(|config| async move { set_up(self.establish(config).await?, setup).await }).await
    }

    /// Connects without diesel, for a move.
    pub(super) async fn client(&self) -> Result<Client, ConnectError> {
        self.try_each(|config| async move { Ok(self.establish_client(config).await?.0) }).await
    }

    async fn try_each<'a, T, F>(&'a self, make: impl Fn(&'a Config) -> F) -> Result<T, ConnectError>
    where
        F: Future<Output = Result<T, String>>,
    {
        let (first, count) = (self.first.load(Ordering::Relaxed), self.servers.len());
        let limit = limits::DATABASE_CONNECT / u32::try_from(count).unwrap_or(u32::MAX);
        let mut errors = Vec::new();
        for index in (first..count).chain(0..first) {
            let Server { config, place } = &self.servers[index];
            match tokio::time::timeout(limit, make(config)).await {
                Ok(Ok(made)) => {
                    self.first.store(index, Ordering::Relaxed);
                    return Ok(made);
                }
                Ok(Err(reason)) => errors.push(format!("{place}: {reason}")),
                Err(_) => errors.push(format!("{place}: no connection could be made within {limit:?}")),
            }
        }
        Err(ConnectError(errors.join("; ")))
    }

    async fn establish_client(&self, config: &Config) -> Result<(Client, JoinHandle<()>), String> {
        match &self.way {
            Way::Socket => client(config, NoTls).await,
            Way::Plain => client(config, Plain).await,
            Way::Tls(tls) => client(config, tls.clone()).await,
        }
    }

    async fn establish(&self, config: &Config) -> Result<AsyncPgConnection, String> {
        match &self.way {
            Way::Socket => establish(config, NoTls).await,
            Way::Plain => establish(config, Plain).await,
            Way::Tls(tls) => establish(config, tls.clone()).await,
        }
    }
}

async fn set_up(mut connection: AsyncPgConnection, setup: &str) -> Result<AsyncPgConnection, String> {
    connection.batch_execute(setup).await.map_err(|error| error.to_string())?;
    Ok(connection)
}

/// The parameters of every connection that runs statements of requests and workers. The server limits the time of statements
/// and of idle transactions, which would keep their locks. The queries assume read committed. Sequential
/// scans are off, because a plan made while a table is empty is kept, and would read the whole table after it has grown.
fn parameters() -> [(&'static str, String); 6] {
    [
        ("statement_timeout", limits::STATEMENT_WORK.as_millis().to_string()),
        ("idle_in_transaction_session_timeout", limits::TRANSACTION_IDLE.as_millis().to_string()),
        ("default_transaction_isolation", "read committed".to_owned()),
        ("enable_seqscan", "off".to_owned()),
        ("plan_cache_mode", "force_generic_plan".to_owned()),
        ("jit", "off".to_owned()),
    ]
}

/// Returns the statements that set the parameters of a session.
fn set_parameters() -> String {
    parameters().iter().map(|(name, value)| format!("SET {name} = '{value}';")).collect()
}

/// Returns the statements that undo [`set_parameters`] where they are settings of the role.
pub(super) fn reset_parameters() -> String {
    let parameters = parameters();
    // DEFAULT would be the setting of the role. The settings of the planner are the defaults of a new server.
    let value = |name: &str| match name {
        "default_transaction_isolation" => "read committed",
        "plan_cache_mode" => "auto",
        "enable_seqscan" | "jit" => "on",
        _ => "0",
    };
    parameters.iter().map(|(name, _)| format!("SET {name} = '{}';", value(name))).collect()
}

async fn establish<T>(config: &Config, tls: T) -> Result<AsyncPgConnection, String>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    let (client, connection) = connect_to(config, tls).await?;
    let connection = AsyncPgConnection::try_from_client_and_connection(client, connection).await;
    connection.map_err(|error| ErrorChain(&error).to_string())
}

/// Connects without diesel. One system call sends the statements of all tasks that are ready.
async fn client<T>(config: &Config, tls: T) -> Result<(Client, JoinHandle<()>), String>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
    T::TlsConnect: Send,
    <T::TlsConnect as TlsConnect<Socket>>::Future: Send,
{
    let (client, connection) = connect_to(config, tls).await?;
    // Ends with the client, which gets its errors.
    let driver = tokio::spawn(behind_ready_tasks(connection.map(drop)));
    Ok((client, driver))
}

/// Polls a future behind the tasks that are ready. The runtime would run it before them, since one of them has woken it; so it wakes
/// itself first, which puts it at the end of the queue.
fn behind_ready_tasks<F: Future + Unpin>(mut future: F) -> impl Future<Output = F::Output> {
    let mut is_behind = true;
    poll_fn(move |context| {
        is_behind = !is_behind;
        if is_behind {
            return Pin::new(&mut future).poll(context);
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

async fn connect_to<T>(config: &Config, tls: T) -> Result<(Client, Connection<Socket, T::Stream>), String>
where
    T: MakeTlsConnect<Socket>,
{
    config.connect(tls).await.map_err(|error| match error.as_db_error() {
        Some(refusal) => format!("the server refuses the connection: {}", refusal.message()),
        None => ErrorChain(&error).to_string(),
    })
}

#[cfg(test)]
mod tests {
    use std::task::ready;

    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn items_of_ready_tasks_are_received_at_once() {
        const TASKS: usize = 10;
        let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
        let mut lengths = Vec::new();
        let receive = poll_fn(move |context| {
            loop {
                let mut items = Vec::new();
                if ready!(receiver.poll_recv_many(context, &mut items, TASKS)) == 0 {
                    return Poll::Ready(std::mem::take(&mut lengths));
                }
                lengths.push(items.len());
            }
        });
        // On the worker, which runs the tasks only when all are spawned.
        let spawn = async move {
            (0..TASKS).for_each(|n| drop(tokio::spawn(send(sender.clone(), n))));
            let received = tokio::spawn(behind_ready_tasks(receive));
            drop(sender);
            received.await
        };
        let received = tokio::spawn(spawn).await.expect("it ends");
        assert_eq!(received.expect("it ends"), [TASKS]);
    }

    async fn send(sender: tokio::sync::mpsc::UnboundedSender<usize>, item: usize) {
        sender.send(item).expect("it is received");
    }
}
