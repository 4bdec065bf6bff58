//! The contents of a card page: the card, its theme and its portrait, read from the store.
//!
//! A photo is cropped around its focal point, and a very high or wide one to a shape between 1:2 and 2:1. The style sheets have a class
//! for each position, because a page has no inline style.

use std::ops::RangeInclusive;

use chrono::NaiveDate;

use crate::base::limits;
use crate::drawing::{Look, look_of, placement, ratio};
use crate::model::{
    Card, Farewell, FocalPoint, Layout, LeadIn, Partner, PhotoKey, PixelSize, Rendition, Theme, ThemeImage, Visibility,
};
use crate::store::StoreError;
use crate::text::card as words;
use crate::web::context::PageContext;

/// A picture on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct Picture {
    /// The key in the object store.
    pub key: String,
    pub address: String,
    pub alt: String,
    pub size: Option<PixelSize>,
    /// The same for phones: its address, and its width in pixels.
    pub phone: Option<(String, u32)>,
    /// The point that stays visible where it is cropped.
    pub focal_point: FocalPoint,
}

/// The contents of a card page.
#[derive(Clone)]
pub(in crate::web) struct CardView {
    /// First and last name, where one is known.
    pub name: Option<String>,
    pub lead_in: LeadIn,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    /// `None` until its renditions are made.
    pub portrait: Option<Picture>,
    /// The text of the family; an empty line separates paragraphs.
    pub text: Option<String>,
    pub farewell: Farewell,
    pub livestream: Option<String>,
    pub layout: Layout,
    pub visibility: Visibility,
    pub look: Look,
    /// The first picture of the theme, the same for wide screens, and the second, which is shown if there is no portrait.
    pub cover: Option<Picture>,
    pub wide_cover: Option<Picture>,
    pub ornament: Option<Picture>,
    /// The contact; `None` in an example and for the picture.
    pub partner: Option<Partner>,
}

impl CardView {
    /// Reads the contents of the page of a card of `partner`.
    pub(in crate::web) async fn read(
        context: &PageContext,
        card: &Card,
        partner: Option<Partner>,
    ) -> Result<Self, StoreError> {
        let store = &context.services.store;
        let theme = store.theme_of(card).await?;
        let portrait = store.portrait_of(card).await?;
        let name = card.deceased.full_name();
        let Pictures { cover, wide_cover, ornament } =
            theme.as_ref().map(|theme| pictures_of(context, theme)).unwrap_or_default();
        let address = |rendition: Rendition, photo: &PhotoKey| context.services.rendition_address(rendition, photo);
        Ok(Self {
            date_of_birth: card.deceased.date_of_birth,
            date_of_death: card.deceased.date_of_death,
            portrait: portrait.as_ref().map(|portrait| Picture {
                key: format!("rendition/{}", Rendition::Screen.key_of(&portrait.photo)),
                address: context.local(&address(Rendition::Screen, &portrait.photo)),
                alt: words::portrait_of(name.as_deref()),
                size: Some(portrait.screen),
                phone: phone_width(portrait.screen)
                    .map(|width| (context.local(&address(Rendition::Phone, &portrait.photo)), width)),
                focal_point: card.deceased.focal_point.unwrap_or_default(),
            }),
            lead_in: card.lead_in,
            text: card.text.clone(),
            farewell: card.farewell.clone(),
            livestream: card.livestream_url.as_ref().map(|url| url.as_str().to_owned()),
            layout: card.layout,
            visibility: card.visibility,
            look: look_of(theme.as_ref().map(|theme| theme.handle.as_str())),
            cover,
            wide_cover,
            ornament,
            partner,
            name,
        })
    }
}

impl CardView {
    /// An example of a card in a theme, for the operator.
    pub(in crate::web) fn example(context: &PageContext, theme: &Theme) -> Self {
        let Pictures { cover, wide_cover, ornament } = pictures_of(context, theme);
        Self {
            name: Some(words::EXAMPLE_NAME.to_owned()),
            lead_in: LeadIn::default(),
            date_of_birth: NaiveDate::from_ymd_opt(1938, 4, 12),
            date_of_death: NaiveDate::from_ymd_opt(2026, 11, 7),
            portrait: None,
            text: Some(words::EXAMPLE_TEXT.to_owned()),
            farewell: Farewell::default(),
            livestream: None,
            layout: Layout::Portrait,
            visibility: Visibility::Open,
            look: look_of(Some(&theme.handle)),
            cover,
            wide_cover,
            ornament,
            partner: None,
        }
    }
}

/// Returns the width of the rendition for phones, if it is smaller than that for screens.
fn phone_width(PixelSize { width, height }: PixelSize) -> Option<u32> {
    let longest = width.max(height);
    (longest > limits::PHONE_SIDE_PIXELS_MAX).then(|| (width * limits::PHONE_SIDE_PIXELS_MAX / longest).max(1))
}

