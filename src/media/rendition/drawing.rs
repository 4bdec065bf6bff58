//! Draws an SVG as a JPEG with the fonts of `src/media/font`: the picture of a card in a message.

use std::io::Read as _;
use std::sync::Arc;

use bytes::Bytes;
use flate2::read::GzDecoder;
use image::RgbImage;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, fontdb};

use super::{RenderError, jpeg};
use crate::base::limits;
use crate::model::PixelSize;

/// TrueType with the letters that `drawable` in `web/card/picture.rs` permits: made by pyftsubset and gzip.
const FONTS: [&[u8]; 6] = [
    include_bytes!("../font/eb-garamond-500.ttf.gz"),
    include_bytes!("../font/jost-300.ttf.gz"),
    include_bytes!("../font/noto-serif-display-400.ttf.gz"),
    include_bytes!("../font/alegreya-sans-500.ttf.gz"),
    include_bytes!("../font/noto-sans-arabic-400.ttf.gz"),
    include_bytes!("../font/noto-sans-hebrew-400.ttf.gz"),
];

/// The font of the letters that the font of a text lacks; it has Greek and Cyrillic.
const FALLBACK_FAMILY: &str = "EB Garamond Medium";

/// Draws an SVG of a permitted size. Pictures in it are part of it: no file is read.
pub(super) fn draw(svg: &[u8]) -> Result<(PixelSize, Bytes), RenderError> {
    let mut options = Options { font_family: FALLBACK_FAMILY.to_owned(), ..Options::default() };
    options.image_href_resolver = ImageHrefResolver {
        resolve_data: ImageHrefResolver::default_data_resolver(),
        resolve_string: Box::new(|_, _| None),
    };
    let fonts: &mut fontdb::Database = options.fontdb_mut();
    for compressed in FONTS {
        let mut font = Vec::new();
        GzDecoder::new(compressed).read_to_end(&mut font).map_err(|_| RenderError::Unreadable)?;
        fonts.load_font_source(fontdb::Source::Binary(Arc::new(font)));
    }
    let tree = Tree::from_data(svg, &options).map_err(|_| RenderError::Unreadable)?;
    let size = tree.size().to_int_size();
    let size = PixelSize { width: size.width(), height: size.height() };
    if size.width.max(size.height) > limits::SCREEN_SIDE_PIXELS_MAX {
        return Err(RenderError::TooManyPixels);
    }
    let mut pixels = Pixmap::new(size.width, size.height).ok_or(RenderError::Unreadable)?;
    pixels.fill(Color::WHITE);
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    // Opaque, so the premultiplied colours are the colours.
    let rgb = pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    let picture = RgbImage::from_raw(size.width, size.height, rgb).ok_or(RenderError::Unreadable)?;
    Ok((size, jpeg::encode(&picture, limits::RENDITION_QUALITY)))
}
