//! Decodes a photo: upright, without transparency, within the limits.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageReader, Limits, RgbImage, RgbaImage};

use super::error::RenderError;
use super::jpeg_end::has_end;
use crate::base::limits;
use crate::media::PhotoFormat;

/// A picture and its ICC profile.
#[derive(Clone)]
pub(super) struct Decoded {
    pub image: DynamicImage,
    pub profile: Option<Vec<u8>>,
}

pub(super) fn decode(photo: &[u8]) -> Result<Decoded, RenderError> {
    let format = match PhotoFormat::sniff(photo).ok_or(RenderError::Format)? {
        PhotoFormat::Heic => return heic(photo),
        // The decoder fills missing parts with grey, which a family would notice too late.
        PhotoFormat::Jpeg if !has_end(photo) => return Err(RenderError::Unreadable),
        PhotoFormat::Jpeg => image::ImageFormat::Jpeg,
        PhotoFormat::Png => image::ImageFormat::Png,
        PhotoFormat::Webp => image::ImageFormat::WebP,
        PhotoFormat::Gif => image::ImageFormat::Gif,
    };
    let mut reader = ImageReader::with_format(Cursor::new(photo), format);
    reader.limits(allowed());
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    // Phones make JPEG and HEIC. In the other formats a few bytes can declare many pixels of up to eight bytes each.
    let pixels_max = match format {
        image::ImageFormat::Jpeg => limits::PHOTO_PIXELS_MAX,
        _ => limits::PHOTO_PIXELS_MAX_OTHER_FORMATS,
    };
    check_size(width, height, pixels_max)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().ok().flatten();
    // The size is within the limits, so any further error is in the file.
    let mut image = DynamicImage::from_decoder(decoder).map_err(|_| RenderError::Unreadable)?;
    image = DynamicImage::ImageRgb8(on_white(image));
    image.apply_orientation(orientation);
    Ok(Decoded { image, profile })
}

/// The HEIC decoder applies orientation and colours itself.
fn heic(photo: &[u8]) -> Result<Decoded, RenderError> {
    let options = heifer::Options { max_threads: 1, max_pixels: limits::PHOTO_PIXELS_MAX };
    let decoded = heifer::decode_srgb_rgba8(photo, &options).map_err(|_| RenderError::Unreadable)?;
    check_size(decoded.width, decoded.height, limits::PHOTO_PIXELS_MAX)?;
    let rgba = RgbaImage::from_raw(decoded.width, decoded.height, decoded.data).ok_or(RenderError::Unreadable)?;
    let image = DynamicImage::ImageRgb8(on_white(DynamicImage::ImageRgba8(rgba)));
    Ok(Decoded { image, profile: None })
}

fn allowed() -> Limits {
    let mut allowed = Limits::default();
    allowed.max_image_width = Some(limits::PHOTO_SIDE_PIXELS_MAX);
    allowed.max_image_height = Some(limits::PHOTO_SIDE_PIXELS_MAX);
    allowed.max_alloc = Some(limits::PHOTO_DECODED_BYTES_MAX);
    allowed
}

fn check_size(width: u32, height: u32, pixels_max: u64) -> Result<(), RenderError> {
    let side = limits::PHOTO_SIDE_PIXELS_MAX;
    match u64::from(width) * u64::from(height) {
        0 => Err(RenderError::Unreadable),
        pixels if pixels > pixels_max || width > side || height > side => Err(RenderError::TooManyPixels),
        _ => Ok(()),
    }
}

fn refused(error: image::ImageError) -> RenderError {
    match error {
        image::ImageError::Limits(_) => RenderError::TooManyPixels,
        _ => RenderError::Unreadable,
    }
}

/// JPEG has no transparency: transparent pixels become white.
fn on_white(image: DynamicImage) -> RgbImage {
    if !image.color().has_alpha() {
        return image.into_rgb8();
    }
    let rgba = image.into_rgba8();
    let mut rgb = RgbImage::new(rgba.width(), rgba.height());
    for (to, from) in rgb.pixels_mut().zip(rgba.pixels()) {
        let alpha = u32::from(from[3]);
        for channel in 0..3 {
            let mixed = u32::from(from[channel]) * alpha + 255 * (255 - alpha);
            to[channel] = u8::try_from((mixed + 127) / 255).unwrap_or(u8::MAX);
        }
    }
    rgb
}
