//! Who uses what of the schema: counted while requests run, written every minute, and told to the operator.
//!
//! What counts is an operation that was let through and began to run: a request that is refused, and an answer that is sent
//! again under its idempotency key, count nothing. Called by `http` (which counts), by a worker of `delivery` (which
//! writes) and by the commands of the operator (which read).

mod report;
mod write;

pub use report::{LiveUse, Report, day, last_live_uses, report};
pub use write::write;
