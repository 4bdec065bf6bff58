//! Quotas: how much a subject has used since its window began.
//!
//! A subject is a partner and key mode (photo bytes in a day), or a browser session (photos in an hour).

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;

store_methods! {
    /// Uses `amount` of a quota of `max`. Its window began after `not_before`, or begins `now`. Returns `None` if it
    /// was used; otherwise uses nothing and returns when the window began.
    pub transaction use_quota(subject: String, amount: i64, max: i64, not_before: Timestamp, now: Timestamp)
        -> Result<Option<Timestamp>, StoreError>;
    /// Deletes the quotas whose window began before this time, and counts them.
    pub write delete_expired_quotas(before: Timestamp) -> Result<usize, StoreError>;
}
