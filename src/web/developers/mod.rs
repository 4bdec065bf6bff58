//! The pages for developers.
//!
//! `/docs`: the guide and the reference of the API for each version, as `dated_graphql_docs` writes them from the schemas. They are made
//! by the first request, and again when the operator changes the status of a version; other requests wait meanwhile. They are kept
//! compressed, and uncompressed too once a caller without gzip asks; all responses share these bytes.
//!
//! `/graphiql?demo=<nonce>`: GraphiQL with the test key of a demo, at an address that only the demo prints. The nonce keeps the
//! key from everybody who reaches the demo by another way, such as a proxy.

mod guide;
mod notification;

use std::io::Read as _;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use chrono::NaiveDate;
use dated_graphql_docs::{Addresses, DatedSdl, File, Service, site};
use dated_graphql_schema::Sdl;
use flate2::read::GzDecoder;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, VARY};
use http::{HeaderValue, StatusCode};
use maud::{DOCTYPE, html};
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

use super::asset::GRAPHIQL_SCRIPT;
use super::context::PageContext;
use super::error_pages;
use super::page::{self, Outcome};
use crate::base::lower_hex;
use crate::model::{AccessToken, VersionLife, VersionNotice, VersionStatus, path};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _, is_known_to_caller};

/// The contents of the reference besides the schemas.
const SERVICE: Service = Service {
    name: "Partner Card Service",
    summary: "A GraphQL API for online memorial cards: create a card, open it for a family by a one-time link, follow it by \
              signed webhooks.",
    folder: "docs/",
    endpoint: path::graphql,
    guide: guide::guide,
    notifications: notification::notifications,
    id: |ty| format!("gid://service/{ty}/0192d1f0-7c1e-7a4b-9c3d-5e6f708192a3"),
};

/// The page of the guide that `/docs` leads to.
const FIRST_GUIDE: &str = "first-card";

