//! JPEG, read and written with libjpeg (mozjpeg), which browsers use too (decisions, section 10).
//!
//! libjpeg draws grey where coded data is missing, and gives a warning, as it does for harmless oddities. After a warning the photo
//! is decoded again with more coded data behind the data of each scan: if a pixel changes, data was missing. Damage between two restart
//! markers changes no pixel, and is shown as a strip.

use std::cell::Cell;
use std::ffi::c_int;
use std::io::{self, BufRead, Read as _};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::null;

use bytes::Bytes;
use image::RgbImage;
use image::metadata::Orientation;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use mozjpeg::{ColorSpace, Compress, Decompress, Marker};
use mozjpeg_sys::{jpeg_common_struct, jpeg_error_mgr};

use super::RenderError;
use super::decode::{Decoded, check_size};
use crate::base::limits;

// Markers (ISO/IEC 10918-1, table B.1).
const PROGRESSIVE: u8 = 0xC2;
const ARITHMETIC: u8 = 0xC9;
const PROGRESSIVE_ARITHMETIC: u8 = 0xCA;
const END_OF_IMAGE: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;
const RESTART_INTERVAL: u8 = 0xDD;

/// Follows the file, which may lack it.
const END: &[u8] = &[0xFF, END_OF_IMAGE];

/// Coded data, also behind each of the restart markers. Arithmetic coding leaves out zeros at the end.
fn filler() -> Vec<u8> {
    let data = [&[0; 4][..], &[0x5A; 60]].concat();
    (0xD0..=0xD7).fold(data.clone(), |filler, restart| [&filler[..], &[0xFF, restart], &data].concat())
}

/// Decodes a photo, scaled down to a longest side of at least `side` if it is larger.
pub(super) fn decode(jpeg: &[u8], side: u32) -> Result<Decoded, RenderError> {
    let outline = Outline::read(jpeg)?;
    check_size(outline.width, outline.height, limits::PHOTO_PIXELS_MAX)?;
    if outline.coefficient_bytes > limits::JPEG_COEFFICIENT_BYTES_MAX {
        return Err(RenderError::TooManyPixels);
    }
    let (decoded, is_clean) = read(jpeg.chain(END), side)?;
    // With arithmetic coding libjpeg gives no warning.
    if (!is_clean || outline.is_arithmetic) && read(outline.fill_scans(jpeg).chain(END), side)?.0.image != decoded.image
    {
        return Err(RenderError::Unreadable);
    }
    Ok(decoded)
}

/// What the markers of a file say.
struct Outline {
    width: u32,
    height: u32,
    /// The memory of all coefficients, which are kept if they come in several scans.
    coefficient_bytes: u64,
    is_arithmetic: bool,
    /// Where the coded data of each scan ends.
    scan_ends: Vec<usize>,
}

/// The head of a frame (ISO/IEC 10918-1, B.2.2).
struct Frame {
    is_progressive: bool,
    is_arithmetic: bool,
    width: u32,
    height: u32,
    components: Vec<Component>,
}

struct Component {
    id: u8,
    horizontal: u8,
    vertical: u8,
    /// A bit for each of the 64 coefficients that came with its last bit.
    complete: u64,
    has_scan: bool,
}

impl Outline {
    fn read(jpeg: &[u8]) -> Result<Self, RenderError> {
        let mut frame: Option<Frame> = None;
        let (mut has_restarts, mut is_in_parts, mut has_end) = (false, false, false);
        let mut scan_ends = Vec::new();
        let mut at = 2; // after the start of the image
        while let Some(found) = find_marker(jpeg, at, |marker| !matches!(marker, 0x00 | 0xFF)) {
            let marker = jpeg[found + 1];
            at = found + 2;
            match marker {
                END_OF_IMAGE => {
                    has_end = true;
                    break;
                }
                0x01 | 0xD0..=0xD8 => continue, // without a segment
                _ => {}
            }
            let Some(segment) = segment(jpeg, at) else { break };
            at += 2 + segment.len();
            match (marker, &mut frame) {
                (0xC4 | 0xC8 | 0xCC, _) => {} // tables
                (0xC0..=0xCF, None) => frame = Some(Frame::read(marker, segment)?),
                (RESTART_INTERVAL, _) => has_restarts = segment.iter().any(|byte| *byte != 0),
                (START_OF_SCAN, Some(frame)) => {
                    is_in_parts |= frame.add_scan(segment) < frame.components.len() || frame.is_progressive;
                    let ends_scan = |marker| match marker {
                        0x00 | 0xFF => false,
                        // libjpeg looks for the next restart marker.
                        0x01..=0xBF | 0xD0..=0xD7 => !has_restarts,
                        _ => true,
                    };
                    at = find_marker(jpeg, at, ends_scan).unwrap_or(jpeg.len());
                    scan_ends.push(at);
                }
                _ => {}
            }
        }
        let frame = frame.ok_or(RenderError::Unreadable)?;
        // An encoder may leave bits out. Without an end they may be lost.
        let is_whole = |part: &Component| part.has_scan && (has_end || part.complete == u64::MAX);
        if !frame.components.iter().all(is_whole) {
            return Err(RenderError::Unreadable);
        }
        let coefficient_bytes = if is_in_parts { frame.coefficient_bytes() } else { 0 };
        Ok(Self {
            width: frame.width,
            height: frame.height,
            coefficient_bytes,
            is_arithmetic: frame.is_arithmetic,
            scan_ends,
        })
    }

