//! Renditions of valid and of malicious photos.

use std::io::Cursor;

use bytes::Bytes;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use super::{Reencoded, RenderError, Renderer, Renditions, Requester};
use crate::base::limits;

/// A landscape whose left half is red and whose right half is blue.
fn landscape(width: u32, height: u32) -> DynamicImage {
    let colour = |x| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 20, 220]) };
    DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| colour(x)))
}

fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("a write into memory succeeds");
    bytes.into_inner()
}

/// A JPEG with an EXIF block (CIPA DC-008): turned a quarter, taken at 52° 22' N.
fn from_a_telephone(jpeg: &[u8]) -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
    tiff.extend(b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0"); // orientation: 6, to be turned a quarter to the right
    tiff.extend(b"\x25\x88\x04\0\x01\0\0\0\x26\0\0\0"); // the position
    tiff.extend(b"\0\0\0\0");
    tiff.extend(b"\x02\0\x01\0\x02\0\x02\0\0\0N\0\0\0\x02\0\x05\0\x03\0\0\0\x44\0\0\0\0\0\0\0");
    for number in [52_u32, 1, 22, 1, 0, 1] {
        tiff.extend(number.to_le_bytes());
    }
    let mut segment = b"Exif\0\0".to_vec();
    segment.extend(tiff);
    let mut photo = b"\xFF\xD8\xFF\xE1".to_vec();
    photo.extend((segment.len() as u16 + 2).to_be_bytes());
    photo.extend(segment);
    photo.extend(&jpeg[2..]);
    photo
}

async fn rendered(photo: impl Into<Bytes>) -> Result<Renditions, RenderError> {
    Renderer::in_this_process().renditions(photo.into(), Requester::worker()).await
}

async fn reencoded(photo: impl Into<Bytes>) -> Result<Reencoded, RenderError> {
    Renderer::in_this_process().reencode(photo.into(), Requester::worker()).await
}

fn read(jpeg: &[u8]) -> RgbImage {
    image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg).expect("a JPEG").into_rgb8()
}

/// Whether a pixel is more red than blue.
fn is_red(image: &RgbImage, x: u32, y: u32) -> bool {
    let pixel = image.get_pixel(x, y);
    pixel[0] > pixel[2]
}

#[tokio::test]
async fn photo_of_every_format_becomes_a_jpeg_of_its_shape() {
    let image = landscape(64, 48);
    let heic = heifer::encode_rgb8(64, 48, image.as_rgb8().expect("RGB"), &heifer::EncodeOptions::default());
    for (name, photo) in [
        ("jpeg", written(&image, ImageFormat::Jpeg)),
        ("png", written(&image, ImageFormat::Png)),
        ("gif", written(&image, ImageFormat::Gif)),
        ("webp", written(&image, ImageFormat::WebP)),
        ("heic", heic.expect("a HEIC can be written")),
    ] {
        let made = rendered(photo).await.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((made.screen_size.width, made.screen_size.height), (64, 48), "{name}");
        for jpeg in [&made.screen, &made.phone, &made.preview] {
            let picture = read(jpeg);
            assert_eq!(picture.dimensions(), (64, 48), "{name}: a small photo is not made larger");
            assert!(is_red(&picture, 5, 24) && !is_red(&picture, 58, 24), "{name}");
        }
    }
}

#[tokio::test]
async fn orientation_is_applied_and_position_and_camera_are_gone() {
    let photo = from_a_telephone(&written(&landscape(64, 48), ImageFormat::Jpeg));
    assert!(photo.windows(4).any(|bytes| bytes == b"Exif"));
    let taken = reencoded(photo).await.expect("a photo");
    for jpeg in [&taken.photo, &taken.renditions.screen, &taken.renditions.phone, &taken.renditions.preview] {
        assert!(!jpeg.windows(4).any(|bytes| bytes == b"Exif"), "no block of that name is left");
        assert!(!jpeg.windows(2).any(|pair| pair == b"\xFF\xE1"), "nor any other of its kind");
        let picture = read(jpeg);
        assert_eq!(picture.dimensions(), (48, 64), "it is upright");
        assert!(is_red(&picture, 24, 5) && !is_red(&picture, 24, 58), "what was left is on top");
    }
}

