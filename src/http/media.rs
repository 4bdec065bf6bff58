//! `GET /media/…`: portraits and theme pictures, out of the object store.
//!
//! Called by the router. Source: specification, sections 2.4 and 2.6; decisions, section 7.

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, ETAG, IF_NONE_MATCH, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::request::Parts;
use http::{HeaderValue, Method, StatusCode};

use super::answer::{Answer, Content};
use super::app_state::AppState;
use crate::base::ErrorChain;
use crate::media::{self, MediaError, MediaParts, MediaStore};
use crate::model::text;
use crate::web::is_known_to_caller;

/// What lies at `key`, which is the path below `/media/`; the object store knows what is a key and what is not.
///
/// A portrait's name is random, a theme picture's is made of its content: what a key shows never changes, so it may be
/// kept for ever, and the key itself is its entity tag. `HEAD`, and a caller that has it already, read none of its bytes.
pub async fn serve(state: &AppState, key: &str, head: &Parts) -> Answer {
    let found = match find(&state.services.media, key, head).await {
        Ok(Some(found)) => found,
        Ok(None) | Err(MediaError::Key(_)) => return Answer::plain(StatusCode::NOT_FOUND, text::NOT_FOUND),
        Err(error) => {
            tracing::error!(error = %ErrorChain(&error), "the object store failed");
            return Answer::plain(StatusCode::SERVICE_UNAVAILABLE, text::UNAVAILABLE);
        }
    };
    let etag = entity_tag(key);
    let answer = match found {
        Found::NotModified => Answer::not_modified(),
        Found::Size(size) => {
            Answer::new(StatusCode::OK, media::content_type_of(key), Bytes::new()).with(CONTENT_LENGTH, size.into())
        }
        Found::Parts(first, rest) => {
            let mut answer = Answer::new(StatusCode::OK, media::content_type_of(key), Bytes::new());
            answer.body = Content::Stored(first, rest);
            answer
        }
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

/// As much of a picture as its request asks for.
enum Found {
    NotModified,
    Size(u64),
    Parts(Bytes, MediaParts),
}

async fn find(media: &MediaStore, key: &str, head: &Parts) -> Result<Option<Found>, MediaError> {
    if head.headers.contains_key(IF_NONE_MATCH) || head.method == Method::HEAD {
        let Some(size) = media.size(key).await? else { return Ok(None) };
        if is_known_to_caller(&head.headers, &entity_tag(key)) {
            return Ok(Some(Found::NotModified));
        }
        if head.method == Method::HEAD {
            return Ok(Some(Found::Size(size)));
        }
    }
    Ok(media.get_in_parts(key).await?.map(|(first, rest)| Found::Parts(first, rest)))
}

fn entity_tag(key: &str) -> HeaderValue {
    HeaderValue::try_from(format!("\"{key}\"")).expect("a key holds visible ASCII alone")
}
