//! The first page: which versions there are.

use super::html::{self, escaped};
use super::{Site, prose};
use crate::coordinate;

pub(super) fn page(site: &Site<'_>) -> String {
    let editions = site.editions;
    let mut main = String::from("<h1>Versions of the API</h1>\n");
    let current = editions.iter().rfind(|edition| edition.status == "current").or(editions.last());
    if let Some(edition) = current {
        // The names in it are links of the version's own page, not of this one.
        let text = edition.sdl.schema.description.as_deref().unwrap_or_default();
        main.push_str(
            &prose::blocks(edition.sdl, coordinate::SCHEMA, text)
                .replace("href=\"#", &format!("href=\"{}#", escaped(&site.version(edition.sdl.version())))),
        );
    }
    main.push_str(
        "<p>A version is published beside the others and stays as it is: only its descriptions get better. Move to the next \
         one at your own time, by changing the version in the path.</p>\n<ul class=\"versions\">\n",
    );
    for edition in editions.iter().rev() {
        let version = escaped(edition.sdl.version());
        let page = escaped(&site.version(edition.sdl.version()));
        let link = format!("<h2><a href=\"{page}\">{version}</a></h2>");
        let path = format!("<p><code>POST /partner/api/{version}/graphql</code></p>");
        main.push_str(&format!("<li>{link}\n{}{path}</li>\n", html::status(edition)));
    }
    let changelog = site.changelog();
    main.push_str(&format!("</ul>\n<p><a href=\"{changelog}\">What changed from version to version</a></p>\n"));
    html::page(site, "Versions", site.start(), false, &main)
}
