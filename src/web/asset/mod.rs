//! Style sheets, scripts and fonts, compiled in. Each path holds the digest of the content, so that browsers may cache it forever.
//! A new file is one line in [`ALL`].
//!
//! The style of a card (the plain one, or one of a bundled theme) is part of the page, because a file would delay the first paint by a
//! round trip. Its text and the policy that allows it are made once, by the context of the pages, because they hold the prefix of the site.

use std::sync::LazyLock;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::context::PageContext;
use super::page;
use crate::base::lower_hex;
use crate::drawing::CardStyle;
use crate::model::path;
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};

/// A file that pages link to.
pub(super) struct Asset {
    /// The last segment of its path.
    name: LazyLock<String>,
    content_type: &'static str,
    bytes: LazyLock<Bytes>,
    gzip: LazyLock<Bytes>,
}

macro_rules! asset {
    ($stem:literal, $ending:literal, $content_type:literal) => {{
        const BYTES: &[u8] = include_bytes!(concat!($stem, ".", $ending));
        Asset {
            name: LazyLock::new(|| hashed_name($stem, $ending, BYTES)),
            content_type: $content_type,
            bytes: LazyLock::new(|| Bytes::from_static(BYTES)),
            gzip: LazyLock::new(|| response::gzip(BYTES)),
        }
    }};
}

/// The style of every page except the card.
pub(super) static PAGE_STYLE: Asset = {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| with_font_names(concat!(include_str!("crop.css"), include_str!("page.css"))));
    Asset {
        name: LazyLock::new(|| hashed_name("page", "css", TEXT.as_bytes())),
        content_type: "text/css; charset=utf-8",
        bytes: LazyLock::new(|| Bytes::from_static(TEXT.as_bytes())),
        gzip: LazyLock::new(|| response::gzip(TEXT.as_bytes())),
    }
};
/// Adds comfort only: every page works without script.
pub(super) static PAGE_SCRIPT: Asset = asset!("page", "js", "text/javascript; charset=utf-8");

/// The additions of the administration.
pub(super) static ADMIN_STYLE: Asset = asset!("admin", "css", "text/css; charset=utf-8");

/// Starts GraphiQL.
pub(super) static GRAPHIQL_SCRIPT: Asset = asset!("graphiql", "js", "text/javascript; charset=utf-8");

/// The letters of the themes (font/README.md).
static FONTS: [Asset; 8] = [
    asset!("font/alegreya-sans-400", "woff2", "font/woff2"),
    asset!("font/alegreya-sans-500", "woff2", "font/woff2"),
    asset!("font/eb-garamond-400", "woff2", "font/woff2"),
    asset!("font/eb-garamond-500", "woff2", "font/woff2"),
    asset!("font/jost-300", "woff2", "font/woff2"),
    asset!("font/jost-400", "woff2", "font/woff2"),
    asset!("font/noto-serif-display-400", "woff2", "font/woff2"),
    asset!("font/source-serif-4-400", "woff2", "font/woff2"),
];

static ALL: &[&Asset] = &[&PAGE_STYLE, &PAGE_SCRIPT, &ADMIN_STYLE, &GRAPHIQL_SCRIPT];

impl Asset {
    /// The path of the file, for a page.
    pub(super) fn address(&self, context: &PageContext) -> String {
        context.path(&path::asset(&self.name))
    }
}

