//! A submitted form: text fields, and at most one file. Its body is not read before a page asks for it, and pays for its memory.
//!
//! Source: WHATWG HTML, "Form submission"; RFC 7578 for files.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use tokio::time::timeout_at;

use super::upload_budget::FormReservation;
use crate::base::{Pace, limits};
use crate::request::BodyError;

/// A form as the browser sent it.
#[derive(Debug, Default)]
pub(super) struct Form {
    fields: Vec<(String, String)>,
    file: Option<Bytes>,
    /// Whether the body was too large: only its first fields are here, and nothing of the file.
    is_cut: bool,
}

/// Why a form could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FormError {
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Sent by no browser.
    #[error("the form is malformed")]
    Malformed,
}

impl Form {
    /// Reads a form without a file.
    pub(super) async fn read(headers: &HeaderMap, body: Body<'_>, bytes_max: usize) -> Result<Self, FormError> {
        if let Some(boundary) = boundary(headers) {
            return match body.read_or_cut(bytes_max).await? {
                (bytes, false) => Self::multipart(boundary, bytes, false).await,
                (_, true) => Err(BodyError::TooLarge.into()),
            };
        }
        if !content_type(headers).eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(FormError::Malformed);
        }
        let bytes = body.read(bytes_max).await?;
        let mut form = Self::default();
        for (name, value) in url::form_urlencoded::parse(&bytes) {
            form.add(name.into_owned(), &value)?;
        }
        Ok(form)
    }

    /// Reads a form that may hold a file. A form whose file is too large is cut.
    pub(super) async fn read_with_file(headers: &HeaderMap, body: Body<'_>) -> Result<Self, FormError> {
        match boundary(headers) {
            Some(boundary) => Self::read_parts(boundary, body, limits::UPLOAD_FORM_BYTES_MAX).await,
            None => Self::read(headers, body, limits::FORM_BYTES_MAX).await,
        }
    }

    /// Reads the fields before the file of a form that may hold one, and drops the rest.
    pub(super) async fn read_start(headers: &HeaderMap, body: Body<'_>) -> Result<Self, FormError> {
        let boundary = boundary(headers).ok_or(FormError::Malformed)?;
        Self::read_parts(boundary, body, limits::UNKNOWN_FORM_BYTES_MAX).await
    }

    async fn read_parts(boundary: String, body: Body<'_>, bytes_max: usize) -> Result<Self, FormError> {
        let (bytes, is_cut) = body.read_or_cut(bytes_max).await?;
        Self::multipart(boundary, bytes, is_cut).await
    }

    /// Whether the encoding of the form can hold a file.
    pub(super) fn may_hold_file(headers: &HeaderMap) -> bool {
        boundary(headers).is_some()
    }

    /// Reads the parts of a body, of which the end may be cut off.
    async fn multipart(boundary: String, bytes: Bytes, is_cut: bool) -> Result<Self, FormError> {
        let mut parts = multer::Multipart::new(stream::once(async { Ok::<_, Infallible>(bytes) }), boundary);
        let mut form = Self { is_cut, ..Self::default() };
        loop {
            let part = match parts.next_field().await {
                Ok(Some(part)) => part,
                Ok(None) => break,
                Err(_) if is_cut => break,
                Err(_) => return Err(FormError::Malformed),
            };
            let (name, file_name) = (part.name().unwrap_or_default().to_owned(), part.file_name().map(str::to_owned));
            let content = match part.bytes().await {
                Ok(content) => content,
                Err(_) if is_cut => break,
                Err(_) => return Err(FormError::Malformed),
            };
            if let Some(file_name) = file_name {
                // A browser sends an empty part without a name if no file was chosen.
                form.file = form.file.or(Some(content).filter(|content| !content.is_empty() || !file_name.is_empty()));
            } else {
                form.add(name, std::str::from_utf8(&content).map_err(|_| FormError::Malformed)?)?;
            }
        }
        Ok(form)
    }

    fn add(&mut self, name: String, value: &str) -> Result<(), FormError> {
        if self.fields.len() == limits::FORM_FIELDS_MAX {
            return Err(FormError::Malformed);
        }
        // Browsers send every line break as CR LF.
        self.fields.push((name, value.replace("\r\n", "\n")));
        Ok(())
    }

    /// The value of a field without surrounding blanks, which phones add. Empty if the field is missing.
    pub(super) fn text(&self, name: &str) -> &str {
        self.fields.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value.trim())
    }

    /// All fields except files.
    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether the form has a field: a ticked box or a pressed button.
    pub(super) fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| known == name)
    }

    /// Whether the fields have more than `bytes_max` bytes.
    pub(super) fn is_longer_than(&self, bytes_max: usize) -> bool {
        self.fields.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>() > bytes_max
    }

    /// Whether the body was too large. See [`Form::read_with_file`].
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Takes the file, if one was chosen.
    pub(super) fn take_file(&mut self) -> Option<Bytes> {
        self.file.take()
    }
}

