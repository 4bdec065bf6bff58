//! HEIC, read with heifer: a grid of tiles row by row, so that a large photo is never in memory as a whole.

use std::borrow::Cow;

use heifer::heifer_isobmff::boxes::{ColorInfo, Property};
use heifer::heifer_isobmff::{BoxIter, HeifFile, ItemId};
use heifer::{Error, Options};
use image::RgbImage;
use image::metadata::Orientation;
use moxcms::ColorProfile;

use super::RenderError;
use super::decode::{Decoded, SRGB_TRANSFER, check_size, profile_of_code_points, row_on_white};
use super::scale::Reducer;
use crate::base::limits;

pub(super) fn decode(heic: &[u8], side: u32) -> Result<Decoded, RenderError> {
    let heic = repair_end(heic);
    let file = HeifFile::parse(&heic).map_err(|_| RenderError::Unreadable)?;
    let id = file.primary_id;
    let profile = read_profile(&file, id);
    let decoded = match decode_grid(&file, id, side) {
        Some(decoded) => decoded,
        None => decode_whole(&heic, &file, side).map(|image| (image, Vec::new())),
    };
    let (image, orientation) = decoded?;
    Ok(Decoded { image, profile, orientation })
}

/// The file without what follows its last box, such as a line end. A last box of data that is cut off ends with the file.
fn repair_end(heic: &[u8]) -> Cow<'_, [u8]> {
    let mut end = 0;
    for found in BoxIter::new(heic) {
        match found {
            Ok(found) => end = found.offset + found.header.header_size as usize + found.content.len(),
            Err(_) if heic.get(end + 4..end + 8) == Some(b"mdat") => {
                let mut repaired = heic.to_vec();
                repaired[end..end + 4].fill(0); // up to the end of the file (ISO/IEC 14496-12, section 4.2)
                return repaired.into();
            }
            Err(_) => return heic[..end].into(),
        }
    }
    heic.into()
}

/// The profile of the photo, or of its first tile. Of code points only wide primaries count, as in libheif: what cameras write for
/// BT.601 and BT.709 is meant for a screen of sRGB.
fn read_profile(file: &HeifFile<'_>, id: ItemId) -> Option<ColorProfile> {
    if let Some(profile) = file.icc_profile(id).ok().flatten() {
        return ColorProfile::new_from_slice(profile).ok();
    }
    let first_tile = file.referenced_items(id, b"dimg").first().copied();
    let properties = [Some(id), first_tile].into_iter().flatten().filter_map(|id| file.item_properties(id).ok());
    properties.flatten().find_map(|property| match property {
        Property::Color(ColorInfo::Nclx { primaries: wide @ (9 | 11 | 12), transfer: 1..16, .. }) => {
            profile_of_code_points((*wide).try_into().ok()?, SRGB_TRANSFER)
        }
        _ => None,
    })
}

type Image = Result<(RgbImage, Vec<Orientation>), RenderError>;

/// Decodes a grid of plain tiles; `None` if the photo is something else.
fn decode_grid(file: &HeifFile<'_>, id: ItemId, side: u32) -> Option<Image> {
    let grid = file.grid(id).ok()?;
    let tiles = file.referenced_items(id, b"dimg");
    let columns = usize::from(grid.columns);
    let (tile_width, tile_height) = file.image_size(*tiles.first()?).ok().flatten()?;
    let is_plain = file.referencing_items(id, b"auxl").iter().all(|aux| !is_alpha(file, *aux));
    let is_full = tile_width as usize * columns >= grid.output_width as usize
        && tile_height as usize * usize::from(grid.rows) >= grid.output_height as usize
        && tiles.len() == columns * usize::from(grid.rows);
    let orientation = read_orientation(file, id)?;
    if !is_plain || !is_full {
        return None;
    }
    let decode = || {
        check_size(grid.output_width, grid.output_height, limits::PHOTO_PIXELS_MAX)?;
        check_size(tile_width, tile_height, limits::HEVC_PIXELS_MAX)?;
        let mut picture = Reducer::new((grid.output_width, grid.output_height), side);
        for tiles in tiles.chunks(columns) {
            let mut rows = vec![Vec::with_capacity(3 * tile_width as usize * columns); tile_height as usize];
            for tile in tiles {
                let tile = heifer::decode_item(file, *tile, 1).map_err(error_of)?;
                if (tile.width, tile.height) != (tile_width, tile_height) {
                    return Err(RenderError::Unreadable);
                }
                let pixels = tile.to_rgb8();
                rows.iter_mut()
                    .zip(pixels.chunks_exact(3 * tile_width as usize))
                    .for_each(|(row, part)| row.extend_from_slice(part));
            }
            rows.iter().for_each(|row| picture.push(row));
        }
        Ok((picture.finish().ok_or(RenderError::Unreadable)?, orientation))
    };
    Some(decode())
}

fn is_alpha(file: &HeifFile<'_>, id: ItemId) -> bool {
    let is_alpha = |property: &Property| matches!(property, Property::AuxiliaryType(kind) if kind.contains("alpha") || kind.ends_with("auxid:1"));
    file.item_properties(id).is_ok_and(|mut properties| properties.any(is_alpha))
}

/// How a photo is turned and mirrored, in this order; `None` if it is cropped too.
fn read_orientation(file: &HeifFile<'_>, id: ItemId) -> Option<Vec<Orientation>> {
    let mut orientation = Vec::new();
    for property in file.item_properties(id).ok()? {
        orientation.push(match property {
            Property::Rotation(1) => Orientation::Rotate270,
            Property::Rotation(2) => Orientation::Rotate180,
            Property::Rotation(3) => Orientation::Rotate90,
            Property::Mirror(true) => Orientation::FlipVertical,
            Property::Mirror(false) => Orientation::FlipHorizontal,
            Property::CleanAperture { .. } => return None,
            _ => continue,
        });
    }
    Some(orientation)
}

/// Decodes a photo of any structure, upright.
fn decode_whole(heic: &[u8], file: &HeifFile<'_>, side: u32) -> Result<RgbImage, RenderError> {
    if let Some((width, height)) = file.image_size(file.primary_id).ok().flatten() {
        check_size(width, height, limits::HEVC_PIXELS_MAX)?;
    }
    let options = Options { max_threads: 1, max_pixels: limits::HEVC_PIXELS_MAX };
    let image = heifer::decode_rgba8(heic, &options).map_err(error_of)?;
    let mut picture = Reducer::new((image.width, image.height), side);
    for row in image.data.chunks_exact(4 * image.width as usize) {
        picture.push(&row_on_white(row));
    }
    picture.finish().ok_or(RenderError::Unreadable)
}

fn error_of(error: Error) -> RenderError {
    use heifer::heifer_hevc_dec::Error::Unimplemented;
    match error {
        Error::Unsupported(_) | Error::Hevc(Unimplemented(_)) => RenderError::Format,
        _ => RenderError::Unreadable,
    }
}
