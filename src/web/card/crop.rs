//! How a photo is cropped: around its focal point, and a very high or wide one to a shape between 3:4 and 3:2.
//!
//! The style sheets of the card and of the other pages have a class for each tenth, because a page has no inline style.

use crate::model::{FocalPoint, PixelSize};

/// The limits of width through height.
const TALL: f32 = 3.0 / 4.0;
const WIDE: f32 = 3.0 / 2.0;

/// The shape of a photo on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::web) enum Shape {
    /// Shown whole.
    Whole,
    /// Higher than 3:4, to which it is cropped.
    Tall,
    /// Wider than 3:2, to which it is cropped.
    Wide,
}

impl Shape {
    pub(in crate::web) fn of(PixelSize { width, height }: PixelSize) -> Self {
        match width as f32 / height.max(1) as f32 {
            ratio if ratio < TALL * 0.99 => Shape::Tall,
            ratio if ratio > WIDE * 1.01 => Shape::Wide,
            _ => Shape::Whole,
        }
    }
}

/// The classes that put the focal point where the photo is cropped.
pub(in crate::web) fn point_classes(point: FocalPoint) -> String {
    format!("fx{} fy{}", point.x(), point.y())
}

/// The classes of a portrait on the card.
pub(super) fn classes(point: FocalPoint, size: Option<PixelSize>) -> String {
    let shape = match size.map_or(Shape::Whole, Shape::of) {
        Shape::Whole => "",
        Shape::Tall => " tall",
        Shape::Wide => " wide",
    };
    point_classes(point) + shape
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let point = FocalPoint::parse("3,7").expect("a point");
        assert_eq!(classes(point, Some(PixelSize { width: 1, height: 9 })), "fx3 fy7 tall");
    }

    #[test]
    fn each_point_has_its_classes_in_both_style_sheets() {
        for sheet in [include_str!("../asset/card.css"), include_str!("../asset/page.css")] {
            for tenth in 0..=FocalPoint::MAX {
                for (axis, class) in [("x", format!(".fx{tenth} ")), ("y", format!(".fy{tenth} "))] {
                    let rule = format!("{class}{{ --{axis}: {}%; }}", u32::from(tenth) * 10);
                    assert!(sheet.contains(&rule), "{rule}");
                }
            }
        }
    }
}
