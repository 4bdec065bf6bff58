//! From the memory to the database, a few rows in each transaction.

use crate::base::limits;
use crate::operation::{Failure, Services};

/// Writes everything that was counted so far. What cannot be written stays, and is written with the next: a count is never
/// lost to a database that is away, and may be added twice only where a commit was not heard of.
pub async fn write(services: &Services) -> Result<(), Failure> {
    let mut drained = services.usage.drained.lock().await;
    let dropped = services.usage.drain(&mut drained);
    if dropped > 0 {
        tracing::warn!(operations = dropped, "more partners called than there is room for: their use was not counted");
    }
    loop {
        let counted = drained.first(limits::USAGE_WRITTEN_AT_ONCE);
        let count = counted.len();
        if count == 0 {
            return Ok(());
        }
        services.store.add_usage(counted).await?;
        drained.remove_first(count);
    }
}
