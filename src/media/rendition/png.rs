//! PNG, read row by row: a file whose end is missing is shown if all rows are there, as browsers do.

use std::io::Cursor;

use image::metadata::Orientation;
use moxcms::{Chromaticity, ColorPrimaries, ColorProfile};
use png::{ColorType, Decoder, DecodingError, Info, InterlaceInfo, Limits, Transformations, expand_interlaced_row};

use super::RenderError;
use super::decode::{Decoded, check_size, profile_of_code_points, row_on_white, set_gamma};
use super::scale::Reducer;
use crate::base::limits;

pub(super) fn decode(photo: &[u8], side: u32) -> Result<Decoded, RenderError> {
    let bytes = limits::PHOTO_DECODED_BYTES_MAX as usize;
    let mut decoder = Decoder::new_with_limits(Cursor::new(photo), Limits { bytes });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    let (width, height) = decoder.read_header_info().map_err(error_of)?.size();
    check_size(width, height, limits::PHOTO_PIXELS_MAX_OTHER_FORMATS)?;
    let mut reader = decoder.read_info().map_err(error_of)?;
    let profile = read_profile(reader.info());
    let orientation = reader.info().exif_metadata.as_deref().and_then(Orientation::from_exif_chunk);
    let (colour, _) = reader.output_color_type();
    let mut picture = Reducer::new((width, height), side);
    let stride = width as usize * colour.samples();
    let mut interlaced = Vec::new();
    for _ in 0..count_rows(reader.info()) {
        let row = reader.next_interlaced_row().map_err(error_of)?.ok_or(RenderError::Unreadable)?;
        match row.interlace() {
            InterlaceInfo::Null(_) => picture.push(&to_rgb(row.data(), colour)),
            InterlaceInfo::Adam7(pass) => {
                interlaced.resize(stride * height as usize, 0);
                expand_interlaced_row(&mut interlaced, stride, row.data(), pass, 8 * colour.samples() as u8);
            }
        }
    }
    interlaced.chunks_exact(stride).for_each(|row| picture.push(&to_rgb(row, colour)));
    let image = picture.finish().ok_or(RenderError::Unreadable)?;
    Ok(Decoded { image, profile, orientation: orientation.into_iter().collect() })
}

/// The rows of the file, in all passes (PNG, third edition, section 8.1).
fn count_rows(info: &Info<'_>) -> u32 {
    // The first column and row of each pass, and the rows from one to the next.
    const PASSES: [(u32, u32, u32); 7] = [(0, 0, 8), (4, 0, 8), (0, 4, 8), (2, 0, 4), (0, 2, 4), (1, 0, 2), (0, 1, 2)];
    let of_pass = |&(x, y, step): &(u32, u32, u32)| {
        if info.width > x { info.height.saturating_sub(y).div_ceil(step) } else { 0 }
    };
    if info.interlaced { PASSES.iter().map(of_pass).sum() } else { info.height }
}

fn error_of(error: DecodingError) -> RenderError {
    match error {
        DecodingError::LimitsExceeded => RenderError::TooManyPixels,
        _ => RenderError::Unreadable,
    }
}

fn to_rgb(row: &[u8], colour: ColorType) -> Vec<u8> {
    match colour {
        ColorType::Grayscale => row.iter().flat_map(|grey| [*grey; 3]).collect(),
        ColorType::GrayscaleAlpha => {
            let rgba: Vec<u8> =
                row.chunks_exact(2).flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]).collect();
            row_on_white(&rgba)
        }
        ColorType::Rgba => row_on_white(row),
        ColorType::Rgb | ColorType::Indexed => row.to_vec(),
    }
}

/// What the colours mean, by the first chunk of this order (PNG, third edition, section 4.3): cICP, iCCP, sRGB, gAMA with
/// cHRM. Browsers ignore cHRM alone.
fn read_profile(info: &Info<'_>) -> Option<ColorProfile> {
    if let Some(points) = &info.coding_independent_code_points {
        return profile_of_code_points(points.color_primaries, points.transfer_function);
    }
    if let Some(profile) = &info.icc_profile {
        return ColorProfile::new_from_slice(profile).ok();
    }
    if info.srgb.is_some() {
        return None;
    }
    let gamma = info.gama_chunk?.into_value();
    let mut profile = ColorProfile::new_srgb();
    // A value near the curve of sRGB means sRGB, as in libpng.
    let is_srgb = (gamma * 2.2 - 1.0).abs() < 0.05 || !(0.01..=10.0).contains(&gamma);
    if !is_srgb {
        set_gamma(&mut profile, 1.0 / gamma);
    }
    if let Some(points) = info.chrm_chunk {
        let [white, red, green, blue] = [points.white, points.red, points.green, points.blue]
            .map(|(x, y)| Chromaticity { x: x.into_value(), y: y.into_value() });
        profile.update_rgb_colorimetry(white.to_xyyb(), ColorPrimaries { red, green, blue });
    }
    (!is_srgb || info.chrm_chunk.is_some()).then_some(profile)
}
