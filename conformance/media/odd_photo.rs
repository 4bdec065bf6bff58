//! Photos that are damaged, unfinished or unusual: shown as browsers and libheif show them, or refused with the right word.
//!
//! What Chromium or djpeg of libjpeg-turbo shows whole is shown; what they show in part is damaged.

use std::io::{Cursor, Write as _};
use std::process::Stdio;

use image::codecs::gif::GifEncoder;
use image::{Delay, DynamicImage, Frame, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use crate::app::{FreshDatabase, Program};

/// The corners of the samples: above, and below.
const CORNERS: [[u8; 3]; 4] = [[200, 40, 40], [40, 160, 60], [50, 60, 200], [220, 200, 60]];
/// The same after a quarter to the right.
const TURNED: [[u8; 3]; 4] = [CORNERS[2], CORNERS[0], CORNERS[3], CORNERS[1]];
/// The same numbers as light, and as Display P3, in sRGB (IEC 61966-2-1, SMPTE EG 432-1).
const LINEAR: [[u8; 3]; 4] = [[229, 110, 110], [110, 208, 133], [122, 133, 229], [239, 229, 133]];
const WIDE: [[u8; 3]; 4] = [[218, 0, 26], [0, 163, 40], [47, 60, 208], [224, 199, 0]];
const SIZE: (u32, u32) = (96, 64);

/// What the decoder says.
#[derive(Debug, PartialEq)]
enum Said {
    Shown([[u8; 3]; 4]),
    UnusualFormat,
    Damaged,
    TooManyPixels,
}
use Said::{Damaged, Shown, TooManyPixels, UnusualFormat};

/// Decodes a photo as the server does.
fn decode(database: &FreshDatabase, photo: &[u8]) -> Said {
    let mut command = Program::new(database).command(&["decode-photo", "renditions"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary starts");
    child.stdin.take().expect("stdin").write_all(photo).expect("the decoder reads");
    let output = child.wait_with_output().expect("the decoder ends");
    assert!(output.status.success(), "{}", output.status);
    match output.stdout[..] {
        [1] => UnusualFormat,
        [2] => Damaged,
        [3] => TooManyPixels,
        [0, ref answer @ ..] => {
            let length = u32::from_be_bytes(answer[8..12].try_into().expect("four bytes")) as usize;
            let screen = image::load_from_memory_with_format(&answer[12..12 + length], ImageFormat::Jpeg);
            Shown(corners(&screen.expect("a JPEG").into_rgb8()))
        }
        ref other => panic!("{other:?}"),
    }
}

/// The mean colours of the four quarters, near the edges above and below: a damaged strip may be between.
fn corners(picture: &RgbImage) -> [[u8; 3]; 4] {
    let (width, height) = picture.dimensions();
    [(2, 1), (6, 1), (2, 7), (6, 7)].map(|(x, y)| {
        let part = image::imageops::crop_imm(picture, width * x / 8 - 6, height * y / 8 - 6, 12, 12).to_image();
        [0, 1, 2].map(|channel| {
            let sum: u32 = part.pixels().map(|pixel| u32::from(pixel[channel])).sum();
            (sum / (12 * 12)) as u8
        })
    })
}

#[track_caller]
fn assert_decoded(database: &FreshDatabase, cases: impl IntoIterator<Item = (impl std::fmt::Display, Vec<u8>, Said)>) {
    for (name, photo, expected) in cases {
        let said = decode(database, &photo);
        match (&said, &expected) {
            (Shown(seen), Shown(right)) => {
                let far =
                    seen.iter().flatten().zip(right.iter().flatten()).any(|(seen, right)| seen.abs_diff(*right) > 8);
                assert!(!far, "{name}: {seen:?} for {right:?}");
            }
            _ => assert_eq!(said, expected, "{name}"),
        }
    }
}

fn jpeg(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/conformance/data/jpeg/{name}.jpeg", env!("CARGO_MANIFEST_DIR"))).expect("a sample")
}

/// Where a marker is.
fn position(jpeg: &[u8], marker: u8) -> usize {
    jpeg.windows(2).position(|pair| pair == [0xFF, marker]).expect("the marker")
}

/// The file with other bytes at a place.
fn with(bytes: &[u8], at: usize, other: &[u8]) -> Vec<u8> {
    [&bytes[..at], other, &bytes[at + other.len()..]].concat()
}

/// The file without segments of a kind.
fn without(jpeg: &[u8], marker: u8) -> Vec<u8> {
    let mut rest = jpeg.to_vec();
    while let Some(at) = rest.windows(2).position(|pair| pair == [0xFF, marker]) {
        let length = usize::from(u16::from_be_bytes([rest[at + 2], rest[at + 3]]));
        rest.drain(at..at + 2 + length);
    }
    rest
}

/// An EXIF segment (CIPA DC-008) with an orientation, or with the maker of the camera.
fn exif(orientation: Option<u8>) -> Vec<u8> {
    let entry = match orientation {
        Some(orientation) => [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0],
        None => *b"\x0F\x01\x02\0\x04\0\0\0abc\0",
    };
    let tiff = [&b"Exif\0\0II*\0\x08\0\0\0\x01\0"[..], &entry, b"\0\0\0\0"].concat();
    [b"\xFF\xE1", &(tiff.len() as u16 + 2).to_be_bytes()[..], &tiff].concat()
}

fn picture() -> RgbImage {
    let (width, height) = SIZE;
    RgbImage::from_fn(width, height, |x, y| Rgb(CORNERS[(2 * (y >= height / 2) as usize) + (x >= width / 2) as usize]))
}

fn png(image: DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("a write into memory succeeds");
    bytes.into_inner()
}

/// The PNG with a chunk behind its header.
fn with_chunk(png: &[u8], name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [&name[..], data].concat();
    let length = (data.len() as u32).to_be_bytes();
    [&png[..33], &length, &named, &crc32fast::hash(&named).to_be_bytes(), &png[33..]].concat()
}

fn heic() -> Vec<u8> {
    let (width, height) = SIZE;
    heifer::encode_rgb8(width, height, picture().as_raw(), &heifer::EncodeOptions::default())
        .expect("a HEIC can be written")
}

on_sqlite! {
    async fn jpeg_that_libjpeg_shows_whole_is_shown(database: FreshDatabase) {
        let kinds = ["baseline", "progressive", "restarts", "scans-420", "scans-440", "sampled-3x1", "fine-chroma", "arithmetic", "cmyk"];
        for name in kinds {
            let photo = jpeg(name);
            let data = &photo[..photo.len() - 2]; // without the end marker
            let frame = photo.windows(2).position(|pair| matches!(pair, [0xFF, 0xC0 | 0xC2 | 0xC9])).expect("a frame");
            let cases = [
                ("as it is", photo.clone(), Shown(CORNERS)),
                ("no end", data.to_vec(), Shown(CORNERS)),
                ("half an end", [data, b"\xFF"].concat(), Shown(CORNERS)),
                ("zeros for the end", [data, b"\0\0"].concat(), Shown(CORNERS)),
                ("bytes before the end", [data, b"\x12\x34\x56\xFF\xD9"].concat(), Shown(CORNERS)),
                ("a tail", [&photo, &[0; 500][..]].concat(), Shown(CORNERS)),
                // Chromium shows these in part.
                ("half", photo[..photo.len() / 2].to_vec(), Damaged),
                ("half with an end", [&photo[..photo.len() / 2], b"\xFF\xD9"].concat(), Damaged),
                ("nine tenths with an end", [&photo[..photo.len() * 9 / 10], b"\xFF\xD9"].concat(), Damaged),
                ("an end inside", with(&photo, photo.len() * 2 / 3, b"\xFF\xD9"), Damaged),
                ("twice the height", with(&photo, frame + 5, &[0, 128]), Damaged),
            ];
            assert_decoded(&database, cases.map(|(case, photo, said)| (format!("{name}, {case}"), photo, said)));
        }
    }

    async fn unusual_jpeg_is_shown_or_named_rightly(database: FreshDatabase) {
        let photo = jpeg("baseline");
        let frame = position(&photo, 0xC0);
        let with_exif = |segments: &[Option<u8>]| {
            let segments: Vec<u8> = segments.iter().flat_map(|orientation| exif(*orientation)).collect();
            [&photo[..2], &segments, &photo[2..]].concat()
        };
        let restarts = jpeg("restarts");
        let markers: Vec<usize> = (0..restarts.len() - 1).filter(|at| restarts[*at] == 0xFF && matches!(restarts[at + 1], 0xD0..=0xD7)).collect();
        let scan = position(&photo, 0xDA);
        assert_decoded(&database, [
            // The tables of ISO/IEC 10918-1, annex K, which a webcam leaves out.
            ("no Huffman tables", without(&photo, 0xC4), Shown(CORNERS)),
            ("no quantization tables", without(&photo, 0xDB), Damaged),
            // A strip is lost, and the rest is shown.
            ("a strip of zeros", with(&restarts, markers[0] + 20, &[0; 30]), Shown(CORNERS)),
            ("a lost restart marker", [&restarts[..markers[0]], &restarts[markers[0] + 2..]].concat(), Shown(CORNERS)),
            ("bytes before a restart marker", [&restarts[..markers[1]], b"\x11\x22", &restarts[markers[1]..]].concat(), Shown(CORNERS)),
            ("odd numbers in the head of the scan", with(&photo, scan + 11, &[1, 0, 1]), Shown(CORNERS)),
            // The first orientation counts, as in Chromium.
            ("EXIF 6, then 1", with_exif(&[Some(6), Some(1)]), Shown(TURNED)),
            ("EXIF 6, then without", with_exif(&[Some(6), None]), Shown(TURNED)),
            ("EXIF without, then 6", with_exif(&[None, Some(6)]), Shown(TURNED)),
            // Chromium does not show these either. They are not damaged.
            ("12 bits", with(&photo, frame + 4, &[12]), UnusualFormat),
            ("lossless", with(&photo, frame, &[0xFF, 0xC3]), UnusualFormat),
            ("100 million pixels", with(&photo, frame + 5, &[0x27, 0x10, 0x27, 0x10]), TooManyPixels),
        ]);
    }

    async fn png_is_shown_as_in_chromium(database: FreshDatabase) {
        let photo = png(DynamicImage::ImageRgb8(picture()));
        let end = photo.len() - 12; // of the last row
        let adobe = [31_270_u32, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000].map(u32::to_be_bytes).concat();
        assert_decoded(&database, [
            ("as it is", photo.clone(), Shown(CORNERS)),
            ("grey and clear", png(DynamicImage::ImageLumaA8(image::GrayAlphaImage::new(96, 64))), Shown([[255; 3]; 4])),
            ("no end", photo[..end].to_vec(), Shown(CORNERS)),
            ("part of the end", photo[..end + 6].to_vec(), Shown(CORNERS)),
            ("half", photo[..photo.len() / 2].to_vec(), Damaged),
            // PNG, third edition: 11.3.2.2 (gAMA), 11.3.2.6 (cICP), and their order in 4.3.
            ("gAMA 1", with_chunk(&photo, b"gAMA", &100_000_u32.to_be_bytes()), Shown(LINEAR)),
            ("gAMA of sRGB", with_chunk(&photo, b"gAMA", &45_455_u32.to_be_bytes()), Shown(CORNERS)),
            ("gAMA 1, then sRGB", with_chunk(&with_chunk(&photo, b"gAMA", &100_000_u32.to_be_bytes()), b"sRGB", &[0]), Shown(CORNERS)),
            ("cHRM alone", with_chunk(&photo, b"cHRM", &adobe), Shown(CORNERS)),
            ("cICP of Display P3", with_chunk(&photo, b"cICP", &[12, 13, 0, 1]), Shown(WIDE)),
        ]);
    }

    async fn gif_that_starts_empty_is_shown_by_its_next_frame(database: FreshDatabase) {
        let shown = DynamicImage::ImageRgb8(picture()).into_rgba8();
        let mut bytes = Vec::new();
        let delay = Delay::from_numer_denom_ms(100, 1);
        let frames = [RgbaImage::from_pixel(96, 64, Rgba([0; 4])), shown].map(|image| Frame::from_parts(image, 0, 0, delay));
        GifEncoder::new(&mut bytes).encode_frames(frames).expect("a write into memory succeeds");
        assert_decoded(&database, [("empty first", bytes.clone(), Shown(CORNERS)), ("cut off", bytes[..bytes.len() / 2].to_vec(), Damaged)]);
    }

    async fn heic_is_shown_as_libheif_shows_it(database: FreshDatabase) {
        let photo = heic();
        let at = |name: &[u8]| photo.windows(name.len()).position(|bytes| bytes == name).expect("the box");
        let (size, colours) = (at(b"ispe") + 8, at(b"nclx") + 4);
        let tail = |tail: &[u8]| [&photo, tail].concat();
        assert_decoded(&database, [
            ("as it is", photo.clone(), Shown(CORNERS)),
            ("a line end", tail(b"\r\n"), Shown(CORNERS)),
            ("three zeros", tail(&[0; 3]), Shown(CORNERS)),
            ("four zeros", tail(&[0; 4]), Shown(CORNERS)),
            ("the end of a form", tail(b"\r\n--boundary--\r\n"), Shown(CORNERS)),
            ("the trailer of a Samsung", tail(b"\0\0\x01\x0aSEFH\x6b\0\0\0SEFT"), Shown(CORNERS)),
            ("half", photo[..photo.len() / 2].to_vec(), Damaged),
            ("100 million pixels", with(&photo, size, &[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]), TooManyPixels),
            // Cameras write the code points of BT.601 and BT.709 for pictures of sRGB; ITU-T H.273.
            ("BT.601", with(&photo, colours, &[0, 6, 0, 6]), Shown(CORNERS)),
            ("Display P3", with(&photo, colours, &[0, 12, 0, 13]), Shown(WIDE)),
        ]);
    }
}
