//! The word between replicas that something was committed to a queue: NOTIFY and LISTEN of PostgreSQL.
//!
//! Said after the commit and not in it: commits that say something wait for each other, flush of the disk included. A
//! word may get lost; workers look by themselves from time to time.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use diesel::sql_types::Text;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use futures_util::StreamExt as _;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::Conn;
use super::connect::Connector;
use super::pool::{Connections, settled};
use crate::base::{ErrorChain, limits};
use crate::store::error::Outage;
use crate::store::wakes::Queue;
use crate::store::{StoreError, Wakes};

diesel::define_sql_function! {
    fn current_schema() -> Nullable<Text>;
}

/// Tells the other replicas; cheap to clone. What is said while one is being told is told once, afterwards.
#[derive(Clone)]
pub(super) struct Notifier {
    /// One bit for each queue.
    said: Arc<AtomicU8>,
    go: mpsc::Sender<()>,
}

impl Notifier {
    /// Starts to tell, over connections of the pool, until the last clone is dropped.
    pub(super) fn start(connections: Connections) -> (Self, JoinHandle<()>) {
        let (go, mut going) = mpsc::channel(1);
        let said = Arc::<AtomicU8>::default();
        let heard = Arc::clone(&said);
        let telling = tokio::spawn(async move {
            while going.recv().await.is_some() {
                let queues = heard.swap(0, Ordering::SeqCst);
                if let Err(error) = tell(&connections, queues).await {
                    tracing::debug!(error = %ErrorChain(&error), "the other replicas were not told; they look by themselves");
                }
            }
        });
        (Self { said, go }, telling)
    }

    pub(super) fn tell(&self, queue: Queue) {
        self.said.fetch_or(bit(queue), Ordering::SeqCst);
        // A full channel holds a go that comes after this.
        let _ = self.go.try_send(());
    }
}

fn bit(queue: Queue) -> u8 {
    1 << queue as u8
}

async fn tell(connections: &Connections, queues: u8) -> Result<(), StoreError> {
    let mut held = connections.take().await?;
    let told = connections.bounded(held.since(), notify(&mut held, queues)).await;
    settled(held, told)
}

async fn notify(connection: &mut Conn, queues: u8) -> Result<(), StoreError> {
    let channel = channel(connection).await?;
    for queue in Queue::ALL.into_iter().filter(|queue| queues & bit(*queue) != 0) {
        let notify = diesel::sql_query("SELECT pg_notify($1, $2)").bind::<Text, _>(&channel);
        notify.bind::<Text, _>(queue.as_str()).execute(connection).await?;
    }
    Ok(())
}

/// The channel of our schema: services that share a database and not their tables do not wake each other.
async fn channel(connection: &mut Conn) -> Result<String, StoreError> {
    let schema: Option<String> = diesel::select(current_schema()).get_result(connection).await?;
    Ok(format!("card_service_{}", schema.unwrap_or_default()))
}

/// Wakes the workers of this process when another replica has something for them. Ends with an error only.
pub(super) async fn listen(connector: &Connector, wakes: &Wakes) -> Result<(), StoreError> {
    let connected = connector.connect().await;
    let mut connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
    answered(async {
        let channel = channel(&mut connection).await?;
        Ok(connection.batch_execute(&format!("LISTEN \"{}\"", channel.replace('"', "\"\""))).await?)
    })
    .await?;
    // Whatever was said before there was anybody to hear it.
    wakes.all();
    loop {
        let said = {
            let mut words = pin!(connection.notifications_stream());
            tokio::time::timeout(limits::LISTENER_ASKS_EVERY, words.next()).await
        };
        match said {
            Ok(Some(word)) => {
                let word = word?;
                if let Some(queue) = Queue::ALL.into_iter().find(|queue| queue.as_str() == word.payload) {
                    wakes.of(queue).wake();
                }
            }
            Ok(None) => return Ok(()),
            // Silence is what is mostly heard, of a server that is dead too.
            Err(_) => answered(async { Ok(connection.batch_execute("SELECT 1").await?) }).await?,
        }
    }
}

async fn answered(asked: impl Future<Output = Result<(), StoreError>>) -> Result<(), StoreError> {
    let limit = limits::DATABASE_SIGN_OF_LIFE;
    tokio::time::timeout(limit, asked).await.unwrap_or_else(|_| Err(Outage::Silent(limit).into()))
}
