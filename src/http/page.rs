//! The service's own pages: from hyper's request to `web`'s, and back.
//!
//! Called by the router. Source: specification, section 2.7; decisions, section 5.

use bytes::{Bytes, BytesMut};
use http::header::CONTENT_ENCODING;
use http::request::Parts;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;

use super::answer::{Answer, Content, Note};
use super::front::Front;
use crate::base::limits;
use crate::web::{Body, BodyError, WebAnswer, WebRequest};

/// Answers a request for a page.
pub async fn serve(front: &Front, head: &Parts, body: Incoming, id: &str) -> Answer {
    let is_encoded = head.headers.contains_key(CONTENT_ENCODING);
    let body = Body::new(move |bytes_max| Box::pin(read(body, bytes_max, is_encoded)));
    let (path, query) = (head.uri.path(), head.uri.query());
    let request = WebRequest { method: &head.method, path, query, headers: &head.headers, id };
    front.site.serve(&request, body).await.into()
}

impl From<WebAnswer> for Answer {
    fn from(answer: WebAnswer) -> Self {
        let WebAnswer { status, headers, body, code } = answer;
        Self { status, headers, body: Content::Whole(body), note: Note { code, ..Note::default() } }
    }
}

/// The whole body in limited time. What comes beyond the maximum is read too, up to a bound, and thrown away: a browser
/// listens to the answer only once it has sent everything, and the answer says what to do about a photo that is too large.
async fn read(mut incoming: Incoming, bytes_max: usize, is_encoded: bool) -> Result<Bytes, BodyError> {
    let whole = async {
        let (mut bytes, mut count) = (BytesMut::new(), 0);
        while let Some(frame) = incoming.frame().await {
            let Ok(data) = frame.map_err(|_| BodyError::BrokenOff)?.into_data() else { continue };
            count += data.len();
            if count > bytes_max {
                bytes = BytesMut::new();
            } else {
                bytes.extend_from_slice(&data);
            }
            if count > bytes_max.saturating_add(limits::FORM_DISCARDED_BYTES_MAX) {
                return Err(BodyError::TooLarge);
            }
        }
        match count > bytes_max {
            true => Err(BodyError::TooLarge),
            false if is_encoded => Err(BodyError::BrokenOff), // no browser compresses a form
            false => Ok(bytes.freeze()),
        }
    };
    tokio::time::timeout(limits::FORM_READ, whole).await.unwrap_or(Err(BodyError::TooSlow))
}
