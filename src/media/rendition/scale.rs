//! Scales pictures down, and converts their colours to sRGB.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use image::RgbImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

/// The picture with a longest side of at most `side`.
pub(super) fn fit(picture: RgbImage, side: u32) -> RgbImage {
    let (width, height) = picture.dimensions();
    let longest = width.max(height);
    if longest <= side {
        return picture;
    }
    let scaled = |length: u32| {
        ((u64::from(length) * u64::from(side) + u64::from(longest) / 2) / u64::from(longest)).max(1) as u32
    };
    let (width, height) = (scaled(width), scaled(height));
    let source = ImageRef::new(picture.width(), picture.height(), picture.as_raw(), PixelType::U8x3);
    let mut target = Image::new(width, height, PixelType::U8x3);
    let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::CatmullRom));
    Resizer::new()
        .resize(&source.expect("a picture has all its pixels"), &mut target, &options)
        .expect("both pictures have pixels of the same type");
    RgbImage::from_raw(width, height, target.into_vec()).expect("a picture has all its pixels")
}

/// Converts from the photo's profile. An unusable profile is ignored, as browsers do.
pub(super) fn convert_to_srgb(picture: &mut RgbImage, profile: &ColorProfile) {
    if profile.color_space != DataColorSpace::Rgb {
        return; // grey, or CMYK that the decoder converted
    }
    let srgb = ColorProfile::new_srgb();
    let transform = profile.create_transform_8bit(Layout::Rgb, &srgb, Layout::Rgb, TransformOptions::default());
    let Ok(transform) = transform else { return };
    let mut converted = vec![0; picture.as_raw().len()];
    if transform.transform(picture.as_raw(), &mut converted).is_ok() {
        picture.copy_from_slice(&converted);
    }
}

/// A picture that is built row by row, each pixel the average of a square, so that a large photo is never in memory as a whole.
pub(super) struct Reducer {
    factor: u32,
    source: (u32, u32),
    /// The sums of the rows of the squares that are not complete.
    sums: Vec<u32>,
    rows: u32,
    pixels: Vec<u8>,
}

impl Reducer {
    /// Reduces to a longest side of at least `side`, or not at all if the photo is smaller.
    pub(super) fn new((width, height): (u32, u32), side: u32) -> Self {
        let factor = (width.max(height) / side).max(1);
        let sums = vec![0; 3 * width.div_ceil(factor) as usize];
        let pixels = Vec::with_capacity(sums.len() * height.div_ceil(factor) as usize);
        Self { factor, source: (width, height), sums, rows: 0, pixels }
    }

    /// Adds the next row of RGB. Rows beyond the height are ignored.
    pub(super) fn push(&mut self, row: &[u8]) {
        let (width, height) = self.source;
        if self.rows == height {
            return;
        }
        self.rows += 1;
        let row = &row[..3 * width as usize];
        if self.factor == 1 {
            self.pixels.extend_from_slice(row);
            return;
        }
        for (sums, square) in self.sums.chunks_exact_mut(3).zip(row.chunks(3 * self.factor as usize)) {
            for pixel in square.chunks_exact(3) {
                sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += u32::from(*value));
            }
        }
        let rows = (self.rows - 1) % self.factor + 1;
        if rows < self.factor && self.rows < height {
            return;
        }
        for (at, sums) in (0..).step_by(self.factor as usize).zip(self.sums.chunks_exact_mut(3)) {
            let count = rows * self.factor.min(width - at);
            for sum in sums {
                self.pixels.push(((*sum + count / 2) / count) as u8);
                *sum = 0;
            }
        }
    }

    /// The picture, or `None` if rows are missing.
    pub(super) fn finish(self) -> Option<RgbImage> {
        let (width, height) = self.source;
        RgbImage::from_raw(width.div_ceil(self.factor), height.div_ceil(self.factor), self.pixels)
    }
}
