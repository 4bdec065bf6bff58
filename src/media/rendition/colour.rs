//! Converts colours to sRGB, which a JPEG without a profile implies. Phones write Display P3, which would look pale without
//! this step.

use image::RgbImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// Converts from the photo's profile. An unusable profile is ignored, as browsers do.
pub(super) fn to_srgb(image: &mut RgbImage, profile: Option<&[u8]>) {
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
