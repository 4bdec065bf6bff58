//! Portraits: the stored photos, and since when no card shows one (decisions, section 7).

use std::collections::btree_map::Entry;

use bytes::Bytes;
use card_service::base::{Timestamp, limits};
use card_service::model::PhotoKey;
use uuid::Uuid;

use super::Model;

/// A stored photo.
#[derive(Clone)]
pub struct Photo {
    pub bytes: Bytes,
    pub shown: Shown,
}

/// Where a photo is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    By(Uuid),
    /// By no card, since this time.
    Not(Timestamp),
}

/// The key of a photo that was just fetched from an address or uploaded; the service chooses the real one.
pub fn new(source: &str) -> PhotoKey {
    PhotoKey::trusted(source)
}

/// Where a new photo comes from, if the key is not a real one.
pub fn source(key: &PhotoKey) -> Option<&str> {
    Some(key.as_str()).filter(|text| text.contains('/'))
}

impl Model {
    /// Records the photo that a card shows now; the one before is unused.
    pub fn show_photo(&mut self, card_id: Uuid, key: Option<&PhotoKey>, now: Timestamp) {
        for (other, photo) in &mut self.photos {
            if photo.shown == Shown::By(card_id) && Some(other.as_str()) != key.map(PhotoKey::as_str) {
                photo.shown = Shown::Not(now);
            }
        }
    }

    /// Records a new photo.
    pub fn keep_photo(&mut self, key: &PhotoKey, bytes: Bytes, shown: Shown) {
        let Entry::Vacant(free) = self.photos.entry(key.as_str().to_owned()) else { panic!("{key:?} is not new") };
        free.insert(Photo { bytes, shown });
    }

    /// Deletes the photos that were unused for long, as housekeeping does. Returns their keys.
    pub fn delete_photos(&mut self, now: Timestamp) -> Vec<String> {
        let before = now.before(limits::PHOTO_UNUSED);
        let is_old = |photo: &Photo| matches!(photo.shown, Shown::Not(since) if since < before);
        let old = self.photos.iter().filter(|(_, photo)| is_old(photo)).map(|(key, _)| key.clone()).collect();
        self.photos.retain(|_, photo| !is_old(photo));
        old
    }

    /// Takes an upload from the quota of a browser session. Returns whether it had one.
    pub fn take_upload(&mut self, session: [u8; 32], now: Timestamp) -> bool {
        let (began, used) = self.uploads.entry(session).or_insert((now, 0));
        if *began <= now.before(limits::UPLOADS_WINDOW) {
            (*began, *used) = (now, 0);
        }
        *used += 1;
        let may = *used <= limits::UPLOADS_PER_SESSION_HOUR;
        *used = (*used).min(limits::UPLOADS_PER_SESSION_HOUR);
        may
    }
}