    /// The file with more coded data behind each scan.
    fn fill_scans<'a>(&self, jpeg: &'a [u8]) -> impl BufRead + 'a {
        let filler = filler();
        let mut filled = Vec::with_capacity(jpeg.len() + filler.len() * self.scan_ends.len());
        let mut start = 0;
        for end in &self.scan_ends {
            filled.extend_from_slice(&jpeg[start..*end]);
            filled.extend_from_slice(&filler);
            start = *end;
        }
        io::Cursor::new(filled).chain(&jpeg[start..])
    }
}

impl Frame {
    fn read(marker: u8, segment: &[u8]) -> Result<Self, RenderError> {
        let [precision, y1, y2, x1, x2, count, parts @ ..] = segment else { return Err(RenderError::Unreadable) };
        // Lossless and hierarchical coding, or more than eight bits: browsers do not show them either.
        if !matches!(marker, 0xC0..=PROGRESSIVE | ARITHMETIC | PROGRESSIVE_ARITHMETIC) || *precision != 8 {
            return Err(RenderError::Format);
        }
        let component = |part: &[u8]| Component {
            id: part[0],
            horizontal: part[1] >> 4,
            vertical: part[1] & 15,
            complete: 0,
            has_scan: false,
        };
        Ok(Self {
            is_progressive: matches!(marker, PROGRESSIVE | PROGRESSIVE_ARITHMETIC),
            is_arithmetic: matches!(marker, ARITHMETIC | PROGRESSIVE_ARITHMETIC),
            width: u32::from(u16::from_be_bytes([*x1, *x2])),
            height: u32::from(u16::from_be_bytes([*y1, *y2])),
            components: parts.chunks_exact(3).take(usize::from(*count)).map(component).collect(),
        })
    }

    /// Notes which coefficients a scan completes (B.2.3), and returns the number of its components.
    fn add_scan(&mut self, head: &[u8]) -> usize {
        let count = head.first().map_or(0, |count| usize::from(*count));
        let ids = head.get(1..).unwrap_or_default().chunks_exact(2).take(count).map(|part| part[0]);
        let [first, last, bits] = match head.get(1 + 2 * count..) {
            Some(&[first, last, bits]) if self.is_progressive => [first, last, bits],
            _ => [0, 63, 0],
        };
        let band = (first..=last.min(63)).fold(0, |band, at| band | 1_u64 << at);
        for id in ids {
            for component in self.components.iter_mut().filter(|component| component.id == id) {
                component.has_scan |= first == 0;
                component.complete |= if bits & 15 == 0 { band } else { 0 };
            }
        }
        count
    }

    fn coefficient_bytes(&self) -> u64 {
        let largest = |factor: fn(&Component) -> u8| self.components.iter().map(factor).max().unwrap_or(1).max(1);
        let blocks: u64 =
            self.components.iter().map(|part| u64::from(part.horizontal) * u64::from(part.vertical)).sum();
        let all = u64::from(largest(|part| part.horizontal)) * u64::from(largest(|part| part.vertical));
        2 * u64::from(self.width) * u64::from(self.height) * blocks / all
    }
}

/// The position of the next marker of a kind.
fn find_marker(jpeg: &[u8], from: usize, is_kind: impl Fn(u8) -> bool) -> Option<usize> {
    let rest = jpeg.get(from..)?;
    rest.windows(2).position(|pair| pair[0] == 0xFF && is_kind(pair[1])).map(|at| from + at)
}

/// The content of the segment that begins here with its length.
fn segment(jpeg: &[u8], at: usize) -> Option<&[u8]> {
    let length = usize::from(u16::from_be_bytes(*jpeg.get(at..)?.first_chunk()?));
    jpeg.get(at + 2..at + length.max(2))
}

/// Decodes with libjpeg; returns also whether it gave no warning.
fn read(jpeg: impl BufRead, side: u32) -> Result<(Decoded, bool), RenderError> {
    HAS_WARNED.set(false);
    let decoded = catch_unwind(AssertUnwindSafe(|| read_or_unwind(jpeg, side)));
    let decoded = decoded.ok().and_then(Result::ok).flatten().ok_or(RenderError::Unreadable)?;
    Ok((decoded, !HAS_WARNED.get()))
}

