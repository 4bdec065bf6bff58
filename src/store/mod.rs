//! The database, SQLite or PostgreSQL. The only module that names diesel.
//!
//! Everything that goes in or comes out is a type of `model`, or of this module.
//!
//! - `database.rs` defines [`Store`]. Its methods stand with their types and rows in a folder for each noun (`card/mod.rs`), and the
//!   SQL of each method beside them (`card/queries.rs`), in plain diesel. A row never leaves this module.
//! - `queries.rs` lists the files of queries. It is compiled once for each engine, which includes it with `#[path]` and supplies
//!   the connection and what differs.
//! - `sqlite/` reads on the calling thread, and writes on one thread with group commit. `postgres/` is a connection
//!   pool.
//!
//! No query opens a transaction: `sqlite/writer.rs` and `postgres/mod.rs` open those of writes.

#![allow(clippy::duplicate_mod)] // `queries.rs` is compiled once for each engine

mod activity;
mod audit;
mod card;
mod database;
mod delivery;
mod error;
#[cfg(feature = "simulation")]
mod fault;
mod idempotency;
mod insert;
mod invitee;
mod mail;
mod migration;
mod open;
mod order;
mod page;
mod partner;
mod photo;
mod postgres;
mod prepared_query;
mod queue;
mod row;
mod schema;
mod session;
mod sql_type;
mod sqlite;
mod subscription;
#[cfg(test)]
mod tests;
mod theme;
mod transfer;
mod version;

pub use activity::ActivityFilter;
pub use card::{CardAge, CardEffects, CardFilter, CardScope, ChangeCardError, CreateCardError, DeletedCard, NewCard};
pub use database::{PoolUse, Store};
use delivery::id_before;
pub use delivery::{
    ClaimRequest, ClaimedDelivery, DeletedDeliveries, DeliveryFilter, Finished, Lease, Outbox, Paused, Verdict,
};
use error::Result;
pub use error::StoreError;
#[cfg(feature = "simulation")]
pub use fault::{Fault, Faults};
pub use idempotency::{ClaimedCard, ClaimedKey, IdempotencyClaim, IdempotencyKey, IdempotencyOutcome, KeyReused};
pub use invitee::{Invitation, InvitationLimits, InviteeAddition, InviteeChange};
pub use mail::MailBacklog;
pub use migration::MigrationState;
pub use open::{OpenError, StoreCloser, StoreSettings, check_address, database_name, restore_backup};
pub use partner::AddSecretError;
pub use postgres::{DumpError, dump_postgres};
pub use queue::{LastAttempts, Queue, QueueSignals};
pub use session::OpenedSession;
pub use sqlite::{BackupContents, BackupDraft, BackupError, FILE_SUFFIXES, backup_part, verify_backup};
pub use subscription::{AddressHolder, ChangeSubscriptionError, CreateSubscriptionError, SubscriptionChange};
pub use transfer::{MoveError, MovedTable, move_database, undo_move};
