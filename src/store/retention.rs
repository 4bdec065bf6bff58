//! Data that is older than it may be kept: found and deleted, a batch at a time.

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::CardStatus;

/// What decides whether a card is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CardAge {
    pub id: Uuid,
    pub status: CardStatus,
    pub updated_at: Timestamp,
    pub activated_at: Option<Timestamp>,
}

store_methods! {
    /// Returns at most so many cards that were created before a time, in the order of their ids, from the one after `after`.
    pub read card_ages(after: Uuid, created_before: Timestamp, count_max: i64) -> Result<Vec<CardAge>, StoreError>;
    /// Counts the events before a time.
    pub read events_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Deletes at most so many of the oldest events before a time, and counts them.
    pub write delete_events_before(before: Timestamp, at_most: i64) -> Result<usize, StoreError>;
    /// Counts the audit records before a time.
    pub read audit_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Deletes at most so many of the oldest audit records before a time, and counts them.
    pub write delete_audit_before(before: Timestamp, at_most: i64) -> Result<usize, StoreError>;
    /// Counts the session links that ended before a time.
    pub read session_links_before(before: Timestamp) -> Result<i64, StoreError>;
    /// Deletes at most so many of the session links that ended before a time, and counts them.
    pub write delete_session_links_before(before: Timestamp, at_most: i64) -> Result<usize, StoreError>;
}
