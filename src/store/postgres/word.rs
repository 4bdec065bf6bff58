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

use super::{Conn, Pool, connect};
use crate::base::{Causes, limits};
use crate::store::wakes::Queue;
use crate::store::{StoreError, Wakes};

diesel::define_sql_function! {
    fn current_schema() -> Nullable<Text>;
}

/// Tells the other replicas; cheap to clone. What is said while one is being told is told once, afterwards.
#[derive(Clone)]
pub(super) struct Teller {
    /// One bit for each queue.
    said: Arc<AtomicU8>,
    go: mpsc::Sender<()>,
}

impl Teller {
    /// Starts to tell, over connections of the pool, until the last clone is dropped.
    pub(super) fn start(pool: Pool<Conn>) -> (Self, JoinHandle<()>) {
        let (go, mut going) = mpsc::channel(1);
        let said = Arc::<AtomicU8>::default();
        let heard = Arc::clone(&said);
        let telling = tokio::spawn(async move {
            while going.recv().await.is_some() {
                let queues = heard.swap(0, Ordering::SeqCst);
                if let Err(error) = tell(&pool, queues).await {
                    tracing::debug!(error = %Causes(&error), "the other replicas were not told; they look by themselves");
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

async fn tell(pool: &Pool<Conn>, queues: u8) -> Result<(), StoreError> {
    let mut connection = pool.get().await.map_err(|error| StoreError::Unavailable(error.into()))?;
    let channel = channel(&mut connection).await?;
    for queue in Queue::ALL.into_iter().filter(|queue| queues & bit(*queue) != 0) {
        let notify = diesel::sql_query("SELECT pg_notify($1, $2)").bind::<Text, _>(&channel);
        notify.bind::<Text, _>(queue.as_str()).execute(&mut connection).await?;
    }
    Ok(())
}

/// The channel of our schema: services that share a database and not their tables do not wake each other.
async fn channel(connection: &mut Conn) -> Result<String, StoreError> {
    let schema: Option<String> = diesel::select(current_schema()).get_result(connection).await?;
    Ok(format!("card_service_{}", schema.unwrap_or_default()))
}

/// Wakes the workers of this process when another replica has something for them. Ends with an error only.
pub(super) async fn listen(url: &str, wakes: &Wakes) -> Result<(), StoreError> {
    let connected = tokio::time::timeout(limits::DATABASE_WAIT, connect(url)).await;
    let connected = connected.map_err(|elapsed| StoreError::Unavailable(elapsed.into()))?;
    let mut connection = connected.map_err(|error| StoreError::Unavailable(error.into()))?;
    let channel = channel(&mut connection).await?;
    connection.batch_execute(&format!("LISTEN \"{}\"", channel.replace('"', "\"\""))).await?;
    // Whatever was said before there was anybody to hear it.
    wakes.all();
    let mut words = pin!(connection.notifications_stream());
    while let Some(word) = words.next().await {
        let word = word?;
        if let Some(queue) = Queue::ALL.into_iter().find(|queue| queue.as_str() == word.payload) {
            wakes.of(queue).wake();
        }
    }
    Ok(())
}
