//! Writes the picture of a card as SVG.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;

use super::crop::placement;
use super::look::Look;
use super::name_lines::{LINE_HEIGHT, drawable, fit_name};
use crate::media::content_type_of;
use crate::model::{FocalPoint, LeadIn, PixelSize};
use crate::text::card as words;

/// The size that messengers show large.
pub(crate) const SIZE: PixelSize = PixelSize { width: 1_200, height: 630 };

/// The middle of the sheet, below the cover.
const MIDDLE: f32 = 410.0;
/// The largest and the smallest width of a portrait for its height. A wider portrait is cropped around the focal point.
const RATIO_MAX: f32 = 1.2;
const RATIO_MIN: f32 = 0.75;

/// A stored picture with its key.
pub(super) struct Stored<'a> {
    pub key: &'a str,
    pub bytes: Bytes,
}

/// The picture next to the text.
pub(super) enum Figure<'a> {
    Portrait(Stored<'a>, PixelSize, FocalPoint),
    Ornament(Stored<'a>),
}

/// The text on the cover of a theme.
pub(super) struct Text<'a> {
    pub lead_in: LeadIn,
    pub name: Option<&'a str>,
    pub years: Option<&'a str>,
}

/// Writes the picture; the cover alone without `text`.
pub(super) fn write_svg(
    look: &Look,
    cover: Option<&Stored<'_>>,
    figure: Option<&Figure<'_>>,
    text: Option<&Text<'_>>,
) -> Bytes {
    let PixelSize { width, height } = SIZE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
        look.frame
    );
    if let Some(cover) = cover {
        let height = if text.is_some() { 240.0 } else { 630.0 };
        svg += &write_image(cover, (0.0, 0.0), (1_200.0, height), "xMidYMid slice");
    }
    match (text, figure) {
        (Some(text), _) => svg += &write_sheet(look, figure, text),
        (None, Some(Figure::Portrait(picture, size, point))) => {
            svg += "<rect y=\"530\" width=\"1200\" height=\"100\" fill=\"#ffffff\"/>\
                    <circle cx=\"600\" cy=\"522\" r=\"106\" fill=\"#ffffff\"/>\
                    <clipPath id=\"round\"><circle cx=\"600\" cy=\"522\" r=\"96\"/></clipPath><g clip-path=\"url(#round)\">";
            svg += &write_cropped(picture, *size, *point, (504.0, 426.0), (192.0, 192.0));
            svg += "</g>";
        }
        (None, _) => {}
    }
    svg += "</svg>";
    svg.into()
}

fn write_sheet(look: &Look, figure: Option<&Figure<'_>>, text: &Text<'_>) -> String {
    let middle = if figure.is_some() { 780.0 } else { 600.0 };
    let mut svg = format!(
        "<linearGradient id=\"fade\" x2=\"0\" y2=\"1\"><stop stop-color=\"{0}\" stop-opacity=\"0\"/><stop offset=\"1\" stop-color=\"{0}\"/>\
         </linearGradient><rect y=\"150\" width=\"1200\" height=\"91\" fill=\"url(#fade)\"/>\
         <rect x=\"60\" y=\"190\" width=\"1080\" height=\"460\" rx=\"6\" fill=\"{1}\"/>",
        look.frame, look.sheet
    );
    match figure {
        Some(Figure::Portrait(picture, size, point)) => {
            let ratio = (size.width as f32 / size.height as f32).clamp(RATIO_MIN, RATIO_MAX);
            let (width, height) = if ratio < 0.8 { (372.0 * ratio, 372.0) } else { (340.0, 340.0 / ratio) };
            let (x, y) = (270.0 - width / 2.0, MIDDLE - height / 2.0);
            svg += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\" stroke=\"#00000022\"/>",
                x - 12.0,
                y - 12.0,
                width + 24.0,
                height + 24.0
            );
            svg += &write_cropped(picture, *size, *point, (x, y), (width, height));
        }
        Some(Figure::Ornament(picture)) => {
            svg += "<clipPath id=\"round\"><circle cx=\"270\" cy=\"410\" r=\"150\"/></clipPath>\
                    <circle cx=\"270\" cy=\"410\" r=\"162\" fill=\"#ffffff\"/><g clip-path=\"url(#round)\">";
            svg += &write_image(picture, (120.0, 260.0), (300.0, 300.0), "xMidYMid slice");
            svg += "</g>";
        }
        None => {}
    }
    svg + &write_lines(look, text, middle)
}

/// The lines of text, one below the other around the middle of the sheet.
fn write_lines(look: &Look, text: &Text<'_>, middle: f32) -> String {
    let drawn = text.name.and_then(drawable);
    let (size, name) = fit_name(drawn.as_deref().unwrap_or(words::UNNAMED));
    let lead_in = words::lead_in(text.lead_in).filter(|_| drawn.is_some());
    let lead_in = lead_in.map(|words| (words, 30.0, look.soft, 52.0));
    let years = text.years.map(|years| (years, 36.0, look.soft, 66.0));
    let name = name.iter().map(|line| (line.as_str(), size, look.accent, size * LINE_HEIGHT));
    let all: Vec<_> = lead_in.into_iter().chain(name).chain(years).collect();
    let height: f32 = all.iter().map(|(_, _, _, height)| height).sum();
    let (mut y, mut svg) = (MIDDLE - height / 2.0, String::new());
    for (words, size, colour, height) in all {
        y += height;
        // Below that size the display face loses its hairlines.
        let is_fine = look.family == "Noto Serif Display" && size < 46.0;
        let (family, weight) = if is_fine { ("EB Garamond Medium", 500) } else { (look.family, look.weight) };
        svg += &format!(
            "<text x=\"{middle}\" y=\"{}\" font-family=\"{}\" font-weight=\"{}\" font-size=\"{size}\" fill=\"{colour}\" \
             text-anchor=\"middle\">{}</text>",
            y - size * 0.2,
            family,
            weight,
            escape(words)
        );
    }
    svg
}

fn write_image(picture: &Stored<'_>, (x, y): (f32, f32), (width, height): (f32, f32), fit: &str) -> String {
    format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"{fit}\" \
         href=\"data:{};base64,{}\"/>",
        content_type_of(picture.key),
        BASE64.encode(&picture.bytes)
    )
}

/// A picture that fills a frame, with its focal point in the middle as far as it reaches. What is beyond the frame is cut off.
fn write_cropped(
    picture: &Stored<'_>,
    size: PixelSize,
    point: FocalPoint,
    (x, y): (f32, f32),
    (width, height): (f32, f32),
) -> String {
    let (whole_width, whole_height) = (size.width as f32, size.height as f32);
    let scale = (width / whole_width).max(height / whole_height);
    let (whole_width, whole_height) = (whole_width * scale, whole_height * scale);
    let (across, down) = placement(point, size, width / height);
    let place = ((width - whole_width) * across, (height - whole_height) * down);
    format!(
        "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{}</svg>",
        write_image(picture, place, (whole_width, whole_height), "none")
    )
}

/// Returns a text for XML, which knows no control characters.
fn escape(text: &str) -> String {
    let known = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c };
    let text: String = text.chars().map(known).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_for_xml() {
        assert_eq!(escape("a<b>&\u{1}"), "a&lt;b&gt;&amp; ");
    }
}
