//! Decodes a photo within the limits, and makes pictures of it: upright, without transparency, in sRGB, as JPEG.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::gif::GifDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{AnimationDecoder as _, DynamicImage, ImageDecoder, ImageError, Limits, RgbImage};
use moxcms::{CicpProfile, ColorProfile, MatrixCoefficients, ToneReprCurve, TransferCharacteristics};

use super::scale::{Reducer, convert_to_srgb, fit};
use super::{RenderError, heic, jpeg, png};
use crate::base::limits;
use crate::media::PhotoFormat;
use crate::model::PixelSize;

/// A picture as it was stored, scaled down or not.
pub(super) struct Decoded {
    pub image: RgbImage,
    /// What its colours mean, if they are not sRGB.
    pub profile: Option<ColorProfile>,
    /// The turns that show it upright, in their order.
    pub orientation: Vec<Orientation>,
}

impl Decoded {
    /// The picture upright and in sRGB, with a longest side of at most `side`.
    fn into_picture(self, side: u32) -> RgbImage {
        let mut picture = fit(self.image, side);
        if let Some(profile) = &self.profile {
            convert_to_srgb(&mut picture, profile);
        }
        let mut picture = DynamicImage::ImageRgb8(picture);
        self.orientation.into_iter().for_each(|turn| picture.apply_orientation(turn));
        picture.into_rgb8()
    }
}

/// Decodes a photo to a picture with a longest side of at most `side`.
pub(super) fn decode(photo: &[u8], side: u32) -> Result<RgbImage, RenderError> {
    let decoded = match PhotoFormat::sniff(photo).ok_or(RenderError::Format)? {
        PhotoFormat::Jpeg => jpeg::decode(photo, side)?,
        PhotoFormat::Heic => heic::decode(photo, side)?,
        PhotoFormat::Png => png::decode(photo, side)?,
        PhotoFormat::Webp => decode_webp(photo, side)?,
        PhotoFormat::Gif => decode_gif(photo, side)?,
    };
    Ok(decoded.into_picture(side))
}

fn decode_webp(photo: &[u8], side: u32) -> Result<Decoded, RenderError> {
    let mut decoder = WebPDecoder::new(Cursor::new(photo)).map_err(error_of)?;
    limit(&mut decoder)?;
    let orientation = decoder.orientation().ok();
    let profile = decoder.icc_profile().ok().flatten().and_then(|profile| ColorProfile::new_from_slice(&profile).ok());
    let image = reduce(DynamicImage::from_decoder(decoder).map_err(error_of)?, side)?;
    Ok(Decoded { image, profile, orientation: orientation.into_iter().collect() })
}

/// The first frame that shows something: some animations begin with an empty one.
fn decode_gif(photo: &[u8], side: u32) -> Result<Decoded, RenderError> {
    let mut decoder = GifDecoder::new(Cursor::new(photo)).map_err(error_of)?;
    limit(&mut decoder)?;
    let mut first = None;
    for frame in decoder.into_frames() {
        let frame = frame.map_err(error_of)?.into_buffer();
        let shows_something = frame.pixels().any(|pixel| pixel[3] != 0);
        if shows_something || first.is_none() {
            first = Some(frame);
        }
        if shows_something {
            break;
        }
    }
    let image = reduce(DynamicImage::ImageRgba8(first.ok_or(RenderError::Unreadable)?), side)?;
    Ok(Decoded { image, profile: None, orientation: Vec::new() })
}

/// A few bytes can declare many pixels of four bytes each, also in a frame that is larger than the picture.
fn limit(decoder: &mut impl ImageDecoder) -> Result<(), RenderError> {
    let (width, height) = decoder.dimensions();
    check_size(width, height, limits::PHOTO_PIXELS_MAX_OTHER_FORMATS)?;
    let mut allowed = Limits::default();
    allowed.max_alloc = Some(limits::PHOTO_DECODED_BYTES_MAX);
    decoder.set_limits(allowed).map_err(error_of)
}

pub(super) fn check_size(width: u32, height: u32, pixels_max: u64) -> Result<(), RenderError> {
    let side = limits::PHOTO_SIDE_PIXELS_MAX;
    match u64::from(width) * u64::from(height) {
        0 => Err(RenderError::Unreadable),
        pixels if pixels > pixels_max || width > side || height > side => Err(RenderError::TooManyPixels),
        _ => Ok(()),
    }
}

