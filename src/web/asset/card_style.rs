//! The styles of the card: the plain one, and one for each bundled theme.
//!
//! A style is part of the page, because a file of its own would delay the first paint by a round trip. Its text and the policy that
//! allows it are made once, by the context of the pages, because they hold the prefix of the site.

use http::HeaderValue;

use super::with_font_names;
use crate::model::path;
use crate::web::page;

/// The name of a style.
#[derive(Clone, Copy, Debug)]
pub(in crate::web) enum CardStyle {
    Plain,
    Linde,
    Zee,
    Winterlicht,
    Avondrood,
}

macro_rules! source {
    ($($stem:literal),*) => { concat!($(include_str!(concat!($stem, ".css"))),*) };
}

/// The sources, in the order of [`CardStyle`]: the style of every card, with the additions of a theme.
const SOURCES: [&str; 5] = [
    source!("crop", "card"),
    source!("crop", "card", "theme-linde"),
    source!("crop", "card", "theme-zee"),
    source!("crop", "card", "theme-winterlicht"),
    source!("crop", "card", "theme-avondrood"),
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
