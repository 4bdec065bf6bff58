//! What the store does for the operator alone; `operations.rs` says how these lines are read.

use std::path::PathBuf;

use uuid::Uuid;

use super::dispatch::Engine;
use super::operations::operations;
use super::sqlite::BackedUp;
use super::{Store, StoreError};
use crate::base::Timestamp;
use crate::model::{AccessKey, AuditRecord, Card, OpenSession, OrderLine, PhotoKey, SessionsOf, Theme};

/// What a deletion leaves to be done outside the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedCard {
    pub partner_id: Uuid,
    /// Its portrait, which no card shows any more.
    pub photo: Option<PhotoKey>,
    /// How many people were on its list.
    pub invitees: usize,
}

/// How the outbox fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outbox {
    /// Notifications that are neither delivered nor given up.
    pub unfinished: i64,
    /// Since when the longest due of them has been due, but for paused subscriptions; it may lie ahead.
    pub due_since: Option<Timestamp>,
}

/// How the mail queue fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailBacklog {
    /// Mails that are neither sent nor refused nor given up; those that wait for a card to come online too.
    pub queued: i64,
    /// When the oldest mail was queued of which an attempt failed, or since when the first has been due; it may lie ahead.
    pub waiting_since: Option<Timestamp>,
}

/// The connections of this replica to PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolUse {
    pub max: usize,
    pub open: usize,
    pub idle: usize,
}

impl Store {
    /// Writes a copy of an SQLite database into a new file while everything goes on. Returns what the copy holds, or None
    /// if the database is PostgreSQL, which has its own tools for that.
    pub async fn back_up(&self, to: PathBuf) -> Result<Option<BackedUp>, StoreError> {
        let Engine::Sqlite(db) = &self.engine else { return Ok(None) };
        let db = db.clone();
        let copied = tokio::task::spawn_blocking(move || db.back_up(&to)).await;
        Ok(Some(copied.map_err(|panic| StoreError::Failed(panic.into()))??))
    }

    /// How many connections to PostgreSQL there are; SQLite has none.
    pub fn pool_use(&self) -> Option<PoolUse> {
        match &self.engine {
            Engine::Sqlite(_) => None,
            Engine::Postgres(db) => Some(db.pool_use()),
        }
    }
}

operations! {
    /// How the outbox fares.
    pub read outbox() -> Result<Outbox, StoreError>;
    /// Whether any live key opens the door at `now`.
    pub read live_key_exists(now: Timestamp) -> Result<bool, StoreError>;
    /// Blocks a partner, or lets it in again; false when it is so already.
    pub write set_partner_blocked(id: Uuid, blocked: bool) -> Result<bool, StoreError>;
    /// Adds a key, and lets an old one end at `old_ends` unless it ends before; false when that one is not valid then.
    pub transaction rotate_key(new: AccessKey, old_id: Uuid, old_ends: Timestamp) -> Result<bool, StoreError>;

    /// The unused links and the visits that are open at `now`.
    pub read open_sessions(of: SessionsOf, now: Timestamp) -> Result<Vec<OpenSession>, StoreError>;
    /// Ends them; counts them.
    pub transaction end_sessions(of: SessionsOf, now: Timestamp) -> Result<usize, StoreError>;

    /// Every theme in the operator's order, and since when it is retired.
    pub read all_themes() -> Result<Vec<(Theme, Option<Timestamp>)>, StoreError>;
    /// Whether a theme cannot be chosen any more.
    pub read theme_is_retired(id: Uuid) -> Result<bool, StoreError>;
    /// Retires a theme, or takes that back; false when it is so already.
    pub write retire_theme(id: Uuid, at: Option<Timestamp>) -> Result<bool, StoreError>;

    /// The cards with exactly this dossier number, whoever's.
    pub read cards_of_dossier(external_dossier_id: &str) -> Result<Vec<Card>, StoreError>;
    /// The id of the card that was ordered under this number.
    pub read card_of_order(number: &str) -> Result<Option<Uuid>, StoreError>;
    /// The live orders from `from` on and before `to`.
    pub read order_lines(from: Timestamp, to: Timestamp) -> Result<Vec<OrderLine>, StoreError>;

    /// Deletes a card with everything personal that hangs on it; `None`: there is no such card.
    pub transaction delete_card(id: Uuid, now: Timestamp) -> Result<Option<DeletedCard>, StoreError>;
    /// The test cards of a partner that were made before a moment, oldest first.
    pub read test_cards(partner_id: Uuid, before: Timestamp) -> Result<Vec<Uuid>, StoreError>;
    /// Takes everybody off the list of a card, with the counts of their invitations; counts them.
    pub transaction purge_invitees_of(card_id: Uuid) -> Result<usize, StoreError>;
    /// How many people were put on a list before a moment.
    pub read invitees_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Takes some of them off, so many at the most; counts them. None are left when it says fewer.
    pub transaction purge_some_invitees_before(before: Timestamp, at_most: i64) -> Result<usize, StoreError>;

    /// What the operator did since a moment, newest first.
    pub read audit_since(since: Timestamp, limit: usize) -> Result<Vec<AuditRecord>, StoreError>;
    /// Writes nothing, through an audited handle its note alone: for what takes data out.
    pub transaction note_alone() -> Result<(), StoreError>;
}
