//! Reads the body of a request of the API, with limits on its type, size and time.
//!
//! Source: GraphQL over HTTP, "Request"; decisions H5, H7.

use bytes::{Bytes, BytesMut};
use dated_graphql_http::{has_content_coding, is_json};
use http::header::{CONTENT_LENGTH, EXPECT, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue};
use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Incoming};

use super::api_error::ApiError;
use crate::base::limits;

/// Reads the body, which must be JSON in UTF-8 of at most `bytes_max`. `pay` gets the length of what is to be kept, before the body
/// is read and whenever more of it has arrived.
///
/// # Errors
/// 415, 413, 408, 501; 400 if the connection breaks off; the error of `pay`.
pub(super) async fn read_body(
    headers: &HeaderMap,
    body: &mut Incoming,
    bytes_max: usize,
    mut pay: impl FnMut(usize) -> Result<(), ApiError>,
) -> Result<Bytes, ApiError> {
    pay(0)?;
    require_json(headers)?;
    let announced = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > bytes_max) {
        return Err(ApiError::body_too_large(bytes_max));
    }
    let keep = |length| if length > bytes_max { Err(ApiError::body_too_large(bytes_max)) } else { pay(length) };
    let whole = collect(body, keep);
    match tokio::time::timeout(limits::BODY_READ, whole).await {
        Ok(Some(whole)) => whole,
        Ok(None) => Err(ApiError::body_unreadable()),
        Err(_) => Err(ApiError::body_too_slow()),
    }
}

/// Collects a body in one buffer, and asks `keep` with the length of what is to be kept. `None` if the connection breaks off.
async fn collect(
    body: &mut Incoming,
    mut keep: impl FnMut(usize) -> Result<(), ApiError>,
) -> Option<Result<Bytes, ApiError>> {
    let mut kept = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.ok()?;
        let Some(chunk) = frame.data_ref() else { continue };
        let length = kept.len() + chunk.len();
        if let Err(refusal) = keep(length) {
            return Some(Err(refusal));
        }
        if kept.is_empty() && body.is_end_stream() {
            return Some(Ok(chunk.clone())); // most bodies arrive whole
        }
        kept.extend_from_slice(chunk);
    }
    Some(Ok(kept.freeze()))
}

/// Reads and drops the rest of the body of a refused request, within limits: many clients read the response only after they have
/// sent the whole body. Returns false if there is more of it, so that the connection cannot be used again.
pub(super) async fn discard(headers: &HeaderMap, body: &mut Incoming) -> bool {
    if headers.contains_key(EXPECT) {
        return body.is_end_stream(); // the client waits for 100 Continue, and sends nothing
    }
    let discarded = async {
        let mut bytes = 0;
        while bytes <= limits::BODY_DISCARDED_BYTES_MAX {
            match body.frame().await {
                Some(Ok(frame)) => bytes += frame.data_ref().map_or(0, Bytes::len),
                Some(Err(_)) => return false,
                None => return true,
            }
        }
        false
    };
    tokio::time::timeout(limits::BODY_READ, discarded).await.unwrap_or(false)
}

/// Whether a body has another transfer coding than one `chunked`, which hyper decodes.
pub(super) fn has_unknown_transfer_coding(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(TRANSFER_ENCODING).iter();
    let is_chunked = |line: &HeaderValue| line.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    lines.next().is_some_and(|line| !is_chunked(line)) || lines.next().is_some()
}

fn require_json(headers: &HeaderMap) -> Result<(), ApiError> {
    if !is_json(headers) {
        return Err(ApiError::unsupported_media_type());
    }
    if has_content_coding(headers) {
        return Err(ApiError::unsupported_content_coding());
    }
    if has_unknown_transfer_coding(headers) { Err(ApiError::unknown_transfer_coding()) } else { Ok(()) }
}
