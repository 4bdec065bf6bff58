//! The reference site of a GraphQL service: for each version a guide and the reference, a changelog, and a list of versions.
//!
//! [`site`] is a pure function from schemas and a [`Service`] to files. `cargo schema docs` writes them to a folder; a server
//! can serve them. The pages work without script; the search field is the only part that needs it.

pub mod changelog;
mod changes;
mod dated_sdl;
mod entry;
mod example;
mod guide;
mod html;
mod index;
mod markdown;
mod plain;
mod search;
mod version;

use changelog::Changelog;
use dated_graphql_schema::model::Schema;
use dated_graphql_schema::{Sdl, coordinate};
pub use dated_sdl::DatedSdl;
pub use example::{Example, examples};
pub use guide::{Drawing, Guide, Sample};

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

/// What the site says about a service besides its schemas.
#[derive(Clone, Copy, Debug)]
pub struct Service {
    /// The name, in the title of every page.
    pub name: &'static str,
    /// What it does, for `llms.txt`.
    pub summary: &'static str,
    /// The folder of a server that has the site, from its root, where it has [`LIST`].
    pub folder: &'static str,
    /// Returns the endpoint of a version.
    pub endpoint: fn(version: &str) -> String,
    /// Returns the guide of a version, in the order of its pages.
    pub guide: fn(version: &str) -> Vec<Guide>,
    /// Returns the notifications that the service sends.
    pub notifications: fn(&Schema) -> Vec<Notification>,
    /// Returns an id of an object of this type, for examples.
    pub id: fn(ty: &str) -> String,
}

impl Default for Service {
    /// Returns a service without a guide.
    fn default() -> Self {
        Self {
            name: "GraphQL API",
            summary: "The reference of a GraphQL API.",
            folder: "",
            endpoint: |version| format!("/{version}/graphql"),
            guide: |_| vec![],
            notifications: |_| vec![],
            id: |ty| format!("{ty}-1"),
        }
    }
}

/// The JSON Schema of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The topic, which is also the name of the file.
    pub topic: String,
    /// The JSON Schema.
    pub text: String,
}

impl Notification {
    /// Returns the name of its file.
    pub fn file_name(&self) -> String {
        [&self.topic, ".schema.json"].concat()
    }
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

/// Returns the name of the page with an element: the name of its type, or `Directives`.
fn coordinate_page(coordinate: &str) -> &str {
    if coordinate.starts_with('@') { "Directives" } else { coordinate.split('.').next().unwrap_or(coordinate) }
}

/// The data of every page.
struct Site<'a> {
    service: &'a Service,
    version_pages: &'a [DatedSdl<'a>],
    /// For each of `version_pages`.
    guides: Vec<Vec<Guide>>,
    addresses: Addresses,
}

impl Site<'_> {
    /// Returns the pages of a version's guide.
    fn guides(&self, version: &str) -> &[Guide] {
        let at = self.version_pages.iter().position(|page| page.sdl.version() == version);
        at.map_or(&[], |at| &self.guides[at])
    }

    /// Returns the notifications of a version.
    fn notifications(&self, page: &DatedSdl<'_>) -> Vec<Notification> {
        (self.service.notifications)(&page.sdl.schema)
    }

    /// Returns the link to a version's page.
    fn version(&self, version: &str) -> String {
        [version, self.addresses.ending()].concat()
    }

    /// Returns the link to an element of the reference.
    fn element(&self, version: &str, coordinate: &str) -> String {
        [&self.guide(version, coordinate_page(coordinate)), "#", coordinate].concat()
    }

    /// Returns HTML whose links to elements, such as `#Book.title`, lead to the pages of their types, which are in `folder`; `here` is
    /// the page itself.
    fn lead_to_types(&self, sdl: &Sdl, html: &str, folder: &str, here: &str) -> String {
        let mut parts = html.split("href=\"#");
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |led, part| {
            let at = part.split('"').next().unwrap_or_default();
            let page = coordinate_page(at);
            let is_elsewhere = page != here && at != coordinate::SCHEMA && sdl.spans.get(at).is_some();
            let page = if is_elsewhere { [folder, page, self.addresses.ending()].concat() } else { String::new() };
            [&led, "href=\"", &page, "#", part].concat()
        })
    }

    /// Returns the link to a page of a version's guide or of its reference.
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
pub fn site(service: &Service, version_pages: &[DatedSdl<'_>], addresses: Addresses) -> Vec<File> {
    let guides = version_pages.iter().map(|page| (service.guide)(page.sdl.version())).collect();
    let site = Site { service, version_pages, guides, addresses };
    let file = |path: String, media, text: String| File { path, media, bytes: text.into_bytes() };
    let mut files = vec![file(site.index().to_owned(), HTML, index::page(&site))];
    for (at, version_page) in version_pages.iter().enumerate() {
        let version = version_page.sdl.version();
        files.extend(version::pages(&site, at).into_iter().map(|(path, html)| file(path, HTML, html)));
        files.push(file(format!("{version}/reference.md"), MARKDOWN, plain::reference(version_page)));
        for guide in &site.guides[at] {
            files.push(file(site.guide(version, guide.name), HTML, guide.page(&site, version_page)));
            files.push(file(format!("{version}/{}.md", guide.name), MARKDOWN, guide.markdown()));
        }
        for notification in site.notifications(version_page) {
            files.push(file(format!("{version}/{}", notification.file_name()), JSON_SCHEMA, notification.text));
        }
        let index = search::index(&site, version_page);
        files.push(File { path: format!("{version}/search.json"), media: JSON, bytes: index });
    }
    files.push(file(site.changelog().to_owned(), HTML, changes::page(&site)));
    let changelog = Changelog::new(version_pages);
    files.push(file("changelog.md".to_owned(), MARKDOWN, changelog::markdown(&changelog)));
    files.push(file("changelog.json".to_owned(), JSON, changelog::json(&changelog)));
    let folder = if addresses == Addresses::Paths { service.folder } else { "" };
    files.push(file(LIST.to_owned(), "text/plain; charset=utf-8", plain::list(&site, folder)));
    files.push(file("style.css".to_owned(), "text/css; charset=utf-8", STYLE.to_owned()));
    files.push(file("search.js".to_owned(), "text/javascript; charset=utf-8", SEARCH.to_owned()));
    files
}
