//! Renditions of a photo, which the pages show: re-encoded pixels without metadata (decisions, section 7).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

use super::PhotoKey;
use crate::base::text_enum;

/// A width and a height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelSize {
    pub width: u32,
    pub height: u32,
}

/// A photo whose renditions exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portrait {
    pub photo: PhotoKey,
    /// The size of the screen rendition.
    pub screen: PixelSize,
}

/// The renditions of a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rendition {
    /// For the card itself.
    Screen,
    /// The same for phones.
    Phone,
    /// For lists and forms.
    Preview,
}

text_enum!(Rendition { Screen => "screen", Phone => "phone", Preview => "preview" });

impl Rendition {
    /// The key in the object store, below `rendition/`.
    ///
    /// A digest of the photo's secret key, so that a rendition does not lead to the photo, which may contain a location. It
    /// can be computed, so nothing is stored and a deleted photo's renditions can be found.
    pub fn key_of(self, photo: &PhotoKey) -> String {
        let digest = Sha256::new().chain_update(b"rendition\0").chain_update(photo.as_str()).finalize();
        format!("{}-{}.jpeg", URL_SAFE_NO_PAD.encode(digest), self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rendition_keys_differ_and_do_not_show_the_photo() {
        let photos = [PhotoKey::trusted("a.jpeg"), PhotoKey::trusted("a.png")];
        let mut keys: Vec<_> =
            photos.iter().flat_map(|photo| Rendition::ALL.map(|rendition| rendition.key_of(photo))).collect();
        assert!(keys.iter().all(|key| key.len() > 43 && key.ends_with(".jpeg")), "{keys:?}");
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 6);
    }
}
