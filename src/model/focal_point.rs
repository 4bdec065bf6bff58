//! The focal point of a portrait: what stays visible where the photo is cropped (decisions S5). Not in the partner API.

use std::fmt;

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

/// Where the face is on most portraits.
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
    use super::FocalPoint;

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
