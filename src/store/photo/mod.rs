//! Portraits in the object store, with their renditions (decisions, section 7), and quotas of photos.
//!
//! The subject of a quota is a partner and key mode (photo bytes in a day), or a browser session (photos in an hour).

use super::audit::{always, if_any, if_true};
use super::database::{Unit, query};
use super::{Result, Store};
use crate::base::Timestamp;
use crate::model::{Card, PhotoKey, PixelSize, Portrait};

impl Store {
    /// Adds a photo, before its bytes are stored and a card shows it. If its renditions are missing at `render_at`, the
    /// worker makes them.
    pub async fn put_photo(&self, key: PhotoKey, bytes: i64, now: Timestamp, render_at: Timestamp) -> Result<()> {
        query!(self.write(Unit::Statement, always), put_photo(key, bytes, now, render_at))
    }

    /// Returns the photos that no card has shown since `before`, longest unused first.
    pub async fn photos_unused(&self, before: Timestamp, limit: usize) -> Result<Vec<PhotoKey>> {
        query!(self.read(), photos_unused(before, limit))
    }

    /// Returns photos that a card shows, in the order of their keys, after this key.
    pub async fn photos_shown(&self, after: &str, limit: usize) -> Result<Vec<PhotoKey>> {
        query!(self.read(), photos_shown(after, limit))
    }

    /// Returns whether a photo exists and is not marked for deletion.
    pub async fn photo_is_there(&self, key: &PhotoKey) -> Result<bool> {
        query!(self.read(), photo_is_there(key))
    }

    /// Marks a photo that no card shows for deletion: no card can show it afterwards, so its bytes can be deleted.
    /// Returns false if a card shows it, or it does not exist. Until it is deleted, it is the first of the unused
    /// photos.
    pub async fn mark_photo_for_deletion(&self, key: PhotoKey) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), mark_photo_for_deletion(key))
    }

    /// Deletes a photo that is marked for deletion. Returns false if it is not marked, or does not exist.
    pub async fn delete_photo(&self, key: PhotoKey) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), delete_photo(key))
    }

    /// Claims a photo whose renditions are due until `lease`.
    pub async fn claim_photo_to_render(
        &self,
        now: Timestamp,
        lease: Timestamp,
        attempts_max: i32,
    ) -> Result<Option<PhotoKey>> {
        query!(self.write(Unit::Transaction, Option::is_some), claim_photo_to_render(now, lease, attempts_max))
    }

    /// Forgets the renditions of a photo, and lets the worker make them again at `render_at`, or not at all.
    pub async fn forget_renditions(&self, key: PhotoKey, render_at: Option<Timestamp>) -> Result<()> {
        query!(self.write(Unit::Statement, always), forget_renditions(key, render_at))
    }

    /// Takes back an attempt that failed for a reason other than the photo.
    pub async fn postpone_rendering(&self, key: PhotoKey) -> Result<()> {
        query!(self.write(Unit::Statement, always), postpone_rendering(key))
    }

    /// Records that the renditions are stored, or that none can be made (`None`). Returns false if the photo was
    /// deleted meanwhile.
    pub async fn record_rendering(&self, key: PhotoKey, screen: Option<PixelSize>) -> Result<bool> {
        query!(self.write(Unit::Statement, if_true), record_rendering(key, screen))
    }

    /// Returns the renditions of a photo, or `None` while it has none.
    pub async fn portrait(&self, key: &PhotoKey) -> Result<Option<Portrait>> {
        query!(self.read(), portrait(key))
    }

    /// Returns the renditions of the photo of a card.
    pub async fn portrait_of(&self, card: &Card) -> Result<Option<Portrait>> {
        match &card.deceased.photo {
            Some(key) => self.portrait(key).await,
            None => Ok(None),
        }
    }

    /// Uses `amount` of a quota of `max`. Its window began after `not_before`, or begins `now`. Returns `None` if it
    /// was used; otherwise uses nothing and returns when the window began.
    pub async fn use_quota(
        &self,
        subject: String,
        amount: i64,
        max: i64,
        not_before: Timestamp,
        now: Timestamp,
    ) -> Result<Option<Timestamp>> {
        query!(self.write(Unit::Transaction, Option::is_none), use_quota(subject, amount, max, not_before, now))
    }

    /// Deletes the quotas whose window began before this time, and counts them.
    pub async fn delete_expired_quotas(&self, before: Timestamp) -> Result<usize> {
        query!(self.write(Unit::Statement, if_any), delete_expired_quotas(before))
    }
}
