//! Portraits in the object store, and their renditions (decisions, section 7).

use super::StoreError;
use super::engine::store_methods;
use crate::base::Timestamp;
use crate::model::{PhotoKey, PixelSize, Portrait};

store_methods! {
    /// Adds a photo, before its bytes are stored and a card shows it. If its renditions are missing at `render_at`, the
    /// worker makes them.
    pub write put_photo(key: PhotoKey, bytes: i64, now: Timestamp, render_at: Timestamp) -> Result<(), StoreError>;
    /// Returns the photos that no card has shown since `before`, longest unused first.
    pub read photos_unused(before: Timestamp, limit: usize) -> Result<Vec<PhotoKey>, StoreError>;
    /// Returns photos that a card shows, in the order of their keys, after this key.
    pub read photos_shown(after: &str, limit: usize) -> Result<Vec<PhotoKey>, StoreError>;
    /// Returns whether a photo exists and is not marked for deletion.
    pub read photo_is_there(key: &PhotoKey) -> Result<bool, StoreError>;
    /// Marks a photo that no card shows for deletion: no card can show it afterwards, so its bytes can be deleted.
    /// Returns false if a card shows it, or it does not exist. Until it is deleted, it is the first of the unused
    /// photos.
    pub write mark_photo_for_deletion(key: PhotoKey) -> Result<bool, StoreError>;
    /// Deletes a photo that is marked for deletion. Returns false if it is not marked, or does not exist.
    pub write delete_photo(key: PhotoKey) -> Result<bool, StoreError>;
    /// Claims a photo whose renditions are due until `lease`.
    pub transaction claim_photo_to_render(now: Timestamp, lease: Timestamp, attempts_max: i32)
        -> Result<Option<PhotoKey>, StoreError>;
    /// Forgets the renditions of a photo, and lets the worker make them again at `render_at`, or not at all.
    pub write forget_renditions(key: PhotoKey, render_at: Option<Timestamp>) -> Result<(), StoreError>;
    /// Takes back an attempt that failed for a reason other than the photo.
    pub write rendering_postponed(key: PhotoKey) -> Result<(), StoreError>;
    /// Records that the renditions are stored, or that none can be made (`None`). Returns false if the photo was
    /// deleted meanwhile.
    pub write photo_rendered(key: PhotoKey, screen: Option<PixelSize>) -> Result<bool, StoreError>;
    /// Returns the renditions of a photo, or `None` while it has none.
    pub read portrait(key: &PhotoKey) -> Result<Option<Portrait>, StoreError>;
}
