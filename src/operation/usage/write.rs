//! From the memory to the database, a few rows in each transaction.

use crate::base::limits;
use crate::operation::{Failure, Services};

/// Writes everything that was counted so far. What cannot be written stays, and is written with the next: a count is never
/// lost to a database that is away, and may be added twice only where a commit was not heard of.
pub async fn write(services: &Services) -> Result<(), Failure> {
    let mut taken = services.usage.taken.lock().await;
    let missed = services.usage.take_down(&mut taken);
    if missed > 0 {
        tracing::warn!(operations = missed, "more partners called than there is room for: their use was not counted");
    }
    loop {
        let counted = taken.first(limits::USAGE_WRITTEN_AT_ONCE);
        let count = counted.len();
        if count == 0 {
            return Ok(());
        }
        services.store.add_usage(counted).await?;
        taken.forget(count);
    }
}
