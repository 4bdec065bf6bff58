//! Looks up the keys of concurrent fields together: one lookup for a field of a list, not one for each item (N+1).
//!
//! [`Loader::load`] adds its key to the open batch and lets the executor poll the other fields, which add theirs. The first
//! field that goes on closes the batch and looks up all of its keys; the others wait for it and go on together, so that their
//! next lookups are one batch too. If that field is dropped, another one looks the keys up. Nothing
//! is kept between batches, so a mutation is never answered with old values.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::sync::OnceCell;

use super::error::FieldError;

/// Batches lookups by key. Belongs to the context of a request: a loader is shared by the fields of one request only.
///
/// ```
/// use std::collections::HashMap;
///
/// use dated_graphql::{FieldError, Loader};
///
/// struct Context {
///     names: Loader<u32, String>,
/// }
///
/// /// Looks up the names of all ids of a batch: one query of a database.
/// async fn find_names(ids: Vec<u32>) -> Result<HashMap<u32, String>, FieldError> {
///     Ok(ids.into_iter().map(|id| (id, format!("number {id}"))).collect())
/// }
///
/// async fn name(cx: &Context, id: u32) -> Result<Option<String>, FieldError> {
///     cx.names.load(id, find_names).await
/// }
/// ```
#[derive(Debug)]
pub struct Loader<K, V> {
    open: Mutex<Arc<Batch<K, V>>>,
}

#[derive(Debug)]
struct Batch<K, V> {
    keys: Mutex<HashSet<K>>,
    found: OnceCell<Found<K, V>>,
}

type Found<K, V> = Result<HashMap<K, V>, FieldError>;

impl<K, V> Default for Batch<K, V> {
    fn default() -> Self {
        Self { keys: Mutex::default(), found: OnceCell::new() }
    }
}

impl<K, V> Default for Loader<K, V> {
    fn default() -> Self {
        Self { open: Mutex::default() }
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Loader<K, V> {
    /// Returns the value of a key; `None` if `find` does not find it. `find` gets every key of the batch once, and has to be
    /// the same lookup in all calls on this loader. Its error is the error of every field of the batch.
    pub async fn load<F: Future<Output = Found<K, V>>>(
        &self,
        key: K,
        find: impl FnOnce(Vec<K>) -> F,
    ) -> Result<Option<V>, FieldError> {
        let batch = {
            let open = lock(&self.open);
            lock(&open.keys).insert(key.clone());
            Arc::clone(&open)
        };
        yield_once().await;
        let find = || async { find(self.close(&batch)).await };
        match batch.found.get_or_init(find).await {
            Ok(values) => Ok(values.get(&key).cloned()),
            Err(error) => Err(error.clone()),
        }
    }

    /// Replaces the batch if it is open; returns its keys.
    fn close(&self, batch: &Arc<Batch<K, V>>) -> Vec<K> {
        let mut open = lock(&self.open);
        if Arc::ptr_eq(&open, batch) {
            drop(mem::take(&mut *open));
        }
        lock(&batch.keys).iter().cloned().collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the executor poll the other fields of the request.
async fn yield_once() {
    let mut yielded = false;
    std::future::poll_fn(|cx| {
        if mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
