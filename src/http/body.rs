//! The bytes of a request: their kind, their size and their pace.
//!
//! Called by the walk of a partner request. Source: decisions H5, H7; GraphQL over HTTP, "Request".

use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;

use super::accept::is_utf_8;
use super::api_error::ApiError;
use super::timeout::timeout;
use crate::base::limits;

/// Reads the body: JSON in UTF-8, of limited size, in limited time, whether its length was announced or not.
pub async fn read(headers: &HeaderMap, mut body: Incoming) -> Result<Bytes, ApiError> {
    require_json(headers)?;
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > limits::BODY_BYTES_MAX) {
        if !headers.contains_key(EXPECT) {
            // Boxed, because few requests need it and all of them would carry it.
            Box::pin(discard(body)).await;
        } // otherwise the client sends nothing until it is told to
        return Err(ApiError::body_too_large());
    }
    let whole = Limited::new(&mut body, limits::BODY_BYTES_MAX).collect();
    match timeout(limits::BODY_READ, whole).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Box::pin(discard(body)).await;
            Err(ApiError::body_too_large())
        }
        Ok(Err(_)) => Err(ApiError::body_unreadable()),
        Err(_) => Err(ApiError::body_too_slow()),
    }
}

/// Reads what is left of a body and drops it, within limits. Many clients read no answer before they have sent their
/// whole body, and would lose it if the connection were closed before that.
async fn discard(mut body: Incoming) {
    let discarded = async {
        let mut bytes = 0;
        while bytes <= limits::BODY_DISCARDED_BYTES_MAX {
            match body.frame().await {
                Some(Ok(frame)) => bytes += frame.data_ref().map_or(0, Bytes::len),
                Some(Err(_)) | None => break,
            }
        }
    };
    // What the client still sends after that is its own loss.
    let _ = tokio::time::timeout(limits::BODY_READ, discarded).await;
}

fn require_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !is_json(content_type) {
        return Err(ApiError::unsupported_media_type("Send the body as application/json, in UTF-8."));
    }
    let encoding = headers.get(CONTENT_ENCODING).map(|value| value.as_bytes());
    if encoding.is_some_and(|encoding| !encoding.eq_ignore_ascii_case(b"identity")) {
        return Err(ApiError::unsupported_media_type("Send the body without Content-Encoding."));
    }
    Ok(())
}

/// Whether a content type is `application/json` in UTF-8, its default (RFC 8259, section 8.1).
fn is_json(content_type: &str) -> bool {
    if content_type == "application/json" {
        return true;
    }
    let mut parts = content_type.split(';').map(str::trim);
    parts.next().is_some_and(|media| media.eq_ignore_ascii_case("application/json"))
        && parts.all(|parameter| match parameter.split_once('=') {
            Some((name, value)) if name.eq_ignore_ascii_case("charset") => is_utf_8(value),
            _ => true,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_type_other_than_json_in_utf_8_is_refused() {
        for (content_type, right) in [
            ("application/json", true),
            ("Application/JSON", true),
            ("application/json;charset=utf-8", true),
            ("application/json; charset=\"UTF-8\"", true),
            ("application/json; profile=x", true),
            ("application/json; charset=iso-8859-1", false),
            ("application/graphql+json", false),
            ("application/jsonp", false),
            ("text/plain", false),
            ("", false),
        ] {
            assert_eq!(is_json(content_type), right, "{content_type:?}");
        }
    }
}
