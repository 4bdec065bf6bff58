//! Renditions of a photo, which the pages show: re-encoded pixels without metadata (decisions, section 7).

use std::fmt;

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

/// A point of a photo, in tenths of its width and height from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FocalPoint {
    x: u8,
    y: u8,
}

impl FocalPoint {
    /// The largest distance from the left or the top.
    pub const MAX: u8 = 10;

    /// Returns the point, if it is on the photo.
    pub fn new(x: u8, y: u8) -> Option<Self> {
        (x <= Self::MAX && y <= Self::MAX).then_some(Self { x, y })
    }

    /// Parses a point as it is stored and as forms send it: `5,2`.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (x, y) = text.split_once(',')?;
        Self::new(number(x)?, number(y)?)
    }

    pub const fn x(self) -> u8 {
        self.x
    }

    pub const fn y(self) -> u8 {
        self.y
    }

    /// The point as parts of the width and the height, from 0 to 1.
    pub fn parts(self) -> (f32, f32) {
        (f32::from(self.x) / f32::from(Self::MAX), f32::from(self.y) / f32::from(Self::MAX))
    }
}

/// The position of the face on most portraits.
impl Default for FocalPoint {
    fn default() -> Self {
        Self { x: 5, y: 2 }
    }
}

impl fmt::Display for FocalPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

#[cfg(test)]
mod tests {
    use super::{FocalPoint, *};

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

    #[test]
    fn point_on_the_photo_is_read_as_it_is_written() {
        for text in ["0,0", "5,2", "10,10"] {
            assert_eq!(FocalPoint::parse(text).map(|point| point.to_string()).as_deref(), Some(text));
        }
        for text in ["", "5", "5,", "11,0", "0,11", "-1,2", "+1,2", "5, 2", "5,2,1", "300,1"] {
            assert_eq!(FocalPoint::parse(text), None, "{text}");
        }
    }
}
