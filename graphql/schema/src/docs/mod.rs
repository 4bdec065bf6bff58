//! The site for partners: the guide and the reference of each version, a changelog, and a list of versions.
//!
//! [`site`] is a pure function from schemas to files. `cargo schema docs` writes them to a folder; the server serves them.
//! The pages work without script; the search field is the only part that needs it.

mod changes;
mod entry;
mod example;
mod guide;
mod html;
mod index;
mod markdown;
mod plain;
mod search;
mod version;

use crate::DatedSdl;
use crate::changelog::{self, Changelog};
use crate::payload::payloads;
pub use example::{Example, examples};
use guide::GUIDES;
pub(crate) use guide::notification_field;

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path below the site.
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

impl Addresses {
    /// The ending of a page's address.
    fn ending(self) -> &'static str {
        match self {
            Addresses::Files => ".html",
            Addresses::Paths => "",
        }
    }
}

/// The data of every page.
struct Site<'a> {
    version_pages: &'a [DatedSdl<'a>],
    addresses: Addresses,
}

impl Site<'_> {
    /// Returns the link to a version's page.
    fn version(&self, version: &str) -> String {
        [version, self.addresses.ending()].concat()
    }

    /// Returns the link to a page of a version's guide.
    fn guide(&self, version: &str, name: &str) -> String {
        [version, "/", name, self.addresses.ending()].concat()
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
const MARKDOWN: &str = "text/markdown; charset=utf-8";
const JSON_SCHEMA: &str = "application/schema+json";
const JSON: &str = "application/json";
const STYLE: &str = include_str!("style.css");
/// The list of pages for programs that read; a server has it at its root.
pub const LIST: &str = "llms.txt";
const SEARCH: &str = include_str!("search.js");

/// Writes every file of the site; `version_pages` are oldest first.
pub fn site(version_pages: &[DatedSdl<'_>], addresses: Addresses) -> Vec<File> {
    let site = Site { version_pages, addresses };
    let file = |path: String, media, text: String| File { path, media, bytes: text.into_bytes() };
    let mut files = vec![file(site.index().to_owned(), HTML, index::page(&site))];
    for (at, version_page) in version_pages.iter().enumerate() {
        let version = version_page.sdl.version();
        files.push(file(site.version(version), HTML, version::page(&site, at)));
        files.push(file(format!("{version}/reference.md"), MARKDOWN, plain::reference(version_page)));
        for guide in &GUIDES {
            files.push(file(site.guide(version, guide.name), HTML, guide.page(&site, version_page)));
            files.push(file(format!("{version}/{}.md", guide.name), MARKDOWN, guide.markdown(version)));
        }
        for payload in payloads(&version_page.sdl.schema) {
            files.push(file(format!("{version}/{}", payload.file_name()), JSON_SCHEMA, payload.text));
        }
        let index = search::index(&site, version_page);
        files.push(File { path: format!("{version}/search.json"), media: JSON, bytes: index });
    }
    files.push(file(site.changelog().to_owned(), HTML, changes::page(&site)));
    let changelog = Changelog::of(version_pages);
    files.push(file("changelog.md".to_owned(), MARKDOWN, changelog::markdown(&changelog)));
    files.push(file("changelog.json".to_owned(), JSON, changelog::json(&changelog)));
    let folder = if addresses == Addresses::Paths { "docs/" } else { "" };
    files.push(file(LIST.to_owned(), "text/plain; charset=utf-8", plain::list(&site, folder)));
    files.push(file("style.css".to_owned(), "text/css; charset=utf-8", STYLE.to_owned()));
    files.push(file("search.js".to_owned(), "text/javascript; charset=utf-8", SEARCH.to_owned()));
    files
}
