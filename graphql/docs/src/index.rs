//! The index page: the list of versions.

use super::html::{self, Place, escape};
use super::{Site, markdown};
use dated_graphql_schema::VersionStatus;
use dated_graphql_schema::coordinate;

pub(super) fn page(site: &Site<'_>) -> String {
    let version_pages = site.version_pages;
    let mut main = String::from("<h1>Versions of the API</h1>\n");
    let current = version_pages
        .iter()
        .rfind(|version_page| version_page.status == VersionStatus::Current)
        .or(version_pages.last());
    if let Some(version_page) = current {
        let (sdl, text) = (version_page.sdl, version_page.sdl.schema.description.as_deref().unwrap_or_default());
        let about = markdown::blocks(sdl, coordinate::SCHEMA, text);
        main.push_str(&site.lead_to_types(sdl, &about, &[sdl.version(), "/"].concat(), ""));
    }
    main.push_str(
        "<p>A version is published next to the others and stays as it is: only its descriptions get better. Move to the next \
         one at your own time, by changing the version in the path.</p>\n<ul class=\"versions\">\n",
    );
    for version_page in version_pages.iter().rev() {
        let version = escape(version_page.sdl.version());
        let page = escape(&site.version(version_page.sdl.version()));
        let link = format!("<h2><a href=\"{page}\">{version}</a></h2>");
        let endpoint = escape(&(site.service.endpoint)(version_page.sdl.version()));
        let path = format!("<p><code>POST {endpoint}</code></p>");
        main.push_str(&format!("<li>{link}\n{}{path}</li>\n", html::status(version_page)));
    }
    let changelog = site.changelog();
    main.push_str(&format!("</ul>\n<p><a href=\"{changelog}\">What changed from version to version</a></p>\n"));
    let version = current.map(|version_page| version_page.sdl.version());
    let place = Place { here: site.index(), root: "", version, search: false };
    html::page(site, "Versions", &place, &main)
}