fn content_type(headers: &HeaderMap) -> &str {
    let whole = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    whole.split(';').next().unwrap_or_default().trim()
}

/// The boundary of a multipart form.
fn boundary(headers: &HeaderMap) -> Option<String> {
    let whole = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    multer::parse_boundary(whole).ok()
}

/// A body that arrives in pieces.
pub(super) struct Body<'a> {
    pieces: BoxStream<'a, Result<Bytes, BodyError>>,
    held: Arc<FormReservation>,
    pace: Pace,
}

impl<'a> Body<'a> {
    /// `held` is the reservation that the body grows. `stalled`: how long it may pause.
    pub(super) fn new(
        pieces: BoxStream<'a, Result<Bytes, BodyError>>,
        held: Arc<FormReservation>,
        stalled: Duration,
    ) -> Self {
        Self { pieces, held, pace: Pace::new(stalled, limits::FORM_BYTES_PER_SECOND_MIN) }
    }

    /// Counts the form for a browser session; see [`FormReservation::count`].
    pub(super) fn count(&self, session: [u8; 32], has_file: bool) -> bool {
        self.held.count(session, has_file)
    }

    /// Reads the whole body, of at most `bytes_max` bytes.
    pub(super) async fn read(self, bytes_max: usize) -> Result<Bytes, BodyError> {
        match self.read_or_cut(bytes_max).await? {
            (bytes, false) => Ok(bytes),
            (_, true) => Err(BodyError::TooLarge),
        }
    }

    /// Reads the whole body, of at most `bytes_max` bytes, or the start of a larger one; says whether it was cut.
    ///
    /// A bounded rest is read and dropped: a browser reads the response only after it has sent everything.
    async fn read_or_cut(mut self, bytes_max: usize) -> Result<(Bytes, bool), BodyError> {
        let mut bytes = Vec::new();
        while let Some(piece) = self.next().await {
            let piece = piece?;
            let length = bytes.len() + piece.len();
            let error = match () {
                () if length > bytes_max => BodyError::TooLarge,
                () if !reserve(&mut bytes, length, bytes_max, &self.held) => BodyError::Busy,
                () => {
                    bytes.extend_from_slice(&piece);
                    continue;
                }
            };
            let start: Vec<u8> = bytes.iter().chain(&piece).copied().take(limits::UNKNOWN_FORM_BYTES_MAX).collect();
            drop((bytes, piece));
            self.held.release();
            let is_kept = error == BodyError::TooLarge && self.held.grow_to(start.capacity());
            let left = bytes_max.max(length) - length;
            let discarded = match bytes_max {
                limits::UPLOAD_FORM_BYTES_MAX | limits::UNKNOWN_FORM_BYTES_MAX => limits::UPLOAD_DISCARDED_BYTES_MAX,
                _ => limits::FORM_DISCARDED_BYTES_MAX,
            };
            self.discard(left.saturating_add(discarded)).await;
            return if is_kept { Ok((start.into(), true)) } else { Err(error) };
        }
        Ok((bytes.into(), false))
    }

    /// Reads and drops the body up to `bytes_max` bytes, because browsers read the response after that.
    pub(super) async fn discard(mut self, bytes_max: usize) {
        let mut count = 0;
        while let Some(Ok(piece)) = self.next().await {
            count += piece.len();
            if count > bytes_max {
                return;
            }
        }
    }

    async fn next(&mut self) -> Option<Result<Bytes, BodyError>> {
        let piece = timeout_at(self.pace.deadline(), self.pieces.next()).await;
        let piece = piece.unwrap_or(Some(Err(BodyError::TooSlow)));
        if let Some(Ok(piece)) = &piece {
            self.pace.receive(piece.len());
        }
        piece
    }
}

