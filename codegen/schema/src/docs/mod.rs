//! The reference site: what partners read. A page for each version, what changed between them, and a list of versions.
//!
//! [`site`] is a pure function from schemas to files, so `cargo schema docs` writes them to a folder and the server can
//! answer with them; neither has anything else to know. The same schemas always give the same bytes. The pages need no
//! script: the only one shortens what is shown while somebody types into the search field.

mod changes;
mod entry;
mod example;
mod html;
mod prose;
mod start;
mod version;

use crate::sdl::Sdl;
pub use example::{Example, examples};

/// A version, as the site shows it.
#[derive(Clone, Copy, Debug)]
pub struct Edition<'a> {
    pub sdl: &'a Sdl,
    /// `candidate`, `current` or `deprecated`, as `schema/versions.toml` says it, or `retired`.
    pub status: &'a str,
    /// Days, `YYYY-MM-DD`.
    pub published: Option<&'a str>,
    pub deprecated: Option<&'a str>,
    pub sunset: Option<&'a str>,
}

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the site, without a folder.
    pub path: String,
    /// Its `Content-Type`.
    pub media: &'static str,
    pub bytes: Vec<u8>,
}

/// How pages of the site name each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addresses {
    /// As files of a folder: `2026-10.html`, `index.html`.
    Files,
    /// As a server answers: `2026-10`, `versions`.
    Paths,
}

/// What every page knows.
struct Site<'a> {
    editions: &'a [Edition<'a>],
    addresses: Addresses,
}

impl Site<'_> {
    /// The address of a version's page.
    fn version(&self, version: &str) -> String {
        match self.addresses {
            Addresses::Files => format!("{version}.html"),
            Addresses::Paths => version.to_owned(),
        }
    }

    /// The address of the list of versions.
    fn start(&self) -> &'static str {
        match self.addresses {
            Addresses::Files => "index.html",
            Addresses::Paths => "versions",
        }
    }

    /// The address of the changelog.
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

/// Every file of the site; `editions` are oldest first.
pub fn site(editions: &[Edition<'_>], addresses: Addresses) -> Vec<File> {
    let site = Site { editions, addresses };
    let page = |path: String, text: String| File { path, media: HTML, bytes: text.into_bytes() };
    let mut files = vec![page(site.start().to_owned(), start::page(&site))];
    for (at, edition) in editions.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| editions[at].sdl);
        files.push(page(site.version(edition.sdl.version()), version::page(&site, edition, previous)));
    }
    files.push(page(site.changelog().to_owned(), changes::page(&site)));
    let asset = |path: &str, media, text: &str| File { path: path.to_owned(), media, bytes: text.as_bytes().to_vec() };
    files.push(asset("style.css", "text/css; charset=utf-8", STYLE));
    files.push(asset("search.js", "text/javascript; charset=utf-8", SEARCH));
    files
}
