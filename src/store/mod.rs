//! Rows and queries, on SQLite and on PostgreSQL: the only place that names diesel (design 3).
//!
//! Called by the operations, which hold a [`Store`]; everything that goes in or comes out is a type of `model`.
//!
//! - `dispatch.rs` lists every operation of the store, one line each.
//! - `queries/` holds the queries. They are written once, in plain diesel, and compiled twice: each engine includes the
//!   folder with `#[path]` and supplies `Conn`, `Db`, `RunQueryDsl` and what differs between the two.
//! - `sqlite/` reads in place and writes on one thread with group commit; `postgres.rs` is a pool.
//! - `row/`, `schema.rs` and `sql_type.rs` are one set for both engines. A row never leaves this module.
//!
//! No query opens a transaction: the store runs each unit of work inside one, the same way on both engines.

#![allow(clippy::duplicate_mod)] // `queries/` is compiled once per engine, on purpose

mod audit;
mod card;
mod delivery;
mod dispatch;
mod error;
mod idempotency;
mod invitee;
mod migration;
mod open;
mod operations;
mod operator;
mod page;
mod postgres;
mod prepared_query;
mod row;
mod schema;
mod session;
mod sql_type;
mod sqlite;
mod subscription;
#[cfg(test)]
mod tests;
mod wakes;
mod webhook_secret;

pub use audit::Auditor;
pub use card::{CardEffects, CardScope, ChangeCardError, CreateCardError, CreatedCard, NewCard};
pub use delivery::{ClaimOrder, ClaimedDelivery, DueSubscription, Finished, Lease, Paused, SweptDeliveries, Verdict};
pub use dispatch::Store;
pub use error::StoreError;
pub use idempotency::{IdempotencyClaim, IdempotencyKey, IdempotencyRecord};
pub use invitee::{Invitation, InvitationLimits, InviteeAddition};
pub use open::{OpenError, StoreCloser, StoreSettings, check_address, database_name};
pub use operator::{DeletedCard, MailBacklog, Outbox, PoolUse};
pub use session::OpenedSession;
pub use sqlite::{BackedUp, BackupContents, BackupError, backup_part};
pub use subscription::{ChangeCallbackError, CreateSubscriptionError};
pub use wakes::{Queue, Wakes};
pub use webhook_secret::AddSecretError;
