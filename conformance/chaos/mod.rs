//! What the service rests on fails under load: replicas, PostgreSQL, the object store, the disk. What clients may see of it,
//! and what must be so afterwards (decisions W3, section 4; docs/operating.md).

mod check;
pub mod cluster;
mod crowd;
mod fleet;
mod full_disk;
mod ledger;
mod soak;
mod storm;
mod upgrade;
