//! LISTEN and NOTIFY between replicas, sent after the commit: within a transaction, NOTIFY serialises all commits.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use futures_util::StreamExt as _;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::connect::Connector;
use super::pool::Connections;
use crate::base::{ErrorChain, limits};
use crate::store::error::Outage;
use crate::store::{Queue, QueueSignals, StoreError};

diesel::define_sql_function! {
    fn current_schema() -> Nullable<Text>;
}

/// Notifies the other replicas; cheap to clone. Queues that are notified during a send are sent together afterwards.
#[derive(Clone)]
pub(super) struct Notifier {
    /// One bit for each queue.
    pending: Arc<AtomicU8>,
    trigger: mpsc::Sender<()>,
}

impl Notifier {
    /// Starts a task that sends over connections of the pool, until the last clone is dropped.
    pub(super) fn start(connections: Connections) -> (Self, JoinHandle<()>) {
        let (trigger, mut triggered) = mpsc::channel(1);
        let pending = Arc::<AtomicU8>::default();
        let taken = Arc::clone(&pending);
        let notifying = tokio::spawn(async move {
            while triggered.recv().await.is_some() {
                let queues = taken.swap(0, Ordering::SeqCst);
                if let Err(error) = send(&connections, queues).await {
                    tracing::debug!(error = %ErrorChain(&error), "NOTIFY failed; the other replicas find the work when they poll");
                }
            }
        });
        (Self { pending, trigger }, notifying)
    }

    pub(super) fn notify(&self, queue: Queue) {
        self.pending.fetch_or(bit(queue), Ordering::SeqCst);
        // An error: the channel is full, so the task reads `pending` after this.
        let _ = self.trigger.try_send(());
    }
}

fn bit(queue: Queue) -> u8 {
    1 << queue as u8
}

async fn send(connections: &Connections, queues: u8) -> Result<(), StoreError> {
    let mut held = connections.take().await?;
    let sent = connections.run_bounded(held.since(), notify(&mut held, queues)).await;
    connections.settle(held, sent)
}

async fn notify(connection: &mut AsyncPgConnection, queues: u8) -> Result<(), StoreError> {
    let channel = channel(connection).await?;
    for queue in Queue::ALL.into_iter().filter(|queue| queues & bit(*queue) != 0) {
        let notify = diesel::sql_query("SELECT pg_notify($1, $2)").bind::<Text, _>(&channel);
        notify.bind::<Text, _>(queue.as_str()).execute(connection).await?;
    }
    Ok(())
}

/// Returns the channel of our schema: services that share a database but not their tables do not wake each other.
async fn channel(connection: &mut AsyncPgConnection) -> Result<String, StoreError> {
    let schema: Option<String> = diesel::select(current_schema()).get_result(connection).await?;
    Ok(format!("card_service_{}", schema.unwrap_or_default()))
}

/// Wakes the workers of this process when another replica notifies a queue. Returns when the connection fails.
pub(super) async fn listen(connector: &Connector, signals: &QueueSignals) -> Result<(), StoreError> {
    let connected = connector.connect().await;
    let mut connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
    in_time(async {
        let channel = channel(&mut connection).await?;
        Ok(connection.batch_execute(&format!("LISTEN \"{}\"", channel.replace('"', "\"\""))).await?)
    })
    .await?;
    signals.notify_all(); // for notifications that were sent before LISTEN
    loop {
        let received = {
            let mut notifications = pin!(connection.notifications_stream());
            tokio::time::timeout(limits::LISTENER_TESTED_EVERY, notifications.next()).await
        };
        match received {
            Ok(Some(notification)) => {
                let notification = notification?;
                if let Some(queue) = Queue::ALL.into_iter().find(|queue| queue.as_str() == notification.payload) {
                    signals.signal(queue).notify_one();
                }
            }
            Ok(None) => return Ok(()),
            // No notification for a while: ask whether the server still answers.
            Err(_) => in_time(async { Ok(connection.batch_execute("SELECT 1").await?) }).await?,
        }
    }
}

/// Runs a statement, and returns an error if the server does not answer in time.
async fn in_time(asked: impl Future<Output = Result<(), StoreError>>) -> Result<(), StoreError> {
    let limit = limits::DATABASE_PING;
    tokio::time::timeout(limit, asked).await.unwrap_or_else(|_| Err(Outage::TimedOut(limit).into()))
}
