//! Writes the picture of a card for messages as an SVG, which the renderer draws.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;

use super::view::Look;
use super::{crop, heading};
use crate::media::content_type_of;
use crate::model::{FocalPoint, PixelSize};
use crate::web::text::card as words;

/// The size that messengers show large.
pub(super) const SIZE: PixelSize = PixelSize { width: 1_200, height: 630 };

/// The longest line of text, and the height of all lines of a name, in pixels.
const LINE_PIXELS: f32 = 600.0;
const NAME_PIXELS: f32 = 250.0;
/// The sizes of a name, in pixels: the first one that fits.
const NAME_SIZES: [f32; 7] = [84.0, 72.0, 62.0, 54.0, 46.0, 38.0, 32.0];
const LINE_HEIGHT: f32 = 1.16;
/// The largest and the smallest width of a portrait for its height; what is beyond is cut off around the focal point.
const RATIO_MAX: f32 = 1.2;
const RATIO_MIN: f32 = 0.75;

/// A stored picture with its key.
pub(super) struct Stored<'a> {
    pub key: &'a str,
    pub bytes: Bytes,
}

/// What is next to the text.
pub(super) enum Figure<'a> {
    Portrait(Stored<'a>, PixelSize, FocalPoint),
    Ornament(Stored<'a>),
}

/// What is on the picture, on the cover of its theme.
pub(super) struct Text<'a> {
    pub name: Option<&'a str>,
    pub years: Option<&'a str>,
}

/// Writes the picture; the cover alone without `text`.
pub(super) fn svg(
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
        svg += &image(cover, (0.0, 0.0), (1_200.0, 630.0), "xMidYMid slice");
    }
    if let Some(text) = text {
        svg += &sheet(look, figure, text);
    }
    svg += "</svg>";
    svg.into()
}

fn sheet(look: &Look, figure: Option<&Figure<'_>>, text: &Text<'_>) -> String {
    let (left, middle) = if figure.is_some() { (250, 800.0) } else { (220, 600.0) };
    let width = if figure.is_some() { 890 } else { 760 };
    let mut svg = format!(
        "<rect x=\"{left}\" y=\"100\" width=\"{width}\" height=\"430\" rx=\"6\" fill=\"{}\" fill-opacity=\"0.95\"/>",
        look.sheet
    );
    match figure {
        Some(Figure::Portrait(picture, size, point)) => {
            let ratio = (size.width as f32 / size.height as f32).clamp(RATIO_MIN, RATIO_MAX);
            let (width, height) = if ratio < 0.8 { (480.0 * ratio, 480.0) } else { (380.0, 380.0 / ratio) };
            let (x, y) = (275.0 - width / 2.0, 315.0 - height / 2.0);
            svg += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"#ffffff\" stroke=\"#00000022\"/>",
                x - 12.0,
                y - 12.0,
                width + 24.0,
                height + 24.0
            );
            svg += &cropped(picture, *size, *point, (x, y), (width, height));
        }
        Some(Figure::Ornament(picture)) => {
            svg += "<clipPath id=\"round\"><circle cx=\"275\" cy=\"315\" r=\"150\"/></clipPath>\
                    <circle cx=\"275\" cy=\"315\" r=\"162\" fill=\"#ffffff\"/><g clip-path=\"url(#round)\">";
            svg += &image(picture, (125.0, 165.0), (300.0, 300.0), "xMidYMid slice");
            svg += "</g>";
        }
        None => {}
    }
    svg + &lines(look, text, middle)
}

/// The lines of text, one below the other around the middle of the picture.
fn lines(look: &Look, text: &Text<'_>, middle: f32) -> String {
    let drawn = text.name.and_then(drawable);
    let (size, name) = fit(drawn.as_deref().unwrap_or(words::UNNAMED));
    let lead = drawn.as_ref().map(|_| (words::IN_MEMORY_OF, 30.0, look.soft, 52.0));
    let years = text.years.map(|years| (years, 36.0, look.soft, 66.0));
    let name = name.iter().map(|line| (line.as_str(), size, look.accent, size * LINE_HEIGHT));
    let all: Vec<_> = lead.into_iter().chain(name).chain(years).collect();
    let height: f32 = all.iter().map(|(_, _, _, height)| height).sum();
    let (mut y, mut svg) = (315.0 - height / 2.0, String::new());
    for (words, size, colour, height) in all {
        y += height;
        svg += &format!(
            "<text x=\"{middle}\" y=\"{}\" font-family=\"{}\" font-weight=\"{}\" font-size=\"{size}\" fill=\"{colour}\" \
             text-anchor=\"middle\">{}</text>",
            y - size * 0.2,
            look.family,
            look.weight,
            escaped(words)
        );
    }
    svg
}

fn image(picture: &Stored<'_>, (x, y): (f32, f32), (width, height): (f32, f32), fit: &str) -> String {
    format!(
        "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"{fit}\" \
         href=\"data:{};base64,{}\"/>",
        content_type_of(picture.key),
        BASE64.encode(&picture.bytes)
    )
}

/// A picture that fills a frame, with its focal point in the middle as far as it reaches. What is beyond the frame is cut off.
fn cropped(
    picture: &Stored<'_>,
    size: PixelSize,
    point: FocalPoint,
    (x, y): (f32, f32),
    (width, height): (f32, f32),
) -> String {
    let (whole_width, whole_height) = (size.width as f32, size.height as f32);
    let scale = (width / whole_width).max(height / whole_height);
    let (whole_width, whole_height) = (whole_width * scale, whole_height * scale);
    let (across, down) = crop::placement(point, size, width / height);
    let place = ((width - whole_width) * across, (height - whole_height) * down);
    format!(
        "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{}</svg>",
        image(picture, place, (whole_width, whole_height), "none")
    )
}

