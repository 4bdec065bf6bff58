//! Crops a photo around its focal point.

use crate::model::{FocalPoint, PixelSize};

/// Returns width divided by height.
pub(crate) fn ratio(photo: PixelSize) -> f32 {
    photo.width.max(1) as f32 / photo.height.max(1) as f32
}

/// Places a photo that fills a frame. `frame` is width divided by height. Returns which share of the cropped width is cut off on the
/// left, and of the cropped height at the top, from 0 to 1. The focal point is in the middle of the frame, or as near as possible.
pub(crate) fn placement(point: FocalPoint, photo: PixelSize, frame: f32) -> (f32, f32) {
    let ((x, y), ratio) = (point.parts(), ratio(photo));
    (placement_along(x, ratio / frame), placement_along(y, frame / ratio))
}

/// The same along one axis, on which the photo is `length` times as long as the frame.
fn placement_along(point: f32, length: f32) -> f32 {
    if length <= 1.0 { 0.5 } else { ((point * length - 0.5) / (length - 1.0)).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn focal_point_is_in_the_middle_as_far_as_the_photo_reaches() {
        for (width, height, chosen, frame, expected) in [
            (4_000, 1_000, "8,5", 1.0, (0.9, 0.5)), // 3200 of 4000, in the middle of 2700 to 3700
            (4_000, 1_000, "5,0", 1.0, (0.5, 0.5)),
            (4_000, 1_000, "10,5", 1.0, (1.0, 0.5)), // at the edge
            (1_000, 2_000, "5,4", 1.0, (0.5, 0.3)),  // 800 of 2000, in the middle of 300 to 1300
            (1_000, 2_000, "0,0", 1.0, (0.5, 0.0)),
            (1_000, 1_000, "9,1", 1.0, (0.5, 0.5)), // nothing is cut off
            (3_000, 1_000, "4,5", 2.0, (0.2, 0.5)), // 1200 of 3000, in the middle of 200 to 2200
        ] {
            let (x, y) = placement(FocalPoint::parse(chosen).expect("a point"), PixelSize { width, height }, frame);
            let is_near = (x - expected.0).abs() < 0.001 && (y - expected.1).abs() < 0.001;
            assert!(is_near, "{chosen} of {width}x{height} is at {x}, {y}");
        }
    }
}