/// Unwinds at an error of libjpeg.
fn read_or_unwind(jpeg: impl BufRead, side: u32) -> io::Result<Option<Decoded>> {
    const METADATA: &[Marker] = &[Marker::APP(1), Marker::APP(2)];
    let mut decoder = Decompress::with_err(error_manager()).with_markers(METADATA).from_reader(jpeg)?;
    let exif = |data: &[u8]| data.strip_prefix(b"Exif\0\0").and_then(Orientation::from_exif_chunk);
    let orientation = decoder.markers().find_map(|marker| exif(marker.data));
    let mut parts: Vec<_> = decoder.markers().filter_map(|marker| marker.data.strip_prefix(b"ICC_PROFILE\0")).collect();
    parts.sort_by_key(|part| part.first().copied()); // its number
    let profile: Vec<u8> = parts.iter().flat_map(|part| part.get(2..).unwrap_or_default()).copied().collect();
    let longest = decoder.width().max(decoder.height());
    let eighths = (side as usize * 8).div_ceil(longest.max(1)).clamp(1, 8);
    decoder.scale(eighths as u8);
    let is_cmyk = matches!(decoder.color_space(), ColorSpace::JCS_CMYK | ColorSpace::JCS_YCCK);
    let mut started = decoder.to_colorspace(if is_cmyk { ColorSpace::JCS_CMYK } else { ColorSpace::JCS_RGB })?;
    let mut pixels: Vec<u8> = started.read_scanlines()?;
    let profile = ColorProfile::new_from_slice(&profile).ok();
    if is_cmyk {
        pixels = convert_cmyk(pixels, profile.as_ref());
    }
    let image = RgbImage::from_raw(started.width() as u32, started.height() as u32, pixels);
    Ok(image.map(|image| Decoded { image, profile, orientation: orientation.into_iter().collect() }))
}

/// Converts to RGB by the profile, or as light through four inks, as browsers do. The inks are stored inverted, as Photoshop does.
fn convert_cmyk(mut pixels: Vec<u8>, profile: Option<&ColorProfile>) -> Vec<u8> {
    let options = TransformOptions::default();
    let by_profile = profile.filter(|profile| profile.color_space == DataColorSpace::Cmyk).and_then(|profile| {
        profile.create_transform_8bit(Layout::Rgba, &ColorProfile::new_srgb(), Layout::Rgb, options).ok()
    });
    let mut converted = vec![0; pixels.len() / 4 * 3];
    if let Some(transform) = by_profile {
        pixels.iter_mut().for_each(|ink| *ink = 255 - *ink);
        if transform.transform(&pixels, &mut converted).is_ok() {
            return converted;
        }
        pixels.iter_mut().for_each(|ink| *ink = 255 - *ink);
    }
    for (rgb, inks) in converted.chunks_exact_mut(3).zip(pixels.chunks_exact(4)) {
        for (to, ink) in rgb.iter_mut().zip(inks) {
            *to = ((u32::from(*ink) * u32::from(inks[3]) + 127) / 255) as u8;
        }
    }
    converted
}

/// Encodes a picture without metadata; a small one with all its chroma, whose loss would be visible.
pub(super) fn encode(picture: &RgbImage, quality: u8) -> Bytes {
    let mut encoder = Compress::new(ColorSpace::JCS_RGB);
    encoder.set_fastest_defaults();
    encoder.set_size(picture.width() as usize, picture.height() as usize);
    encoder.set_quality(f32::from(quality));
    if picture.width().max(picture.height()) <= limits::SCREEN_SIDE_PIXELS_MAX {
        encoder.set_chroma_sampling_pixel_sizes((1, 1), (1, 1));
    }
    let mut jpeg = encoder.start_compress(Vec::new()).expect("the sampling is the default");
    jpeg.write_scanlines(picture.as_raw()).expect("a write into memory succeeds");
    jpeg.finish().expect("a write into memory succeeds").into()
}

thread_local! {
    /// Whether libjpeg gave a warning in this thread.
    static HAS_WARNED: Cell<bool> = const { Cell::new(false) };
}

fn error_manager() -> jpeg_error_mgr {
    jpeg_error_mgr {
        error_exit: Some(unwind),
        emit_message: Some(note_warning),
        output_message: Some(ignore),
        format_message: None,
        reset_error_mgr: Some(ignore),
        msg_code: 0,
        msg_parm: Default::default(),
        trace_level: 0,
        num_warnings: 0,
        jpeg_message_table: null(),
        last_jpeg_message: 0,
        addon_message_table: null(),
        first_addon_message: 0,
        last_addon_message: 0,
    }
}

extern "C-unwind" fn unwind(_: &mut jpeg_common_struct) {
    resume_unwind(Box::new("libjpeg cannot read the file"));
}

/// A negative level is a warning.
extern "C-unwind" fn note_warning(_: &mut jpeg_common_struct, level: c_int) {
    HAS_WARNED.set(HAS_WARNED.get() || level < 0);
}

extern "C-unwind" fn ignore(_: &mut jpeg_common_struct) {}
