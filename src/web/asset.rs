//! Style and script: in the binary, each at an address that holds the digest of its content, so that it is kept for ever.
//!
//! A new file is one line in [`ALL`].

use std::sync::LazyLock;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::answer::WebAnswer;
use super::error_pages;
use super::request::WebRequest;
use super::site::Site;
use crate::base::lower_hex;

/// A file that pages refer to.
pub(super) struct Asset {
    /// Its address, below `/web/`.
    name: LazyLock<String>,
    content_type: &'static str,
    bytes: &'static [u8],
}

macro_rules! asset {
    ($stem:literal, $ending:literal, $content_type:literal) => {{
        const BYTES: &[u8] = include_bytes!(concat!("asset/", $stem, ".", $ending));
        Asset { name: LazyLock::new(|| hashed($stem, $ending, BYTES)), content_type: $content_type, bytes: BYTES }
    }};
}

/// The look of every page but the card itself.
pub(super) static PAGE_STYLE: Asset = asset!("page", "css", "text/css; charset=utf-8");
/// Comfort: everything works without it.
pub(super) static PAGE_SCRIPT: Asset = asset!("page", "js", "text/javascript; charset=utf-8");

/// The page around GraphiQL.
pub(super) static GRAPHIQL_STYLE: Asset = asset!("graphiql", "css", "text/css; charset=utf-8");
pub(super) static GRAPHIQL_SCRIPT: Asset = asset!("graphiql", "js", "text/javascript; charset=utf-8");

/// The shape of the card, and what each shipped theme adds to it.
pub(super) static CARD_STYLE: Asset = asset!("card", "css", "text/css; charset=utf-8");
pub(super) static THEME_LINDE: Asset = asset!("theme-linde", "css", "text/css; charset=utf-8");
pub(super) static THEME_ZEE: Asset = asset!("theme-zee", "css", "text/css; charset=utf-8");
pub(super) static THEME_WINTERLICHT: Asset = asset!("theme-winterlicht", "css", "text/css; charset=utf-8");
pub(super) static THEME_AVONDROOD: Asset = asset!("theme-avondrood", "css", "text/css; charset=utf-8");

static ALL: &[&Asset] = &[
    &PAGE_STYLE,
    &PAGE_SCRIPT,
    &GRAPHIQL_STYLE,
    &GRAPHIQL_SCRIPT,
    &CARD_STYLE,
    &THEME_LINDE,
    &THEME_ZEE,
    &THEME_WINTERLICHT,
    &THEME_AVONDROOD,
];

impl Asset {
    /// Where a page finds it.
    pub(super) fn address(&self, site: &Site) -> String {
        site.path(&format!("/web/{}", *self.name))
    }
}

/// The file with this name.
pub(super) fn serve(site: &Site, request: &WebRequest<'_>, name: &str) -> WebAnswer {
    if !request.is_read() {
        return error_pages::method_not_allowed(site, "GET, HEAD");
    }
    let Some(asset) = ALL.iter().find(|asset| *asset.name == name) else { return error_pages::not_found(site) };
    let content_type = HeaderValue::from_static(asset.content_type);
    WebAnswer::new(StatusCode::OK, content_type, Bytes::from_static(asset.bytes))
        .with(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"))
}

fn hashed(stem: &str, ending: &str, bytes: &[u8]) -> String {
    format!("{stem}-{}.{ending}", lower_hex(&Sha256::digest(bytes)[..8]))
}
