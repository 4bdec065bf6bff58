//! The picture of a card for link previews and mails: the cover of its theme, and on it the portrait, name and years of an
//! open card.
//!
//! It is drawn when it is requested and kept in memory (decisions S13). Its name is a
//! digest of its contents, so a change of the card gives it another address.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::page;
use super::view::{self, CardView, Look, Picture, look_of};
use crate::base::{ErrorChain, limits, lower_hex};
use crate::media::{MediaError, RenderError, content_type_of};
use crate::model::{FocalPoint, PixelSize, Portrait, Rendition, Theme, Visibility, path};
use crate::operation::Failure;
use crate::response::{self, ResponseExt as _};
use crate::services::Services;
use crate::web::context::PageContext;
use crate::web::page::Outcome;
use crate::web::text::card as words;
use crate::web::{date, error_pages};

/// Changes with the layout of the picture, so that messengers fetch it again.
const LAYOUT: &[u8] = b"6";

/// The contents of the picture: of an open card the cover, and below it a sheet; otherwise the cover alone.
pub(crate) struct LinkPreview {
    look: Look,
    /// Keys in the object store.
    cover: Option<String>,
    portrait: Option<(String, PixelSize, FocalPoint)>,
    ornament: Option<String>,
    name: Option<String>,
    years: Option<String>,
    /// Without it the picture is the cover alone.
    is_open: bool,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PreviewError {
    #[error("the object store failed")]
    Media(#[from] MediaError),
    #[error("the picture could not be drawn")]
    Render(#[from] RenderError),
}

impl LinkPreview {
    /// The picture of a card: without anything of the deceased if the card is by invitation.
    pub(super) fn of(view: &CardView) -> Self {
        let is_open = view.visibility == Visibility::Open;
        let key = |picture: &Option<Picture>| picture.as_ref().map(|picture| picture.key.clone());
        let sized = |picture: &Picture| picture.size.map(|size| (picture.key.clone(), size, picture.focal_point));
        let years = date::years(view.date_of_birth, view.date_of_death);
        let of_open = Self {
            look: view.look,
            cover: key(&view.wide_cover).or_else(|| key(&view.cover)),
            portrait: view.portrait.as_ref().and_then(sized),
            ornament: key(&view.ornament),
            name: view.name.clone(),
            years: Some(years.join(" – ")).filter(|years| !years.is_empty()),
            is_open,
        };
        match view.visibility {
            Visibility::Open => of_open,
            Visibility::Invitation => Self::cover(view.look, key(&view.cover)),
        }
    }

    /// The cover of a theme with the portrait on its lower edge, for mails.
    pub(crate) fn of_mail(theme: Option<&Theme>, portrait: Option<&Portrait>, point: FocalPoint) -> Self {
        let cover = theme.and_then(Theme::cover).map(|image| format!("theme/{}", image.key));
        let portrait = portrait.map(|portrait| {
            (format!("rendition/{}", Rendition::Screen.key_of(&portrait.photo)), portrait.screen, point)
        });
        Self { portrait, ..Self::cover(look_of(theme.map(|theme| theme.handle.as_str())), cover) }
    }

    fn cover(look: Look, cover: Option<String>) -> Self {
        Self { look, cover, portrait: None, ornament: None, name: None, years: None, is_open: false }
    }

    /// The last segment of its path.
    fn file_name(&self) -> String {
        let shape = |(_, size, point): &(_, PixelSize, FocalPoint)| format!("{}x{} {point}", size.width, size.height);
        let size = self.portrait.as_ref().map(shape);
        let portrait = self.portrait.as_ref().map(|(key, _, _)| key);
        let mut digest = Sha256::new_with_prefix(LAYOUT);
        digest.update([u8::from(self.is_open)]);
        for part in [
            Some(&self.look.frame.to_owned()),
            self.cover.as_ref(),
            portrait,
            size.as_ref(),
            self.ornament.as_ref(),
            self.name.as_ref(),
            self.years.as_ref(),
        ] {
            let part = part.map_or("", String::as_str);
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        format!("{}.jpg", lower_hex(&digest.finalize()[..12]))
    }

    /// The path of the picture of the card with this slug.
    pub(super) fn path(&self, slug: &str) -> String {
        path::card_picture(slug, &self.file_name())
    }

    /// The alternative text.
    pub(super) fn alt(&self) -> String {
        self.name.as_deref().map_or_else(|| words::PREVIEW_TITLE.to_owned(), words::in_memory_of)
    }

    /// Returns the JPEG, from memory or drawn now.
    pub(crate) async fn jpeg(&self, services: &Services) -> Result<bytes::Bytes, PreviewError> {
        services.renderer.drawing(&self.file_name(), self.svg(services)).await
    }

    async fn svg(&self, services: &Services) -> Result<bytes::Bytes, PreviewError> {
        let cover = read_stored(services, self.cover.as_deref()).await?;
        let figure = match &self.portrait {
            Some((key, size, point)) => {
                read_stored(services, Some(key)).await?.map(|picture| Figure::Portrait(picture, *size, *point))
            }
            None => read_stored(services, self.ornament.as_deref()).await?.map(Figure::Ornament),
        };
        let text = Text { name: self.name.as_deref(), years: self.years.as_deref() };
        Ok(write_svg(&self.look, cover.as_ref(), figure.as_ref(), self.is_open.then_some(&text)))
    }
}

/// Reads a picture; `None` if there is none.
async fn read_stored<'a>(services: &Services, key: Option<&'a str>) -> Result<Option<Stored<'a>>, MediaError> {
    let Some(key) = key else { return Ok(None) };
    Ok(services.media.get(key).await?.map(|bytes| Stored { key, bytes }))
}

/// `/kaart/<slug>/<name>.jpg`: the picture of a card that is online. An earlier name leads to the picture as it is now.
pub(in crate::web) async fn serve_picture(context: &PageContext, slug: &str, name: &str) -> Outcome {
    let card = context.services.store.card_by_slug(slug).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    let preview = LinkPreview::of(&CardView::read(context, &card, None).await?);
    if preview.file_name() != name {
        return Ok(response::see_other(&context.path(&preview.path(slug))));
    }
    match preview.jpeg(&context.services).await {
        Ok(picture) => {
            let cached = format!("public, max-age={}", limits::PORTRAIT_CACHED.as_secs());
            let cached = HeaderValue::try_from(cached).expect("a number is visible ASCII");
            Ok(response::new(StatusCode::OK, "image/jpeg", picture).with(CACHE_CONTROL, cached))
        }
        Err(PreviewError::Media(error)) => Err(Failure::Media(error).into()),
        Err(error) => {
            tracing::warn!(card_id = %card.id, error = %ErrorChain(&error), "the picture of a card could not be drawn");
            Ok(error_pages::unavailable(context))
        }
    }
}

/// The size that messengers show large.
pub(super) const SIZE: PixelSize = PixelSize { width: 1_200, height: 630 };

/// The middle of the sheet, below the cover.
const MIDDLE: f32 = 410.0;
/// The longest line of text, and the height of all lines of a name, in pixels.
const LINE_PIXELS: f32 = 600.0;
const NAME_PIXELS: f32 = 250.0;
/// The sizes of a name, in pixels: the first one that fits.
const NAME_SIZES: [f32; 7] = [84.0, 72.0, 62.0, 54.0, 46.0, 38.0, 32.0];
const LINE_HEIGHT: f32 = 1.16;
/// The largest and the smallest width of a portrait for its height. A wider portrait is cropped around the focal point.
const RATIO_MAX: f32 = 1.2;
const RATIO_MIN: f32 = 0.75;

/// A stored picture with its key.
pub(super) struct Stored<'a> {
    pub key: &'a str,
    pub bytes: Bytes,
}

/// The picture next to the text.
enum Figure<'a> {
    Portrait(Stored<'a>, PixelSize, FocalPoint),
    Ornament(Stored<'a>),
}

/// The text on the cover of a theme.
pub(super) struct Text<'a> {
    pub name: Option<&'a str>,
    pub years: Option<&'a str>,
}

/// Writes the picture; the cover alone without `text`.
fn write_svg(look: &Look, cover: Option<&Stored<'_>>, figure: Option<&Figure<'_>>, text: Option<&Text<'_>>) -> Bytes {
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
    let lead = drawn.as_ref().map(|_| (words::IN_MEMORY_OF, 30.0, look.soft, 52.0));
    let years = text.years.map(|years| (years, 36.0, look.soft, 66.0));
    let name = name.iter().map(|line| (line.as_str(), size, look.accent, size * LINE_HEIGHT));
    let all: Vec<_> = lead.into_iter().chain(name).chain(years).collect();
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
    let (across, down) = view::placement(point, size, width / height);
    let place = ((width - whole_width) * across, (height - whole_height) * down);
    format!(
        "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">{}</svg>",
        write_image(picture, place, (whole_width, whole_height), "none")
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
fn fit_name(name: &str) -> (f32, Vec<String>) {
    let parts = page::split_name(name);
    let words: Vec<String> = parts
        .iter()
        .flat_map(|part| part.split(' '))
        .flat_map(|word| word.split_inclusive('-'))
        .map(str::to_owned)
        .collect();
    for parts in [&parts, &words] {
        for size in NAME_SIZES {
            let lines = wrap(parts, size);
            let is_narrow = lines.iter().all(|line| text_width(line) * size <= LINE_PIXELS);
            if is_narrow && lines.len() as f32 * size * LINE_HEIGHT <= NAME_PIXELS {
                return (size, lines);
            }
        }
    }
    let size = NAME_SIZES[NAME_SIZES.len() - 1];
    let pieces: Vec<String> = words.iter().flat_map(|word| break_part(word, size)).collect();
    let mut lines = wrap(&pieces, size);
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
fn wrap(parts: &[String], size: f32) -> Vec<String> {
    let all = text_width(&parts.join(" ")) * size;
    let line_max = (all / (all / LINE_PIXELS).ceil() * 1.15).min(LINE_PIXELS);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let with_part = |line: &String| match line.ends_with('-') {
            true => format!("{line}{part}"),
            false => format!("{line} {part}"),
        };
        match lines.last_mut().filter(|line| text_width(&with_part(line)) * size <= line_max) {
            Some(line) => *line = with_part(line),
            None => lines.push(part.clone()),
        }
    }
    lines
}

/// Breaks a part into pieces that fit on a line.
fn break_part(part: &str, size: f32) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in part.chars() {
        let last = pieces.len() - 1;
        if text_width(&format!("{}{letter}", pieces[last])) * size > LINE_PIXELS * 0.95 {
            pieces.push(String::new());
        }
        pieces.last_mut().expect("there is one").push(letter);
    }
    pieces
}

/// The width of a text of size 1: an upper bound for the fonts of the themes.
fn text_width(text: &str) -> f32 {
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
fn escape(text: &str) -> String {
    let known = |c: char| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c };
    let text: String = text.chars().map(known).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_any_length_fits_its_lines() {
        for name in [
            "Jo".to_owned(),
            "Johanna van der Meer".to_owned(),
            "Wilhelmina Catharina Elisabeth Anna Maria van Oldenbarnevelt-Schimmelpenninck".to_owned(),
            "W".repeat(255),
            "Wm ".repeat(200),
        ] {
            let (size, lines) = fit_name(&name);
            assert!(
                !lines.is_empty() && lines.iter().all(|line| text_width(line) * size <= LINE_PIXELS * 1.05),
                "{lines:?}"
            );
            assert!(lines.len() as f32 * size * LINE_HEIGHT <= NAME_PIXELS, "{lines:?}");
        }
        assert_eq!(fit_name("Johanna van der Meer").1, ["Johanna", "van der Meer"]);
        let lines = fit_name("Anna van Oldenbarnevelt-Schimmelpenninckvanderoye").1;
        assert!(lines.iter().any(|line| line == "Schimmelpenninckvanderoye"), "{lines:?}");
    }

    #[test]
    fn name_without_letters_of_a_font_is_not_drawn() {
        assert_eq!(drawable("Jo \u{1f337}").as_deref(), Some("Jo "));
        for name in ["\u{1f475}", "", "\u{738b}\u{82b3}", "Jo \u{738b}"] {
            assert_eq!(drawable(name), None, "{name}");
        }
        assert_eq!(escape("a<b>&\u{1}"), "a&lt;b&gt;&amp; ");
    }
}