/// The pictures of a theme.
#[derive(Default)]
struct Pictures {
    cover: Option<Picture>,
    wide_cover: Option<Picture>,
    ornament: Option<Picture>,
}

fn pictures_of(context: &PageContext, theme: &Theme) -> Pictures {
    let picture = |image: &ThemeImage| Picture {
        key: format!("theme/{}", image.key),
        address: context.local(&context.services.theme_image_address(&image.key)),
        alt: image.alt_text.clone().unwrap_or_default(),
        size: None,
        phone: None,
        focal_point: FocalPoint::default(),
    };
    let mut of_card = theme.images.iter().filter(|image| !image.is_wide());
    let (cover, ornament) = (of_card.next().map(picture), of_card.next().map(picture));
    Pictures { cover, wide_cover: theme.images.iter().find(|image| image.is_wide()).map(picture), ornament }
}

/// The limits of width through height.
const TALL: f32 = 1.0 / 2.0;
const WIDE: f32 = 2.0 / 1.0;
/// The distance between the positions that have a class, in percent.
const STEP: u32 = 5;

/// The shape of a photo on a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Shown whole.
    Whole,
    /// Higher than 1:2, to which it is cropped.
    Tall,
    /// Wider than 2:1, to which it is cropped.
    Wide,
}

impl Shape {
    fn from_size(photo: PixelSize) -> Self {
        match ratio(photo) {
            ratio if ratio < TALL * 0.99 => Shape::Tall,
            ratio if ratio > WIDE * 1.01 => Shape::Wide,
            _ => Shape::Whole,
        }
    }
}

/// Returns the classes that place a photo in a frame.
fn frame_classes(point: FocalPoint, photo: PixelSize, frame: f32) -> String {
    let percent = |part: f32| (part * 100.0 / STEP as f32).round() as u32 * STEP;
    let (x, y) = placement(point, photo, frame);
    format!("fx{} fy{}", percent(x), percent(y))
}

/// Returns the classes that place a photo in a circle.
pub(in crate::web) fn round_classes(point: FocalPoint, photo: PixelSize) -> String {
    frame_classes(point, photo, 1.0)
}

/// The widths through heights of photos of which the card shows more than seven tenths.
pub(in crate::web) const CUT_RATIOS: RangeInclusive<f32> = TALL * 0.7..=WIDE / 0.7;

/// Whether the card shows so little of a photo that the person may be missing.
pub(in crate::web) fn is_cut(photo: PixelSize) -> bool {
    !CUT_RATIOS.contains(&ratio(photo))
}

/// Returns the classes that keep the place of a large photo before its file is there. A small one is shown in its own size.
pub(in crate::web) fn place_classes(photo: PixelSize) -> Option<String> {
    let is_large = photo.width.max(photo.height) > limits::PHONE_SIDE_PIXELS_MAX;
    let percent = (ratio(photo) * 100.0 / STEP as f32).round() as u32 * STEP;
    (is_large && Shape::from_size(photo) == Shape::Whole).then(|| format!("kept r{percent}"))
}

/// Returns the classes of a portrait on the card; none if it is shown whole.
pub(in crate::web) fn crop_classes(point: FocalPoint, photo: PixelSize, layout: Layout) -> Option<String> {
    match (layout, Shape::from_size(photo)) {
        (Layout::Text, _) => Some(round_classes(point, photo)),
        (_, Shape::Whole) => None,
        (_, Shape::Tall) => Some(frame_classes(point, photo, TALL) + " tall"),
        (_, Shape::Wide) => Some(frame_classes(point, photo, WIDE) + " wide"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> FocalPoint {
        FocalPoint::parse(text).expect("a point")
    }

    #[test]
    fn photo_is_cropped_if_it_is_higher_than_1_to_2_or_wider_than_2_to_1() {
        for (width, height, shape) in [
            (900, 1200, Shape::Whole),
            (1200, 800, Shape::Whole),
            (1000, 1000, Shape::Whole),
            (600, 1200, Shape::Whole),
            (500, 1200, Shape::Tall),
            (1400, 500, Shape::Wide),
            (1, 0, Shape::Whole),
        ] {
            assert_eq!(Shape::from_size(PixelSize { width, height }), shape, "{width}x{height}");
        }
    }

    #[test]
    fn layout_and_shape_decide_the_frame() {
        let of = |width, height, layout| crop_classes(point("3,7"), PixelSize { width, height }, layout);
        assert_eq!(of(400, 1_200, Layout::Portrait).as_deref(), Some("fx50 fy100 tall"));
        assert_eq!(of(1_500, 500, Layout::SideBySide).as_deref(), Some("fx0 fy50 wide"));
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
        for percent in (50..=200).step_by(STEP as usize) {
            let rule = format!(".r{percent} {{ --ratio: {}; }}", f64::from(percent) / 100.0);
            assert!(include_str!("../asset/crop.css").contains(&rule), "{rule}");
        }
    }
}
