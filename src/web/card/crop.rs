//! How a photo is cropped: around its focal point, and a very high or wide one to a shape between 3:4 and 3:2.
//!
//! The style sheets of the card and of the other pages have a class for each position, because a page has no inline style.

use crate::model::{FocalPoint, Layout, PixelSize};

/// The limits of width through height.
const TALL: f32 = 3.0 / 4.0;
const WIDE: f32 = 3.0 / 2.0;
/// The distance between the positions that have a class, in percent.
const STEP: u32 = 5;

/// The shape of a photo on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Shown whole.
    Whole,
    /// Higher than 3:4, to which it is cropped.
    Tall,
    /// Wider than 3:2, to which it is cropped.
    Wide,
}

impl Shape {
    fn of(photo: PixelSize) -> Self {
        match ratio(photo) {
            ratio if ratio < TALL * 0.99 => Shape::Tall,
            ratio if ratio > WIDE * 1.01 => Shape::Wide,
            _ => Shape::Whole,
        }
    }
}

fn ratio(photo: PixelSize) -> f32 {
    photo.width.max(1) as f32 / photo.height.max(1) as f32
}

/// Returns where a photo is placed in a frame of this width through height that it fills: the parts of what is cut off that are
/// on the left and at the top. The focal point is then in the middle of the frame, or as near to it as the photo reaches.
pub(super) fn placement(point: FocalPoint, photo: PixelSize, frame: f32) -> (f32, f32) {
    let ((x, y), ratio) = (point.parts(), ratio(photo));
    (placement_along(x, ratio / frame), placement_along(y, frame / ratio))
}

/// The same along one axis, on which the photo is `length` times as long as the frame.
fn placement_along(point: f32, length: f32) -> f32 {
    if length <= 1.0 { 0.5 } else { ((point * length - 0.5) / (length - 1.0)).clamp(0.0, 1.0) }
}

/// Returns the classes that place a photo in a frame.
fn classes_in(point: FocalPoint, photo: PixelSize, frame: f32) -> String {
    let percent = |part: f32| (part * 100.0 / STEP as f32).round() as u32 * STEP;
    let (x, y) = placement(point, photo, frame);
    format!("fx{} fy{}", percent(x), percent(y))
}

/// Returns the classes that place a photo in a circle.
pub(in crate::web) fn round_classes(point: FocalPoint, photo: PixelSize) -> String {
    classes_in(point, photo, 1.0)
}

/// Returns the classes of a portrait on the card; none if it is shown whole.
pub(super) fn classes(point: FocalPoint, photo: PixelSize, layout: Layout) -> Option<String> {
    match (layout, Shape::of(photo)) {
        (Layout::Text, _) => Some(round_classes(point, photo)),
        (_, Shape::Whole) => None,
        (_, Shape::Tall) => Some(classes_in(point, photo, TALL) + " tall"),
        (_, Shape::Wide) => Some(classes_in(point, photo, WIDE) + " wide"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> FocalPoint {
        FocalPoint::parse(text).expect("a point")
    }

    #[test]
    fn photo_is_cropped_if_it_is_higher_than_3_to_4_or_wider_than_3_to_2() {
        for (width, height, shape) in [
            (900, 1200, Shape::Whole),
            (1200, 800, Shape::Whole),
            (1000, 1000, Shape::Whole),
            (600, 1200, Shape::Tall),
            (1400, 500, Shape::Wide),
            (1, 0, Shape::Whole),
        ] {
            assert_eq!(Shape::of(PixelSize { width, height }), shape, "{width}x{height}");
        }
    }

    #[test]
    fn focal_point_is_in_the_middle_as_far_as_the_photo_reaches() {
        for (width, height, chosen, frame, expected) in [
            (4_000, 1_000, "8,5", 1.0, (0.9, 0.5)), // 3200 of 4000, in the middle of 2700 to 3700
            (4_000, 1_000, "5,0", 1.0, (0.5, 0.5)),
            (4_000, 1_000, "10,5", 1.0, (1.0, 0.5)), // at the edge
            (1_000, 2_000, "5,4", 1.0, (0.5, 0.3)),  // 800 of 2000, in the middle of 300 to 1300
            (1_000, 2_000, "0,0", 1.0, (0.5, 0.0)),
            (1_000, 1_000, "9,1", 1.0, (0.5, 0.5)),  // nothing is cut off
            (3_000, 1_000, "4,5", WIDE, (0.3, 0.5)), // 1200 of 3000, in the middle of 450 to 1950
        ] {
            let (x, y) = placement(point(chosen), PixelSize { width, height }, frame);
            let is_near = (x - expected.0).abs() < 0.001 && (y - expected.1).abs() < 0.001;
            assert!(is_near, "{chosen} of {width}x{height} is at {x}, {y}");
        }
    }

    #[test]
    fn layout_and_shape_decide_the_frame() {
        let of = |width, height, layout| classes(point("3,7"), PixelSize { width, height }, layout);
        assert_eq!(of(600, 1_200, Layout::Portrait).as_deref(), Some("fx50 fy100 tall"));
        assert_eq!(of(1_500, 500, Layout::SideBySide).as_deref(), Some("fx10 fy50 wide"));
        assert_eq!(of(1_500, 500, Layout::Text).as_deref(), Some("fx20 fy50"));
        assert_eq!(of(900, 1_200, Layout::Portrait), None);
    }

    #[test]
    fn each_position_has_its_class() {
        for percent in (0..=100).step_by(STEP as usize) {
            for axis in ["x", "y"] {
                let rule = format!(".f{axis}{percent} {{ --{axis}: {percent}%; }}");
                assert!(include_str!("../asset/crop.css").contains(&rule), "{rule}");
            }
        }
    }
}
