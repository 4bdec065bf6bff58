//! `GET /media/…`: portraits, theme pictures and logos of partners from the object store.
//!
//! Called by the router. Source: specification, sections 2.4 and 2.6; decisions, section 7.

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH, REFERRER_POLICY,
    VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Method, StatusCode};

use crate::base::{ErrorChain, limits};
use crate::media::{self, MediaError, MediaParts, MediaStore};
use crate::model::messages;
use crate::request::RequestHead;
use crate::response::{self, Content, ROBOTS, Response, ResponseExt as _, is_known_to_caller};

/// Returns the picture with this key, which is the path below `/media/`.
///
/// The content of a key never changes, so the key is its entity tag. A theme picture or logo may be cached for a year, a portrait for
/// [`limits::PORTRAIT_CACHED`], because it goes with its card. `HEAD` and `If-None-Match` read no bytes of the picture.
pub(super) async fn serve(media: &MediaStore, key: &str, head: &RequestHead<'_>) -> Response {
    let is_text = key.ends_with(".svg");
    let gzip = is_text && head.accepts_gzip() && head.method() == Method::GET;
    let found = match find(media, key, head, gzip).await {
        Ok(Some(found)) => found,
        Ok(None) | Err(MediaError::Key(_)) => return response::plain(StatusCode::NOT_FOUND, messages::NOT_FOUND),
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "the object store failed");
            return response::plain(StatusCode::SERVICE_UNAVAILABLE, messages::UNAVAILABLE);
        }
    };
    let ok = || response::new(StatusCode::OK, media::content_type_of(key), Bytes::new());
    let response = match found {
        Found::NotModified => response::empty(StatusCode::NOT_MODIFIED),
        Found::Size(size) => ok().with(CONTENT_LENGTH, size.into()),
        // A cover of a theme is a few kilobytes of text, and compresses to a third.
        Found::Parts(first, rest) if gzip && rest.size() == first.len() as u64 => ok()
            .map(|_| Content::Whole(response::gzip(&first)))
            .with(CONTENT_ENCODING, HeaderValue::from_static("gzip")),
        Found::Parts(first, rest) => ok().map(|_| Content::Stored(first, rest)),
    };
    let response = if is_text { response.with(VARY, HeaderValue::from_static("accept-encoding")) } else { response };
    response
        .with(ETAG, entity_tag(key, gzip))
        .with(CACHE_CONTROL, cache_control(key))
        .with(ROBOTS, HeaderValue::from_static("noindex, nofollow"))
        // Uploaded content is shown as a picture only, even if it is opened by itself.
        .with(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))
        .with(
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        )
        .with(REFERRER_POLICY, HeaderValue::from_static("no-referrer"))
}

/// As much of a picture as the request needs.
enum Found {
    NotModified,
    Size(u64),
    Parts(Bytes, MediaParts),
}

async fn find(media: &MediaStore, key: &str, head: &RequestHead<'_>, gzip: bool) -> Result<Option<Found>, MediaError> {
    if head.headers().contains_key(IF_NONE_MATCH) || head.method() == Method::HEAD {
        let Some(size) = media.size(key).await? else { return Ok(None) };
        if is_known_to_caller(head.headers(), &entity_tag(key, gzip)) {
            return Ok(Some(Found::NotModified));
        }
        if head.method() == Method::HEAD {
            return Ok(Some(Found::Size(size)));
        }
    }
    Ok(media.get_in_parts(key).await?.map(|(first, rest)| Found::Parts(first, rest)))
}

fn cache_control(key: &str) -> HeaderValue {
    if key.starts_with("theme/") || key.starts_with("partner/") {
        return HeaderValue::from_static("public, max-age=31536000, immutable");
    }
    let seconds = limits::PORTRAIT_CACHED.as_secs();
    HeaderValue::try_from(format!("public, max-age={seconds}")).expect("a number is visible ASCII")
}

/// Two codings are two representations (RFC 9110, section 8.8.3.3).
fn entity_tag(key: &str, gzip: bool) -> HeaderValue {
    let coding = if gzip { "-gzip" } else { "" };
    HeaderValue::try_from(format!("\"{key}{coding}\"")).expect("a key is visible ASCII")
}