/// Returns the name without signs that no font of the renderer has, such as emoji; `None` if it lacks the letters.
fn drawable(name: &str) -> Option<String> {
    let has_font = |c: char| {
        matches!(u32::from(c),
            0x20..=0x7e | 0xa0..=0x17f | 0x218..=0x21b | 0x300..=0x304 | 0x306..=0x30c | 0x323 | 0x326..=0x328
            | 0x370..=0x3ff | 0x400..=0x52f | 0x590..=0x6ff | 0x750..=0x77f | 0x1e00..=0x1fff | 0x2010..=0x2015
            | 0x2018..=0x201e | 0x2026)
    };
    if name.chars().any(|c| c.is_alphabetic() && !has_font(c)) {
        return None;
    }
    let drawn: String = name.chars().filter(|c| has_font(*c) || c.is_whitespace()).collect();
    Some(drawn).filter(|drawn| drawn.chars().any(char::is_alphabetic))
}

/// Breaks a name into lines, and returns the size at which they fit: between words that do not belong together, otherwise
/// between words and after hyphens, otherwise between letters. A name that is too long ends in dots.
fn fit(name: &str) -> (f32, Vec<String>) {
    let parts = heading::parts(name);
    let words: Vec<String> = parts
        .iter()
        .flat_map(|part| part.split(' '))
        .flat_map(|word| word.split_inclusive('-'))
        .map(str::to_owned)
        .collect();
    for parts in [&parts, &words] {
        for size in NAME_SIZES {
            let lines = wrapped(parts, size);
            let is_narrow = lines.iter().all(|line| width(line) * size <= LINE_PIXELS);
            if is_narrow && lines.len() as f32 * size * LINE_HEIGHT <= NAME_PIXELS {
                return (size, lines);
            }
        }
    }
    let size = NAME_SIZES[NAME_SIZES.len() - 1];
    let pieces: Vec<String> = words.iter().flat_map(|word| pieces(word, size)).collect();
    let mut lines = wrapped(&pieces, size);
    let lines_max = (NAME_PIXELS / size / LINE_HEIGHT) as usize;
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            last.push('\u{2026}');
        }
    }
    (size, lines)
}

/// Fills lines with parts. The lines are about as long as each other.
fn wrapped(parts: &[String], size: f32) -> Vec<String> {
    let all = width(&parts.join(" ")) * size;
    let line_max = (all / (all / LINE_PIXELS).ceil() * 1.15).min(LINE_PIXELS);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let with_part = |line: &String| match line.ends_with('-') {
            true => format!("{line}{part}"),
            false => format!("{line} {part}"),
        };
        match lines.last_mut().filter(|line| width(&with_part(line)) * size <= line_max) {
            Some(line) => *line = with_part(line),
            None => lines.push(part.clone()),
        }
    }
    lines
}

/// Breaks a part into pieces that fit on a line.
fn pieces(part: &str, size: f32) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in part.chars() {
        let last = pieces.len() - 1;
        if width(&format!("{}{letter}", pieces[last])) * size > LINE_PIXELS * 0.95 {
            pieces.push(String::new());
        }
        pieces.last_mut().expect("there is one").push(letter);
    }
    pieces
}

/// The width of a text of size 1: an upper bound for the fonts of the themes.
fn width(text: &str) -> f32 {
    let of = |c: char| match c {
        'W' | 'M' | '\u{2014}' => 1.0,
        'm' | 'w' | '\u{2026}' => 0.88,
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | ' ' | '.' | ',' | '\'' | '-' => 0.38,
        c if c.is_uppercase() => 0.76,
        c if u32::from(c) < 0x250 => 0.55,
        _ => 0.68,
    };
    text.chars().map(of).sum()
}

/// Returns a text for XML, which knows no control characters.
fn escaped(text: &str) -> String {
    let known = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c };
    let text: String = text.chars().map(known).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{LINE_HEIGHT, LINE_PIXELS, NAME_PIXELS, drawable, escaped, fit, width};

    #[test]
    fn name_of_any_length_fits_its_lines() {
        for name in [
            "Jo".to_owned(),
            "Johanna van der Meer".to_owned(),
            "Wilhelmina Catharina Elisabeth Anna Maria van Oldenbarnevelt-Schimmelpenninck".to_owned(),
            "W".repeat(255),
            "Wm ".repeat(200),
        ] {
            let (size, lines) = fit(&name);
            assert!(
                !lines.is_empty() && lines.iter().all(|line| width(line) * size <= LINE_PIXELS * 1.05),
                "{lines:?}"
            );
            assert!(lines.len() as f32 * size * LINE_HEIGHT <= NAME_PIXELS, "{lines:?}");
        }
        assert_eq!(fit("Johanna van der Meer").1, ["Johanna", "van der Meer"]);
        let lines = fit("Anna van Oldenbarnevelt-Schimmelpenninckvanderoye").1;
        assert!(lines.iter().any(|line| line == "Schimmelpenninckvanderoye"), "{lines:?}");
    }

    #[test]
    fn name_without_letters_of_a_font_is_not_drawn() {
        assert_eq!(drawable("Jo \u{1f337}").as_deref(), Some("Jo "));
        for name in ["\u{1f475}", "", "\u{738b}\u{82b3}", "Jo \u{738b}"] {
            assert_eq!(drawable(name), None, "{name}");
        }
        assert_eq!(escaped("a<b>&\u{1}"), "a&lt;b&gt;&amp; ");
    }
}
