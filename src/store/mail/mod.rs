//! The mail queue (decisions S10).

use uuid::Uuid;

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{Mail, MailStateKind};

/// The state of the mail queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MailBacklog {
    /// Mails that are not sent, refused or given up, including those that wait for a card to come online.
    pub queued: i64,
    /// When the oldest mail with a failed attempt was queued, or the earliest due time. May be in the future.
    pub waiting_since: Option<Timestamp>,
}

store_methods! {
    /// Adds a mail in a transaction of its own. A mail that has a cause is written in the transaction of its cause.
    pub write queue_mail(mail: Mail) -> Result<(), StoreError>;
    /// Claims the mail with the earliest due time until `lease`.
    pub transaction claim_mail(now: Timestamp, lease: Timestamp) -> Result<Option<Mail>, StoreError>;
    /// Records that a claimed mail was sent, counts it for its invitee, and queues the mail that follows it. Returns false
    /// and writes nothing if another worker has claimed the mail since.
    pub transaction mail_sent(mail: Mail, now: Timestamp, next: Option<Mail>) -> Result<bool, StoreError>;
    /// Puts a claimed mail back with its answer. Returns false if another worker has claimed it since.
    pub write mail_postponed(mail: Mail, due_at: Timestamp, attempts: i32) -> Result<bool, StoreError>;
    /// Gives up a claimed mail with its answer, because it was refused or for another reason. Returns false if another
    /// worker has claimed it since.
    pub write mail_failed(mail: Mail, now: Timestamp, refused: bool) -> Result<bool, StoreError>;
    /// Returns the state of the queue.
    pub read mail_backlog() -> Result<MailBacklog, StoreError>;
    /// Returns whether a mail was given up since this time, or one to the address of an order was refused.
    pub read mail_lost_since(since: Timestamp) -> Result<bool, StoreError>;
    /// Returns the mail with this id.
    pub read mail(id: Uuid) -> Result<Option<Mail>, StoreError>;
    /// Returns at most `count_max` mails, newest first; only those in `state` if there is one.
    pub read latest_mails(state: Option<MailStateKind>, count_max: usize) -> Result<Vec<Mail>, StoreError>;
    /// Returns the mails about a card, oldest first.
    pub read mails_of(card_id: Uuid) -> Result<Vec<Mail>, StoreError>;
    /// Deletes the mails that were queued before this time and are sent, refused or given up, and counts them.
    pub write delete_expired_mails(before: Timestamp) -> Result<usize, StoreError>;
}
