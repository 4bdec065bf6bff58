//! Style sheets and scripts, compiled in. Each path holds the digest of the content, so that browsers may cache it forever.
//!
//! A new file is one line in [`ALL`].

use std::sync::LazyLock;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::context::PageContext;
use super::request_head::RequestHead;
use super::response::{self, Response, ResponseExt as _};
use crate::base::lower_hex;
use crate::model::{PixelSize, path};

/// A file that pages link to.
pub(super) struct Asset {
    /// The last segment of its path.
    name: LazyLock<String>,
    content_type: &'static str,
    bytes: &'static [u8],
    gzip: LazyLock<Bytes>,
}

macro_rules! asset {
    ($stem:literal, $ending:literal, $content_type:literal) => {{
        const BYTES: &[u8] = include_bytes!(concat!($stem, ".", $ending));
        Asset {
            name: LazyLock::new(|| hashed_name($stem, $ending, BYTES)),
            content_type: $content_type,
            bytes: BYTES,
            gzip: LazyLock::new(|| response::gzip(BYTES)),
        }
    }};
}

/// The style of every page except the card.
pub(super) static PAGE_STYLE: Asset = asset!("page", "css", "text/css; charset=utf-8");
/// Adds comfort only: every page works without script.
pub(super) static PAGE_SCRIPT: Asset = asset!("page", "js", "text/javascript; charset=utf-8");

/// The additions of the administration.
pub(super) static ADMIN_STYLE: Asset = asset!("admin", "css", "text/css; charset=utf-8");

/// The page that holds GraphiQL.
pub(super) static GRAPHIQL_STYLE: Asset = asset!("graphiql", "css", "text/css; charset=utf-8");
pub(super) static GRAPHIQL_SCRIPT: Asset = asset!("graphiql", "js", "text/javascript; charset=utf-8");

/// The style of the card, and the additions of each bundled theme.
pub(super) static CARD_STYLE: Asset = asset!("card", "css", "text/css; charset=utf-8");
pub(super) static THEME_LINDE: Asset = asset!("theme-linde", "css", "text/css; charset=utf-8");
pub(super) static THEME_ZEE: Asset = asset!("theme-zee", "css", "text/css; charset=utf-8");
pub(super) static THEME_WINTERLICHT: Asset = asset!("theme-winterlicht", "css", "text/css; charset=utf-8");
pub(super) static THEME_AVONDROOD: Asset = asset!("theme-avondrood", "css", "text/css; charset=utf-8");

/// The picture of a card without a portrait in link previews: the cover of its theme, as a JPEG of [`PREVIEW_SIZE`], because
/// messengers read no SVG.
pub(super) static PREVIEW_PLAIN: Asset = asset!("preview-plain", "jpg", "image/jpeg");
pub(super) static PREVIEW_LINDE: Asset = asset!("preview-linde", "jpg", "image/jpeg");
pub(super) static PREVIEW_ZEE: Asset = asset!("preview-zee", "jpg", "image/jpeg");
pub(super) static PREVIEW_WINTERLICHT: Asset = asset!("preview-winterlicht", "jpg", "image/jpeg");
pub(super) static PREVIEW_AVONDROOD: Asset = asset!("preview-avondrood", "jpg", "image/jpeg");
pub(super) const PREVIEW_SIZE: PixelSize = PixelSize { width: 1_200, height: 630 };

static ALL: &[&Asset] = &[
    &PAGE_STYLE,
    &PAGE_SCRIPT,
    &ADMIN_STYLE,
    &GRAPHIQL_STYLE,
    &GRAPHIQL_SCRIPT,
    &CARD_STYLE,
    &THEME_LINDE,
    &THEME_ZEE,
    &THEME_WINTERLICHT,
    &THEME_AVONDROOD,
    &PREVIEW_PLAIN,
    &PREVIEW_LINDE,
    &PREVIEW_ZEE,
    &PREVIEW_WINTERLICHT,
    &PREVIEW_AVONDROOD,
];

impl Asset {
    /// The path of the file, for a page.
    pub(super) fn address(&self, context: &PageContext) -> String {
        context.path(&path::asset(&self.name))
    }

    /// The full address of the file, for other sites.
    pub(super) fn public_address(&self, context: &PageContext) -> String {
        [context.services.public_base.as_str(), &path::asset(&self.name)].concat()
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
    let asset = ALL.iter().find(|asset| *asset.name == name)?;
    let gzip = head.accepts_gzip() && asset.content_type.starts_with("text/");
    let body = if gzip { asset.gzip.clone() } else { Bytes::from_static(asset.bytes) };
    let response = response::new(StatusCode::OK, asset.content_type, body).with_coding(gzip);
    Some(response.with(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable")))
}

fn hashed_name(stem: &str, ending: &str, bytes: &[u8]) -> String {
    format!("{stem}-{}.{ending}", lower_hex(&Sha256::digest(bytes)[..8]))
}
