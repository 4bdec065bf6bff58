//! Failures under load of replicas, PostgreSQL, the object store and the disk: what clients may see, and the state
//! afterwards (decisions W3, section 4; docs/operating.md).

pub mod check;
pub mod cluster;
mod crash;
pub mod crowd;
mod failover;
pub mod fleet;
mod full_disk;
mod ledger;
mod litestream;
mod soak;
mod storm;
