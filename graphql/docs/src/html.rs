//! The layout of a page, and HTML escaping.

use super::Site;
use crate::DatedSdl;

/// Escapes text for content and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Writes a link to a coordinate of the same page.
pub(super) fn to(coordinate: &str, shown: &str) -> String {
    format!("<a href=\"#{}\"><code>{}</code></a>", escaped(coordinate), escaped(shown))
}

/// Where a page is.
pub(super) struct Place<'a> {
    /// Its own path.
    pub here: &'a str,
    /// The relative address of the site, from the page.
    pub root: &'static str,
    /// The version whose guide it links to.
    pub version: Option<&'a str>,
    /// Whether it has the search field.
    pub search: bool,
}

/// Writes the search field of a page of `version`, which only a script shows.
pub(super) fn search_form(place: &Place<'_>) -> String {
    let (root, version) = (place.root, escaped(place.version.unwrap_or_default()));
    format!(
        "<form role=\"search\" data-root=\"{root}\" data-index=\"{root}{version}/search.json\" hidden>\n\
         <label for=\"search\">Search the guide and the reference</label>\n\
         <input id=\"search\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\">\n\
         <output for=\"search\" aria-live=\"polite\"></output>\n<ul></ul>\n</form>\n"
    )
}

/// Writes a page.
pub(super) fn page(site: &Site<'_>, title: &str, place: &Place<'_>, main: &str) -> String {
    let (root, name) = (place.root, escaped(site.service.name));
    let link = |path: &str, text: &str| {
        let current = if path == place.here { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{root}{}\"{current}>{}</a></li>", escaped(path), escaped(text))
    };
    let mut links = vec![link(site.index(), "Versions")];
    let versions = site.version_pages.iter().rev().map(|version_page| version_page.sdl.version());
    links.extend(versions.map(|version| link(&site.version(version), version)));
    links.push(link(site.changelog(), "Changelog"));
    let guides = place.version.map(|version| {
        let links = site.guides(version).iter().map(|guide| link(&site.guide(version, guide.name), guide.title()));
        format!("<nav aria-label=\"Guide\"><ul>{}</ul></nav>\n", links.collect::<String>())
    });
    let script =
        if place.search { format!("<script src=\"{root}search.js\" defer></script>\n") } else { String::new() };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} · {name}</title>\n<link rel=\"stylesheet\" href=\"{root}style.css\">\n{script}</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         <header>\n<p class=\"name\">{name}</p>\n<nav aria-label=\"Versions\"><ul>{}</ul></nav>\n{}</header>\n\
         <main id=\"content\" tabindex=\"-1\">\n{main}</main>\n\
         <footer><p>Written from the schema itself; the schema counts.</p></footer>\n</body>\n</html>\n",
        escaped(title),
        links.concat(),
        guides.unwrap_or_default(),
    )
}

/// Writes the status of a version with its days.
pub(super) fn status(version_page: &DatedSdl<'_>) -> String {
    let text = version_page.status_text(|day| format!("<time datetime=\"{0}\">{0}</time>", escaped(day)));
    format!("<p class=\"status {}\">{text}</p>\n", version_page.status.as_str())
}
