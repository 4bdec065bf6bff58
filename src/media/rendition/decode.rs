//! Decodes a photo (upright, without transparency, within the limits), and makes pictures of it: scaled, in sRGB, as JPEG.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageEncoder as _, ImageReader, Limits, RgbImage, RgbaImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

use super::RenderError;
use crate::base::limits;
use crate::media::PhotoFormat;
use crate::model::PixelSize;

/// A picture and its ICC profile.
#[derive(Clone)]
pub(super) struct Decoded {
    pub image: DynamicImage,
    pub profile: Option<Vec<u8>>,
}

pub(super) fn decode(photo: &[u8]) -> Result<Decoded, RenderError> {
    let format = match PhotoFormat::sniff(photo).ok_or(RenderError::Format)? {
        PhotoFormat::Heic => return decode_heic(photo),
        // The decoder fills missing parts with grey, which a family would notice too late.
        PhotoFormat::Jpeg if !has_end(photo) => return Err(RenderError::Unreadable),
        PhotoFormat::Jpeg => image::ImageFormat::Jpeg,
        PhotoFormat::Png => image::ImageFormat::Png,
        PhotoFormat::Webp => image::ImageFormat::WebP,
        PhotoFormat::Gif => image::ImageFormat::Gif,
    };
    let mut reader = ImageReader::with_format(Cursor::new(photo), format);
    reader.limits(decoder_limits());
    let mut decoder = reader.into_decoder().map_err(error_of)?;
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
fn decode_heic(photo: &[u8]) -> Result<Decoded, RenderError> {
    let options = heifer::Options { max_threads: 1, max_pixels: limits::PHOTO_PIXELS_MAX };
    let decoded = heifer::decode_srgb_rgba8(photo, &options).map_err(|_| RenderError::Unreadable)?;
    check_size(decoded.width, decoded.height, limits::PHOTO_PIXELS_MAX)?;
    let rgba = RgbaImage::from_raw(decoded.width, decoded.height, decoded.data).ok_or(RenderError::Unreadable)?;
    let image = DynamicImage::ImageRgb8(on_white(DynamicImage::ImageRgba8(rgba)));
    Ok(Decoded { image, profile: None })
}

fn decoder_limits() -> Limits {
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

fn error_of(error: image::ImageError) -> RenderError {
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

/// Whether the file reaches its end marker. Bytes after it are ignored: phones append videos.
fn has_end(jpeg: &[u8]) -> bool {
    let mut rest = jpeg.get(2..).unwrap_or_default(); // after the start-of-image marker
    loop {
        // Any number of fill bytes may precede a marker.
        let Some(start) = rest.iter().position(|byte| *byte != 0xFF) else { return false };
        let marker = rest[start];
        rest = &rest[start + 1..];
        match marker {
            0xD9 => return true,
            0x01 | 0xD0..=0xD8 => {} // no length
            _ => {
                let Some(length) = rest.first_chunk::<2>().map(|bytes| usize::from(u16::from_be_bytes(*bytes))) else {
                    return false;
                };
                let Some(behind) = rest.get(length.max(2)..) else { return false };
                rest = behind;
            }
        }
        if marker == 0xDA {
            // Coded data continues to the next FF that is neither escaped (00) nor a restart marker (D0 to D7).
            let next =
                rest.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0x00 | 0xD0..=0xD7 | 0xFF));
            let Some(next) = next else { return false };
            rest = &rest[next..];
        }
    }
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

pub(super) fn make_renditions(decoded: Decoded) -> Renditions {
    let screen = fit(decoded, limits::SCREEN_SIDE_PIXELS_MAX);
    let screen_size = PixelSize { width: screen.image.width(), height: screen.image.height() };
    let phone = fit(screen.clone(), limits::PHONE_SIDE_PIXELS_MAX);
    let preview = fit(phone.clone(), limits::PREVIEW_SIDE_PIXELS_MAX);
    Renditions {
        screen: encode(&screen, limits::RENDITION_QUALITY),
        screen_size,
        phone: encode(&phone, limits::RENDITION_QUALITY),
        preview: encode(&preview, limits::RENDITION_QUALITY),
    }
}

/// The picture scaled down to a longest side of `side`; a smaller one is unchanged.
pub(super) fn fit(decoded: Decoded, side: u32) -> Decoded {
    let Decoded { mut image, profile } = decoded;
    if image.width().max(image.height()) > side {
        if image.width().max(image.height()) > 3 * side {
            // Averaging whole pixels first is many times faster, and invisible after the finer step.
            image = image.thumbnail(2 * side, 2 * side);
        }
        image = image.resize(side, side, FilterType::CatmullRom);
    }
    Decoded { image, profile }
}

pub(super) fn encode(decoded: &Decoded, quality: u8) -> Bytes {
    let mut rgb = DynamicImage::to_rgb8(&decoded.image);
    convert_to_srgb(&mut rgb, decoded.profile.as_deref());
    let mut bytes = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut bytes, quality)
        .write_image(rgb.as_raw(), rgb.width(), rgb.height(), image::ExtendedColorType::Rgb8)
        .expect("a write into memory succeeds, and JPEG supports the size of a decoded picture");
    bytes.into_inner().into()
}

/// Converts from the photo's profile. An unusable profile is ignored, as browsers do.
fn convert_to_srgb(image: &mut RgbImage, profile: Option<&[u8]>) {
    let Some(profile) = profile.and_then(|bytes| ColorProfile::new_from_slice(bytes).ok()) else { return };
    if profile.color_space != DataColorSpace::Rgb {
        return; // grey, or CMYK that the decoder converted
    }
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default());
    let Ok(transform) = transform else { return };
    let mut converted = vec![0; image.as_raw().len()];
    if transform.transform(image.as_raw(), &mut converted).is_ok() {
        image.copy_from_slice(&converted);
    }
}