fn error_of(error: ImageError) -> RenderError {
    match error {
        ImageError::Limits(_) => RenderError::TooManyPixels,
        _ => RenderError::Unreadable,
    }
}

/// The picture without transparency, scaled down towards `side`.
fn reduce(image: DynamicImage, side: u32) -> Result<RgbImage, RenderError> {
    let mut reducer = Reducer::new((image.width(), image.height()), side);
    let width = image.width() as usize;
    match image {
        DynamicImage::ImageRgb8(image) => image.chunks_exact(3 * width).for_each(|row| reducer.push(row)),
        image => image.into_rgba8().chunks_exact(4 * width).for_each(|row| reducer.push(&row_on_white(row))),
    }
    reducer.finish().ok_or(RenderError::Unreadable)
}

/// A row of RGBA on white as RGB: JPEG has no transparency.
pub(super) fn row_on_white(row: &[u8]) -> Vec<u8> {
    let mix = |value: u8, alpha: u8| {
        let (value, alpha) = (u32::from(value), u32::from(alpha));
        ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
    };
    row.chunks_exact(4).flat_map(|pixel| [0, 1, 2].map(|channel| mix(pixel[channel], pixel[3]))).collect()
}

/// The profile of code points (ITU-T H.273), or `None` for sRGB and for screens of more brightness.
pub(super) fn profile_of_code_points(primaries: u8, transfer: u8) -> Option<ColorProfile> {
    use moxcms::CicpColorPrimaries as Primaries;
    let color_primaries = match primaries {
        5 => Primaries::Bt470Bg,
        6 => Primaries::Bt601,
        9 => Primaries::Bt2020,
        11 | 12 => Primaries::Smpte432, // Display P3
        _ => Primaries::Bt709,
    };
    let gamma = match transfer {
        1 | 6 | 14 | 15 => Some(2.4), // as screens show video (ITU-R BT.1886)
        4 => Some(2.2),
        5 => Some(2.8),
        8 => Some(1.0),
        SRGB_TRANSFER => None,
        _ => return None,
    };
    let mut profile = ColorProfile::new_from_cicp(CicpProfile {
        color_primaries,
        transfer_characteristics: TransferCharacteristics::Srgb,
        matrix_coefficients: MatrixCoefficients::Bt709, // the samples are RGB
        full_range: true,
    });
    if let Some(gamma) = gamma {
        set_gamma(&mut profile, gamma);
    }
    (gamma.is_some() || color_primaries != Primaries::Bt709).then_some(profile)
}

/// The transfer characteristics of sRGB.
pub(super) const SRGB_TRANSFER: u8 = 13;

/// Sets the exponent from samples to light.
pub(super) fn set_gamma(profile: &mut ColorProfile, gamma: f32) {
    let curve = Some(ToneReprCurve::Parametric(vec![gamma]));
    (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    profile.cicp = None; // would count instead
}

/// The renditions of a photo.
#[derive(Clone, PartialEq, Eq)]
pub struct Renditions {
    pub screen: Bytes,
    pub screen_size: PixelSize,
    pub phone: Bytes,
    pub preview: Bytes,
}

/// An uploaded photo, re-encoded, so that the stored copy has no location either.
#[derive(Clone, PartialEq, Eq)]
pub struct Reencoded {
    /// A JPEG.
    pub photo: Bytes,
    pub renditions: Renditions,
}

pub(super) fn make_renditions(picture: RgbImage) -> Renditions {
    let quality = limits::RENDITION_QUALITY;
    let picture = fit(picture, limits::SCREEN_SIDE_PIXELS_MAX);
    let screen_size = PixelSize { width: picture.width(), height: picture.height() };
    let screen = jpeg::encode(&picture, quality);
    let picture = fit(picture, limits::PHONE_SIDE_PIXELS_MAX);
    let phone = jpeg::encode(&picture, quality);
    let preview = jpeg::encode(&fit(picture, limits::PREVIEW_SIDE_PIXELS_MAX), quality);
    Renditions { screen, screen_size, phone, preview }
}
