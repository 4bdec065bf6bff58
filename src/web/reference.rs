//! `/docs`: the reference of the API, a page for each version, as `schema::docs` writes it from the schemas.
//!
//! It is made when somebody first asks for it, and kept compressed: a version that nobody reads about costs nothing, one
//! that is read about some ten KB, and its plain form too once somebody asks for that. All answers share these bytes. What the operator decides about a version shows at once: the pages are made anew.
//! Called by [`super::site`]; the security headers are those of every page.

use std::io::{Read as _, Write as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use chrono::NaiveDate;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, ETAG, VARY};
use http::{HeaderValue, StatusCode};
use schema::Sdl;
use schema::docs::{Addresses, File, VersionPage, site};
use sha2::{Digest as _, Sha256};

use super::answer::WebAnswer;
use super::error_pages;
use super::etag::is_known_to_caller;
use super::page_error::PageError;
use super::request::WebRequest;
use super::site::Site;
use crate::base::lower_hex;
use crate::model::{VersionLife, VersionNotice, VersionStatus};

/// The reference, once it is asked for.
pub(super) struct Reference {
    released: Arc<[(VersionLife, &'static str)]>,
    kept: Mutex<Option<Arc<Pages>>>,
}

/// The pages as they are under some decisions of the operator.
struct Pages {
    notices: Vec<VersionNotice>,
    files: Vec<Kept>,
    /// The page of the version to build on.
    latest: Option<&'static str>,
}

/// A file, compressed with gzip.
struct Kept {
    path: String,
    media: &'static str,
    gzip: Bytes,
    /// Without compression, for the few callers that do not read gzip; set by the first of them.
    plain: OnceLock<Bytes>,
    /// Of its content, in quotation marks once it is sent.
    digest: String,
}

impl Reference {
    pub(super) fn new(released: Vec<(VersionLife, &'static str)>) -> Self {
        Self { released: released.into(), kept: Mutex::default() }
    }

    /// The names of the versions, oldest first, and whether they are candidates.
    pub(super) fn versions(&self) -> impl Iterator<Item = (&'static str, bool)> {
        self.released.iter().map(|(life, _)| (life.name, life.stage == VersionStatus::Candidate))
    }

    /// The pages under these decisions, made now if they are not there.
    async fn pages(&self, notices: Vec<VersionNotice>) -> Arc<Pages> {
        if let Some(pages) = self.kept().as_ref().filter(|pages| pages.notices == notices) {
            return Arc::clone(pages);
        }
        let released = Arc::clone(&self.released);
        // Reading and writing schemas takes the time of many requests: they go on beside it.
        let made = tokio::task::spawn_blocking(move || Arc::new(Pages::make(&released, notices)));
        let made = made.await.expect("the build has checked the schemas, and memory takes what is written");
        *self.kept() = Some(Arc::clone(&made));
        made
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Option<Arc<Pages>>> {
        // Nothing can panic under this lock.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A page of the reference, or what pages refer to; `/docs` itself leads to the latest version.
pub(super) async fn serve(site: &Site, request: &WebRequest<'_>, page: &str) -> Result<WebAnswer, PageError> {
    if !request.is_read() {
        return Ok(error_pages::method_not_allowed(site, "GET, HEAD"));
    }
    let pages = site.reference.pages(site.services.store.version_notices().await?).await;
    if let ("", Some(latest)) = (page, pages.latest) {
        return Ok(WebAnswer::see_other(&site.path(&format!("/docs/{latest}"))));
    }
    let Some(file) = pages.files.iter().find(|file| file.path == page) else { return Ok(error_pages::not_found(site)) };
    Ok(file.answer(request))
}

impl Pages {
    fn make(released: &[(VersionLife, &'static str)], notices: Vec<VersionNotice>) -> Self {
        let lives: Vec<_> = released.iter().map(|(life, _)| life.clone().under(&notices)).collect();
        let sdls: Vec<_> = released.iter().map(|(life, text)| parsed(life.name, text)).collect();
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
        let days: Vec<_> =
            lives.iter().map(|life| [day(life.published), day(life.deprecated), day(life.sunset)]).collect();
        let version_pages: Vec<_> = lives
            .iter()
            .zip(&sdls)
            .zip(&days)
            .map(|((life, sdl), [published, deprecated, sunset])| VersionPage {
                sdl,
                status: life.stage,
                published: published.as_deref(),
                deprecated: deprecated.as_deref(),
                sunset: sunset.as_deref(),
            })
            .collect();
        let files = site(&version_pages, Addresses::Paths).into_iter().map(Kept::from).collect();
        let in_use = |life: &&VersionLife| matches!(life.stage, VersionStatus::Current | VersionStatus::Deprecated);
        let latest = lives.iter().rfind(in_use).or(lives.last()).map(|life| life.name);
        Self { notices, files, latest }
    }
}

fn parsed(version: &str, text: &str) -> Sdl {
    Sdl::parse(version, version, text).unwrap_or_else(|report| panic!("the build has checked the schema: {report}"))
}

impl From<File> for Kept {
    fn from(File { path, media, bytes }: File) -> Self {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        let gzip = gzip.write_all(&bytes).and_then(|()| gzip.finish()).expect("memory takes all");
        let digest = lower_hex(&Sha256::digest(&bytes)[..16]);
        Self { path, media, gzip: gzip.into(), plain: OnceLock::new(), digest }
    }
}

impl Kept {
    /// To be kept, and asked for again by its tag: a description may get better with the next release.
    fn answer(&self, request: &WebRequest<'_>) -> WebAnswer {
        let gzip = request.accepts_gzip();
        // Two codings are two representations (RFC 9110, section 8.8.3.3).
        let etag = format!("\"{}{}\"", self.digest, if gzip { "-gzip" } else { "" });
        let etag = HeaderValue::try_from(etag).expect("a digest is visible ASCII");
        let answer = if is_known_to_caller(request.headers, &etag) {
            WebAnswer::bare(StatusCode::NOT_MODIFIED)
        } else {
            let body = if gzip { self.gzip.clone() } else { self.plain() };
            let answer = WebAnswer::new(StatusCode::OK, HeaderValue::from_static(self.media), body);
            if gzip { answer.with(CONTENT_ENCODING, HeaderValue::from_static("gzip")) } else { answer }
        };
        answer
            .with(ETAG, etag)
            .with(VARY, HeaderValue::from_static("accept-encoding"))
            .with(CACHE_CONTROL, HeaderValue::from_static("public, no-cache"))
    }

    fn plain(&self) -> Bytes {
        let inflated = || {
            let mut bytes = Vec::new();
            GzDecoder::new(&*self.gzip).read_to_end(&mut bytes).expect("it was compressed here");
            bytes.into()
        };
        self.plain.get_or_init(inflated).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_share_the_bytes_of_a_page_in_both_codings() {
        let bytes = b"<p>kaart</p>".repeat(1_000);
        let kept = Kept::from(File { path: "2026-10".to_owned(), media: "text/html", bytes: bytes.clone() });
        assert_eq!(kept.plain(), bytes);
        assert_eq!(kept.plain().as_ptr(), kept.plain().as_ptr());
        assert!(!kept.plain().is_unique() && !kept.gzip.clone().is_unique());
    }
}
