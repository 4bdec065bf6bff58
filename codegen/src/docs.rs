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
    /// As `schema/versions.toml` says it: `candidate`, `current` or `deprecated`.
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

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = include_str!("docs/style.css");
const SEARCH: &str = include_str!("docs/search.js");

/// Every file of the site; `editions` are oldest first.
pub fn site(editions: &[Edition<'_>]) -> Vec<File> {
    let page = |path: String, text: String| File { path, media: HTML, bytes: text.into_bytes() };
    let mut files = vec![page("index.html".to_owned(), start::page(editions))];
    for (at, edition) in editions.iter().enumerate() {
        let previous = at.checked_sub(1).map(|at| editions[at].sdl);
        files.push(page(html::version_path(edition.sdl.version()), version::page(edition, previous, editions)));
    }
    files.push(page("changelog.html".to_owned(), changes::page(editions)));
    let asset = |path: &str, media, text: &str| File { path: path.to_owned(), media, bytes: text.as_bytes().to_vec() };
    files.push(asset("style.css", "text/css; charset=utf-8", STYLE));
    files.push(asset("search.js", "text/javascript; charset=utf-8", SEARCH));
    files
}