/// Returns the icon of the site, whose path browsers know: it holds no digest, so they ask again after a day.
pub(super) fn favicon() -> Response {
    let icon = response::new(StatusCode::OK, "image/x-icon", &include_bytes!("favicon.ico")[..]);
    icon.with(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"))
}

/// Returns the icon that phones show for a page on their home screen.
pub(super) fn touch_icon() -> Response {
    let icon = response::new(StatusCode::OK, "image/png", &include_bytes!("apple-touch-icon.png")[..]);
    icon.with(CACHE_CONTROL, HeaderValue::from_static("public, max-age=86400"))
}

/// Returns the file with this name.
pub(super) fn serve(head: &RequestHead<'_>, name: &str) -> Option<Response> {
    let asset = ALL.iter().copied().chain(&FONTS).find(|asset| *asset.name == name)?;
    let gzip = head.accepts_gzip() && asset.content_type.starts_with("text/");
    let body = if gzip { asset.gzip.clone() } else { asset.bytes.clone() };
    let response = response::new(StatusCode::OK, asset.content_type, body).with_coding(gzip);
    Some(response.with(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")))
}

/// Returns a style in which each font, such as `font/jost-300.woff2`, has the last segment of its path.
fn with_font_names(style: &str) -> String {
    FONTS.iter().fold(style.to_owned(), |style, font| {
        let (stem, _) = font.name.rsplit_once('-').expect("a name ends in its digest");
        style.replace(&format!("font/{stem}.woff2"), &font.name)
    })
}

/// Returns the name of a file with the digest of its content, without its folder.
fn hashed_name(stem: &str, ending: &str, bytes: &[u8]) -> String {
    let stem = stem.rsplit('/').next().unwrap_or(stem);
    format!("{stem}-{}.{ending}", lower_hex(&Sha256::digest(bytes)[..8]))
}

macro_rules! source {
    ($($stem:literal),*) => { concat!($(include_str!(concat!($stem, ".css"))),*) };
}

/// The sources, in the order of [`CardStyle`]: the style of every card, with the additions of a theme.
const SOURCES: [&str; 7] = [
    source!("crop", "card"),
    source!("crop", "card", "face-garamond", "theme-linde"),
    source!("crop", "card", "theme-zee"),
    source!("crop", "card", "face-serif", "theme-winterlicht"),
    source!("crop", "card", "theme-avondrood"),
    source!("crop", "card", "face-serif", "theme-eenvoud"),
    source!("crop", "card", "face-garamond", "theme-tak"),
];

/// The text of a style, and the policy of a page that holds it.
pub(in crate::web) struct InlineStyle {
    pub text: String,
    pub policy: HeaderValue,
}

/// All styles, for one prefix.
pub(in crate::web) struct CardStyles {
    each: [InlineStyle; SOURCES.len()],
    /// The policy of a card in a frame of the customizer, where a script may show it in another style.
    pub framed: HeaderValue,
}

impl CardStyles {
    /// `prefix` precedes the paths of the fonts.
    pub(in crate::web) fn new(prefix: &str) -> Self {
        let fonts = format!("url(\"{prefix}{}", path::asset(""));
        let texts = SOURCES.map(|source| with_font_names(&without_comments(source)).replace("url(\"", &fonts));
        let framed = page::allow_styles_and_frame(&texts);
        let each = texts.map(|text| InlineStyle { policy: page::allow_styles(std::slice::from_ref(&text)), text });
        Self { each, framed }
    }

    pub(in crate::web) fn get(&self, style: CardStyle) -> &InlineStyle {
        &self.each[style as usize]
    }
}

/// Returns a style without its comments.
fn without_comments(style: &str) -> String {
    let parts = style.split("/*").enumerate();
    parts
        .map(|(index, part)| if index == 0 { part } else { part.split_once("*/").map_or("", |(_, rest)| rest) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chromium 80 and Safari 13 know none of them (caniuse.com: "viewport-unit-variants", "css-container-query-units").
    const NEW_UNITS: [&str; 6] = ["svh", "dvh", "lvh", "svw", "cqw", "cqi"];

    #[test]
    fn unit_that_an_old_browser_lacks_has_a_fallback() {
        for line in SOURCES.into_iter().chain([include_str!("page.css")]).flat_map(str::lines) {
            let uses = |text: &str| {
                NEW_UNITS.iter().any(|unit| {
                    text.split(unit).next().is_some_and(|before| {
                        before.len() < text.len() && before.ends_with(|c: char| c.is_ascii_digit())
                    })
                })
            };
            let mut declared = Vec::new();
            for declaration in line.split([';', '{']).filter(|_| !line.starts_with("@supports")) {
                let property = declaration.split(':').next().unwrap_or_default().trim();
                assert!(
                    !uses(declaration) || declared.contains(&property),
                    "{declaration} has no declaration before it: {line}"
                );
                declared.push(property);
            }
        }
        assert!(SOURCES[0].contains("@supports (height: 1svh)"), "the cards use such a unit");
    }
}
