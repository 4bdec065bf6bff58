//! Hostile photos, fetched by the server because a request names them: small files that decode to much, and broken ones.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat};

use super::Input;
use super::random::Random;
use super::target::Target;
use crate::app::picture::photo;

const FORMATS: [&str; 5] = ["jpeg", "png", "webp", "gif", "heic"];

/// A photo of any format: whole, damaged, cut off, of many pixels, or of a size that it does not have.
pub fn draw(random: &mut Random, target: &Target) -> Input {
    let format = *random.pick(&FORMATS);
    let (name, bytes) = match random.below(4) {
        0 => (format!("{format}, damaged"), damaged(random, photo(format))),
        1 => {
            let mut bytes = photo(format);
            bytes.truncate(random.below(bytes.len()));
            (format!("{format}, cut off"), bytes)
        }
        2 => {
            let side = random.size(64, 7_000) as u32;
            (format!("png of {side} x {side}"), empty(ImageFormat::Png, side))
        }
        _ => {
            let side = random.size(64, 7_000) as u32;
            (format!("jpeg of {side} x {side}"), empty(ImageFormat::Jpeg, side))
        }
    };
    let unique = format!("{:016x}", random.next());
    let size = bytes.len();
    let mut sent = target.post_photo(&unique, bytes);
    // Fetched bytes count as sent: the request is padded with as much white space.
    sent.resize(sent.len() + size, b' ');
    Input { family: "photo", name: format!("{name}, {size} bytes"), bytes: sent, connections: 1, reads: true }
}

fn damaged(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..random.size(1, 32) {
        let at = random.below(bytes.len());
        bytes[at] = random.next() as u8;
    }
    bytes
}

/// Black, and so of few bytes for its pixels.
fn empty(format: ImageFormat, side: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageLuma8(GrayImage::new(side, side))
        .write_to(&mut bytes, format)
        .expect("memory takes what is written");
    bytes.into_inner()
}
