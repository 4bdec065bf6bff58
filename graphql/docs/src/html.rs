//! The layout of a page, and HTML escaping.

use super::Site;
use crate::DatedSdl;

/// Escapes text for content and attributes.
pub(super) fn escape(text: &str) -> String {
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
    format!("<a href=\"#{}\"><code>{}</code></a>", escape(coordinate), escape(shown))
}

/// Where a page is.
pub(super) struct Place<'a> {
    /// Its own path.
    pub here: &'a str,
    /// The relative address of the site, from the page.
    pub root: &'static str,
    /// The version of the page.
    pub version: Option<&'a str>,
    /// Whether it has the search field.
    pub search: bool,
}

/// Writes the navigation of a page: the search field, which only a script shows, the guide, and the table of `contents`.
pub(super) fn write_navigation(site: &Site<'_>, place: &Place<'_>, contents: &str) -> String {
    let (root, version) = (place.root, place.version.unwrap_or_default());
    let guides = site.guides(version).iter().map(|guide| link(place, &site.guide(version, guide.name), guide.title()));
    let guides = format!("{}{}", guides.collect::<String>(), link(place, &site.version(version), "Reference"));
    let version = escape(version);
    format!(
        "<div class=\"find\">\n<form role=\"search\" data-root=\"{root}\" data-index=\"{root}{version}/search.json\" hidden>\n\
         <label for=\"search\">Search the guide and the reference</label>\n\
         <input id=\"search\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\">\n\
         <output for=\"search\" aria-live=\"polite\"></output>\n<ul></ul>\n</form>\n\
         <nav aria-label=\"Guide\"><details class=\"guide\"><summary>Guide and reference</summary>\
         <ul>{guides}</ul></details></nav>\n{contents}</div>\n"
    )
}

/// Writes an entry of a list of pages.
fn link(place: &Place<'_>, path: &str, text: &str) -> String {
    let current = if path == place.here { " aria-current=\"page\"" } else { "" };
    format!("<li><a href=\"{}{}\"{current}>{}</a></li>", place.root, escape(path), escape(text))
}

/// Writes a page.
pub(super) fn page(site: &Site<'_>, title: &str, place: &Place<'_>, main: &str) -> String {
    let (root, name) = (place.root, escape(site.service.name));
    let mut links = vec![link(place, site.index(), "Versions")];
    let versions = site.version_pages.iter().rev().map(|version_page| version_page.sdl.version());
    links.extend(versions.map(|version| link(place, &site.version(version), version)));
    links.push(link(place, site.changelog(), "Changelog"));
    let script =
        if place.search { format!("<script src=\"{root}search.js\" defer></script>\n") } else { String::new() };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} · {name}</title>\n<link rel=\"stylesheet\" href=\"{root}style.css\">\n{script}</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         <header>\n<p class=\"name\">{name}</p>\n<nav aria-label=\"Versions\"><ul>{}</ul></nav>\n</header>\n\
         <main id=\"content\" tabindex=\"-1\">\n{main}</main>\n\
         <footer><p>Written from the schema itself; the schema counts.</p></footer>\n</body>\n</html>\n",
        escape(title),
        links.concat(),
    )
}

/// Writes the status of a version with its days.
pub(super) fn status(version_page: &DatedSdl<'_>) -> String {
    let text = version_page.status_text(|day| format!("<time datetime=\"{0}\">{0}</time>", escape(day)));
    format!("<p class=\"status {}\">{text}</p>\n", version_page.status.as_str())
}
