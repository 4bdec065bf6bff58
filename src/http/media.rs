//! `GET /media/…`: portraits and theme pictures, out of the object store.
//!
//! Called by the router. Source: specification, sections 2.4 and 2.6; decisions, section 7.

use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};

use super::answer::Answer;
use super::front::Front;
use crate::base::Causes;
use crate::media::{self, MediaError};
use crate::model::text;
use crate::web::is_known_to_caller;

/// What lies at `key`, which is the path below `/media/`; the object store knows what is a key and what is not.
///
/// A portrait's name is random, a theme picture's is made of its content: what a key shows never changes, so it may be
/// kept for ever, and the key itself is its entity tag.
pub async fn serve(front: &Front, key: &str, headers: &HeaderMap) -> Answer {
    let bytes = match front.services.media.get(key).await {
        Ok(Some(bytes)) => bytes,
        Ok(None) | Err(MediaError::Key(_)) => return Answer::plain(StatusCode::NOT_FOUND, text::NOT_FOUND),
        Err(error) => {
            tracing::error!(error = %Causes(&error), "the object store failed");
            return Answer::plain(StatusCode::SERVICE_UNAVAILABLE, text::UNAVAILABLE);
        }
    };
    let etag = HeaderValue::try_from(format!("\"{key}\"")).expect("a key holds visible ASCII alone");
    let answer = if is_known_to_caller(headers, &etag) {
        Answer::not_modified()
    } else {
        Answer::new(StatusCode::OK, media::content_type_of(key), bytes)
    };
    answer
        .with(ETAG, etag)
        .with(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"))
        // What others supplied is shown as a picture and as nothing else, even when it is opened by itself.
        .with(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))
        .with(
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
        )
        .with(REFERRER_POLICY, HeaderValue::from_static("no-referrer"))
}