#[tokio::test]
async fn large_photo_is_cut_down_to_the_screen() {
    let made = rendered(written(&landscape(6_000, 1_000), ImageFormat::Jpeg)).await.expect("a photo");
    assert_eq!(read(&made.screen).dimensions(), (limits::SCREEN_SIDE_PIXELS_MAX, 233));
    assert_eq!(read(&made.phone).dimensions(), (limits::PHONE_SIDE_PIXELS_MAX, 160));
    assert_eq!(read(&made.preview).dimensions(), (limits::PREVIEW_SIDE_PIXELS_MAX, 80));
}

#[tokio::test]
async fn what_shines_through_is_white() {
    let clear = DynamicImage::ImageRgba8(image::RgbaImage::new(8, 8));
    let made = rendered(written(&clear, ImageFormat::Png)).await.expect("a photo");
    assert_eq!(read(&made.screen).get_pixel(4, 4).0, [255, 255, 255]);
}

#[tokio::test]
async fn photo_with_too_many_pixels_is_refused_before_decoding() {
    // A few bytes that say 30,000 by 30,000, in each format that can say so.
    let mut png = written(&landscape(4, 4), ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let checksum = crc32fast::hash(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&checksum);
    let mut gif = written(&landscape(4, 4), ImageFormat::Gif);
    gif[6..10].copy_from_slice(&[0x30, 0x75, 0x30, 0x75]);
    let mut jpeg = written(&landscape(16, 16), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|pair| pair == b"\xFF\xC0").expect("a frame");
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x75, 0x30, 0x75, 0x30]);
    for (name, photo) in [("png", png), ("gif", gif), ("jpeg", jpeg)] {
        assert_eq!(rendered(photo).await.err(), Some(RenderError::TooManyPixels), "{name}");
    }
}

#[tokio::test]
async fn photo_of_few_bytes_may_have_fewer_pixels_than_a_large_one() {
    // 25 million pixels of one colour.
    let image = DynamicImage::ImageRgb8(RgbImage::new(5_000, 5_000));
    for (format, expected) in [
        (ImageFormat::Png, Some(RenderError::TooManyPixels)),
        (ImageFormat::WebP, Some(RenderError::TooManyPixels)),
        (ImageFormat::Jpeg, None),
    ] {
        assert_eq!(rendered(written(&image, format)).await.err(), expected, "{format:?}");
    }
}

#[tokio::test]
async fn photo_that_is_cut_off_or_something_else_is_unreadable() {
    let image = landscape(200, 200);
    let heic = heifer::encode_rgb8(200, 200, image.as_rgb8().expect("RGB"), &heifer::EncodeOptions::default());
    for (name, whole) in [
        ("jpeg", written(&image, ImageFormat::Jpeg)),
        ("png", written(&image, ImageFormat::Png)),
        ("webp", written(&image, ImageFormat::WebP)),
        ("gif", written(&image, ImageFormat::Gif)),
        ("heic", heic.expect("a HEIC can be written")),
    ] {
        for part in [whole.len() / 3, whole.len() / 2, whole.len() * 9 / 10] {
            let outcome = rendered(whole[..part].to_vec()).await.err();
            assert_eq!(outcome, Some(RenderError::Unreadable), "{name} to {part} of {}", whole.len());
        }
    }
    let script = b"<script>alert(1)</script>";
    for (name, start) in [("jpeg", &b"\xFF\xD8\xFF\xE0"[..]), ("png", b"\x89PNG\r\n\x1A\n")] {
        assert_eq!(rendered([start, script].concat()).await.err(), Some(RenderError::Unreadable), "{name}");
    }
    // The first letters of the script stand where a GIF says its size: 29,500 by 29,283.
    assert_eq!(rendered([b"GIF89a", &script[..]].concat()).await.err(), Some(RenderError::TooManyPixels));
    assert_eq!(rendered(&script[..]).await.err(), Some(RenderError::Format));
}
