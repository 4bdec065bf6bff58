//! The pictures made of a photo: scaled, converted to sRGB and encoded as JPEG.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageEncoder as _};

use super::colour;
use super::decode::Decoded;
use crate::base::limits;
use crate::model::PixelSize;

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

pub(super) fn renditions_of(decoded: Decoded) -> Renditions {
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
    colour::to_srgb(&mut rgb, decoded.profile.as_deref());
    let mut bytes = Cursor::new(Vec::new());
    JpegEncoder::new_with_quality(&mut bytes, quality)
        .write_image(rgb.as_raw(), rgb.width(), rgb.height(), image::ExtendedColorType::Rgb8)
        .expect("memory takes what is written, and a decoded picture has a size that JPEG knows");
    bytes.into_inner().into()
}
