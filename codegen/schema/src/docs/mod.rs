//! The reference site for partners: a page for each version, a changelog, and a list of versions.
//!
//! [`site`] is a pure function from schemas to files. `cargo schema docs` writes them to a folder; the server serves them.
//! The pages work without script; the search field is the only part that needs it.

mod changes;
mod entry;
mod example;
mod html;
mod index;
mod markdown;

mod version;

use crate::VersionStatus;
use crate::sdl::Sdl;
pub use example::{Example, examples};

/// A version and what its page says about it.
#[derive(Clone, Copy, Debug)]
pub struct VersionPage<'a> {
    /// The schema.
    pub sdl: &'a Sdl,
    /// The status that the page shows.
    pub status: VersionStatus,
    /// The day of publication, `YYYY-MM-DD`.
    pub published: Option<&'a str>,
    /// The day of deprecation, `YYYY-MM-DD`.
    pub deprecated: Option<&'a str>,
    /// The day on which the version ends, `YYYY-MM-DD`.
    pub sunset: Option<&'a str>,
}

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The file name.
    pub path: String,
    /// The `Content-Type`.
    pub media: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The form of links between pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// Files of a folder: `2026-10.html`, `index.html`.
    Files,
    /// Paths of a server: `2026-10`, `versions`.
    Paths,
}

/// The data of every page.
struct Site<'a> {
    version_pages: &'a [VersionPage<'a>],
    addresses: Addresses,
}

impl Site<'_> {
    /// Returns the link to a version's page.
    fn version(&self, version: &str) -> String {
        match self.addresses {
            Addresses::Files => format!("{version}.html"),
            Addresses::Paths => version.to_owned(),
        }
    }

    /// Returns the link to the list of versions.
    fn index(&self) -> &'static str {
        match self.addresses {
            Addresses::Files => "index.html",
            Addresses::Paths => "versions",
        }
    }

    /// Returns the link to the changelog.
    fn changelog(&self) -> &'static str {
        match self.addresses {
            Addresses::Files => "changelog.html",
            Addresses::Paths => "changelog",
        }
    }
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = include_str!("style.css");
const SEARCH: &str = include_str!("search.js");

/// Writes every file of the site; `version_pages` are oldest first.
pub fn site(version_pages: &[VersionPage<'_>], addresses: Addresses) -> Vec<File> {
    let site = Site { version_pages, addresses };
    let page = |path: String, text: String| File { path, media: HTML, bytes: text.into_bytes() };
    let mut files = vec![page(site.index().to_owned(), index::page(&site))];
    for (at, version_page) in version_pages.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| version_pages[at].sdl);
        files.push(page(site.version(version_page.sdl.version()), version::page(&site, version_page, previous)));
    }
    files.push(page(site.changelog().to_owned(), changes::page(&site)));
    let asset = |path: &str, media, text: &str| File { path: path.to_owned(), media, bytes: text.as_bytes().to_vec() };
    files.push(asset("style.css", "text/css; charset=utf-8", STYLE));
    files.push(asset("search.js", "text/javascript; charset=utf-8", SEARCH));
    files
}