/// Grows `bytes` to hold `length` bytes, at least doubling its capacity. Returns false if the budget does not allow it.
fn reserve(bytes: &mut Vec<u8>, length: usize, bytes_max: usize, held: &FormReservation) -> bool {
    if length <= bytes.capacity() {
        return true;
    }
    let capacity = (2 * bytes.capacity()).clamp(length, bytes_max.max(length));
    let is_allowed = held.grow_to(capacity);
    if is_allowed {
        bytes.reserve_exact(capacity - bytes.len());
    }
    is_allowed
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::super::upload_budget::UploadBudget;
    use super::*;

    async fn read(content_type: &'static str, body: &'static [u8]) -> Result<Form, FormError> {
        let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static(content_type))]);
        let pieces = stream::iter([Ok(Bytes::from_static(body))]).boxed();
        let held = Arc::new(UploadBudget::new().form(None));
        Form::read_with_file(&headers, Body::new(pieces, held, limits::FORM_STALLED)).await
    }

    #[tokio::test]
    async fn form_is_read_in_both_of_its_encodings() {
        let urlencoded = read("application/x-www-form-urlencoded; charset=utf-8", b"a=+x%C3%A9+&b=1%0D%0A2&c=").await;
        let multipart = read(
            "multipart/form-data; boundary=X",
            b"--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n x\xC3\xA9 \r\n\
              --X\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n1\r\n2\r\n\
              --X\r\nContent-Disposition: form-data; name=\"c\"\r\n\r\n\r\n\
              --X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"\"\r\n\r\n\r\n--X--\r\n",
        )
        .await;
        for form in [urlencoded, multipart] {
            let mut form = form.expect("a form");
            assert_eq!((form.text("a"), form.text("b"), form.text("c"), form.text("d")), ("xé", "1\n2", "", ""));
            assert!(form.has("c") && !form.has("d"));
            assert_eq!(form.take_file(), None);
        }
    }

    #[tokio::test]
    async fn file_of_a_form_is_its_bytes() {
        let body = b"--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n\
                     Content-Type: image/png\r\n\r\n\x89PNG\r\n\x1a\n\r\n--X--\r\n";
        let mut form = read("multipart/form-data; boundary=\"X\"", body).await.expect("a form");
        assert_eq!(form.take_file().as_deref(), Some(&b"\x89PNG\r\n\x1a\n"[..]));
    }

    #[tokio::test]
    async fn chosen_file_without_bytes_is_a_file() {
        let body = b"--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n\r\n\r\n--X--\r\n";
        let mut form = read("multipart/form-data; boundary=X", body).await.expect("a form");
        assert_eq!(form.take_file().as_deref(), Some(&b""[..]));
    }

    #[tokio::test]
    async fn body_that_is_no_form_is_malformed() {
        for (content_type, body) in [
            ("application/json", &b"{}"[..]),
            ("text/plain", b"a=1"),
            ("", b"a=1"),
            ("multipart/form-data", b"--X--"),
            ("multipart/form-data; boundary=X", b"--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\ncut"),
            (
                "multipart/form-data; boundary=X",
                b"--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\xFF\r\n--X--",
            ),
            ("application/x-www-form-urlencoded", "a&".repeat(limits::FORM_FIELDS_MAX + 1).leak().as_bytes()),
        ] {
            assert_eq!(read(content_type, body).await.err(), Some(FormError::Malformed), "{content_type}");
        }
    }

    /// A body of `count` pieces of 64 KiB.
    fn body(count: usize, budget: &UploadBudget) -> Body<'static> {
        let pieces = stream::iter((0..count).map(|_| Ok(Bytes::from_static(&[b'x'; 65_536]))));
        Body::new(pieces.boxed(), Arc::new(budget.form(None)), limits::FORM_STALLED)
    }

    #[tokio::test]
    async fn body_that_pauses_is_too_slow_however_much_arrived_before() {
        let stalled = Duration::from_millis(200);
        let large = stream::iter((0..10).map(|_| Ok(Bytes::from_static(&[b'x'; 65_536]))));
        let held = Arc::new(UploadBudget::new().form(None));
        let body = Body::new(large.chain(stream::pending()).boxed(), held, stalled);
        let started = std::time::Instant::now();
        assert_eq!(body.read(1_000_000).await.err(), Some(BodyError::TooSlow));
        assert!(started.elapsed() < stalled * 10, "{:?}", started.elapsed());
    }

    #[tokio::test]
    async fn body_is_read_whole_and_pays_for_its_memory() {
        let budget = UploadBudget::new();
        let whole = body(3, &budget);
        let held = Arc::clone(&whole.held);
        assert_eq!(whole.read(3 * 65_536).await.expect("a body").len(), 3 * 65_536);
        let rest = budget.form(None);
        assert!(!rest.grow_to(limits::UPLOAD_BYTES_HELD_MAX - 3 * 65_536 + 1));
        assert!(rest.grow_to(limits::UPLOAD_BYTES_HELD_MAX - 3 * 65_536));
        assert_eq!(body(1, &budget).read(65_536).await.err(), Some(BodyError::Busy));
        drop(held);
        assert!(body(1, &budget).read(65_536).await.is_ok());
    }

    #[tokio::test]
    async fn body_that_is_too_large_is_read_on_to_a_bound_and_nothing_of_it_is_held() {
        let budget = UploadBudget::new();
        assert_eq!(body(4, &budget).read(3 * 65_536).await.err(), Some(BodyError::TooLarge));
        assert!(budget.form(None).grow_to(limits::UPLOAD_BYTES_HELD_MAX));
        let pieces = stream::repeat(()).map(|()| Ok(Bytes::from_static(&[0; 65_536]))).boxed();
        let endless = Body::new(pieces, Arc::new(budget.form(None)), limits::FORM_STALLED);
        assert_eq!(endless.read(65_536).await.err(), Some(BodyError::TooLarge));
    }

    #[tokio::test]
    async fn body_that_breaks_off_is_no_body() {
        let pieces = stream::iter([Ok(Bytes::from_static(b"a")), Err(BodyError::BrokenOff)]).boxed();
        let held = Arc::new(UploadBudget::new().form(None));
        let broken = Body::new(pieces, held, limits::FORM_STALLED).read(10).await;
        assert_eq!(broken.err(), Some(BodyError::BrokenOff));
    }
}
