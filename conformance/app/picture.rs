//! Real photos and hostile ones. Those of the mock server have just enough bytes to recognise the format.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 64;

/// A photo in one of the five formats, wider than it is high, red on its left and blue on its right.
pub fn photo(format: &str) -> Vec<u8> {
    let colour = |x| if x < WIDTH / 2 { Rgb([200, 30, 30]) } else { Rgb([30, 30, 200]) };
    let image = RgbImage::from_fn(WIDTH, HEIGHT, |x, _| colour(x));
    let format = match format {
        "heic" => {
            let options = heifer::EncodeOptions::default();
            return heifer::encode_rgb8(WIDTH, HEIGHT, image.as_raw(), &options).expect("a HEIC can be written");
        }
        "jpeg" => ImageFormat::Jpeg,
        "png" => ImageFormat::Png,
        "webp" => ImageFormat::WebP,
        "gif" => ImageFormat::Gif,
        other => panic!("{other} is no format of a photo"),
    };
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, format).expect("a write into memory succeeds");
    bytes.into_inner()
}

/// Returns a PNG of one colour: a few kilobytes at any size.
pub fn flat_png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::ImageRgb8(RgbImage::new(width, height));
    image.write_to(&mut bytes, ImageFormat::Png).expect("a write into memory succeeds");
    bytes.into_inner()
}

/// Returns a square PNG that does not compress: three bytes a pixel.
pub fn noisy_png(side: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let shade = |x: u32, y: u32| (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519)).rotate_left(x % 13);
    let image = RgbImage::from_fn(side, side, |x, y| {
        let [red, green, blue, _] = shade(x + 1, y + 1).wrapping_mul(3_266_489_917).to_le_bytes();
        Rgb([red, green, blue])
    });
    DynamicImage::ImageRgb8(image).write_to(&mut bytes, ImageFormat::Png).expect("a write into memory succeeds");
    bytes.into_inner()
}

/// A JPEG as a telephone makes it: to be turned a quarter to the right, and taken at 52° 22' N (CIPA DC-008).
pub fn photo_with_position() -> Vec<u8> {
    let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
    tiff.extend(b"\x12\x01\x03\0\x01\0\0\0\x06\0\0\0");
    tiff.extend(b"\x25\x88\x04\0\x01\0\0\0\x26\0\0\0");
    tiff.extend(b"\0\0\0\0");
    tiff.extend(b"\x02\0\x01\0\x02\0\x02\0\0\0N\0\0\0\x02\0\x05\0\x03\0\0\0\x44\0\0\0\0\0\0\0");
    for number in [52_u32, 1, 22, 1, 0, 1] {
        tiff.extend(number.to_le_bytes());
    }
    let jpeg = photo("jpeg");
    let length = u16::try_from(tiff.len() + 8).expect("a short block").to_be_bytes();
    [b"\xFF\xD8\xFF\xE1", &length[..], b"Exif\0\0", &tiff, &jpeg[2..]].concat()
}

/// A PNG of a few bytes that says it is 30,000 pixels wide and high.
pub fn bomb() -> Vec<u8> {
    let mut png = photo("png");
    png[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let checksum = crc32fast::hash(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&checksum);
    png
}

/// A HEIC that says it is 10,000 pixels wide and high.
pub fn huge_heic() -> Vec<u8> {
    let mut heic = photo("heic");
    let size = heic.windows(4).position(|name| name == b"ispe").expect("the box") + 8;
    heic[size..size + 8].copy_from_slice(&[0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10]);
    heic
}

/// A JPEG that says it has 12 bits a sample, which browsers do not show.
pub fn jpeg_of_12_bits() -> Vec<u8> {
    let mut jpeg = photo("jpeg");
    let frame = jpeg.windows(2).position(|pair| pair == b"\xFF\xC0").expect("a frame");
    jpeg[frame + 4] = 12;
    jpeg
}

/// The width and height of a JPEG.
pub fn size_of(jpeg: &[u8]) -> (u32, u32) {
    let image = image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg).expect("a JPEG");
    (image.width(), image.height())
}
