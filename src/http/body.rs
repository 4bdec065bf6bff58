//! Reads the body of a partner request, with limits on its type, size and time.
//!
//! Called by the handlers of partner requests. Source: decisions H5, H7; GraphQL over HTTP, "Request".

use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Incoming;

use super::accept::is_utf_8;
use super::api_error::ApiError;
use crate::base::limits;

/// Reads the body, which must be JSON in UTF-8 of at most `bytes_max`.
///
/// # Errors
/// 415, 413, 408; 400 if the connection breaks off.
pub(super) async fn read(headers: &HeaderMap, mut body: Incoming, bytes_max: usize) -> Result<Bytes, ApiError> {
    require_json(headers)?;
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > bytes_max) {
        if !headers.contains_key(EXPECT) {
            discard(body).await;
        } // otherwise the client waits for 100 Continue, and sends nothing
        return Err(ApiError::body_too_large(bytes_max));
    }
    let whole = Limited::new(&mut body, bytes_max).collect();
    match tokio::time::timeout(limits::BODY_READ, whole).await {
        Ok(Ok(whole)) => Ok(whole.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            discard(body).await;
            Err(ApiError::body_too_large(bytes_max))
        }
        Ok(Err(_)) => Err(ApiError::body_unreadable()),
        Err(_) => Err(ApiError::body_too_slow()),
    }
}

/// Reads and drops the rest of a body, within limits. Many clients read the response only after they have sent the whole
/// body.
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