/// The reference.
pub(super) struct Reference {
    released: Arc<[(VersionLife, &'static str)]>,
    /// Locked while the pages are made.
    cached: Arc<Mutex<Option<Arc<Pages>>>>,
}

/// The pages for one state of the versions.
struct Pages {
    notices: Vec<VersionNotice>,
    files: Vec<Kept>,
    /// The newest version in use, whose guide `/docs` redirects to.
    latest: Option<&'static str>,
}

/// A file, compressed with gzip.
struct Kept {
    path: String,
    media: &'static str,
    gzip: Bytes,
    /// Without compression; set by the first caller that does not accept gzip.
    plain: OnceLock<Bytes>,
    /// The digest of the content, for the entity tag.
    digest: String,
}

impl Reference {
    pub(super) fn new(released: Vec<(VersionLife, &'static str)>) -> Self {
        Self { released: released.into(), cached: Arc::default() }
    }

    /// Returns the pages for these notices, and makes them if they are not cached.
    async fn pages(&self, notices: Vec<VersionNotice>) -> Arc<Pages> {
        let cached = Arc::clone(&self.cached).lock_owned().await;
        if let Some(pages) = cached.as_ref().filter(|pages| pages.notices == notices) {
            return Arc::clone(pages);
        }
        let (released, mut cached) = (Arc::clone(&self.released), cached);
        // Rendering takes long: it must not block the runtime. It holds the lock to its end, even if the client disconnects.
        let made =
            tokio::task::spawn_blocking(move || Arc::clone(cached.insert(Arc::new(Pages::make(&released, notices)))));
        made.await.expect("the build has checked the schemas, and memory takes what is written")
    }

    /// Returns a page of the reference or a file that it links to; `/docs` redirects to the guide of the latest version.
    pub(super) async fn serve(&self, context: &PageContext, head: &RequestHead<'_>, page: &str) -> Outcome {
        let pages = self.pages(context.services.store.version_notices().await?).await;
        if let ("", Some(latest)) = (page, pages.latest) {
            let first = format!("{}/{FIRST_GUIDE}", path::reference(latest));
            return Ok(response::see_other(&context.path(&first)));
        }
        let file = pages.files.iter().find(|file| file.path == page);
        Ok(file.map_or_else(|| error_pages::not_found(context), |file| file.response(head)))
    }
}

impl Pages {
    fn make(released: &[(VersionLife, &'static str)], notices: Vec<VersionNotice>) -> Self {
        let lives: Vec<_> = released.iter().map(|(life, _)| life.clone().with_notices(&notices)).collect();
        let sdls: Vec<_> = released.iter().map(|(life, text)| parsed(life.name, text)).collect();
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
        let days: Vec<_> =
            lives.iter().map(|life| [day(life.published), day(life.deprecated), day(life.sunset)]).collect();
        let version_pages: Vec<_> = lives
            .iter()
            .zip(&sdls)
            .zip(&days)
            .map(|((life, sdl), [published, deprecated, sunset])| DatedSdl {
                sdl,
                status: life.stage,
                published: published.as_deref(),
                deprecated: deprecated.as_deref(),
                sunset: sunset.as_deref(),
            })
            .collect();
        let files = site(&SERVICE, &version_pages, Addresses::Paths).into_iter().map(Kept::from).collect();
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
        let digest = lower_hex(&Sha256::digest(&bytes)[..16]);
        Self { path, media, gzip: response::gzip(&bytes), plain: OnceLock::new(), digest }
    }
}

impl Kept {
    /// May be cached if it is revalidated: a release can improve a description.
    fn response(&self, head: &RequestHead<'_>) -> Response {
        let gzip = head.accepts_gzip();
        // Two codings are two representations (RFC 9110, section 8.8.3.3).
        let etag = format!("\"{}{}\"", self.digest, if gzip { "-gzip" } else { "" });
        let etag = HeaderValue::try_from(etag).expect("a digest is visible ASCII");
        let answer = if is_known_to_caller(head.headers(), &etag) {
            response::empty(StatusCode::NOT_MODIFIED)
        } else {
            let body = if gzip { self.gzip.clone() } else { self.plain() };
            response::new(StatusCode::OK, self.media, body).with_coding(gzip)
        };
        answer
            .with(VARY, HeaderValue::from_static("accept-encoding"))
            .with(ETAG, etag)
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

/// The policy of every page, except that it allows the fonts and pictures inside GraphiQL's style sheet, and its requests.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; \
     connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
);

/// GraphiQL of a demo.
pub(crate) struct Graphiql {
    /// The names and bytes of its style sheet and scripts, in the order in which a page loads them.
    pub files: Vec<(&'static str, Bytes)>,
    /// The version of the API that it sends requests to.
    pub version: &'static str,
    pub token: AccessToken,
    /// The parameter `demo` of the address of the page.
    pub nonce: String,
}

impl Graphiql {
    /// Returns the page if `file` is empty and the nonce is right, or the file with this name.
    pub(super) fn serve(&self, context: &PageContext, head: &RequestHead<'_>, file: &str) -> Option<Response> {
        if file.is_empty() {
            return (head.parameter("demo")? == self.nonce).then(|| self.page(context));
        }
        let (name, bytes) = self.files.iter().find(|(name, _)| *name == file)?;
        let content_type =
            if name.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
        Some(response::new(StatusCode::OK, content_type, bytes.clone()))
    }

    fn page(&self, context: &PageContext) -> Response {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    title { "GraphiQL · Partner Card Service" }
                    @for (name, _) in &self.files {
                        @if name.ends_with(".css") { link rel="stylesheet" href=(context.path(&path::graphiql(name))); }
                        @else { script src=(context.path(&path::graphiql(name))) defer {} }
                    }
                    script src=(GRAPHIQL_SCRIPT.address(context)) defer {}
                }
                body {
                    main #editor data-api=(context.path(&path::graphql(self.version)))
                        data-schema=(context.path(&path::schema(self.version))) data-token=(self.token.reveal()) {}
                }
            }
        };
        page::respond(StatusCode::OK, page).with(CONTENT_SECURITY_POLICY, POLICY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_at_the_same_time_share_one_rendering() {
        let reference = Reference::new(Vec::new());
        let pages = futures_util::future::join_all((0..32).map(|_| reference.pages(Vec::new()))).await;
        assert!(pages.iter().all(|one| Arc::ptr_eq(one, &pages[0])));
    }

    #[test]
    fn answers_share_the_bytes_of_a_page_in_both_codings() {
        let bytes = b"<p>kaart</p>".repeat(1_000);
        let kept = Kept::from(File { path: "2026-10".to_owned(), media: "text/html", bytes: bytes.clone() });
        assert_eq!(kept.plain(), bytes);
        assert_eq!(kept.plain().as_ptr(), kept.plain().as_ptr());
        assert!(!kept.plain().is_unique() && !kept.gzip.clone().is_unique());
    }
}
