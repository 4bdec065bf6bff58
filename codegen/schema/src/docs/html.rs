//! The layout of a page, and HTML escaping.

use super::{Site, VersionPage};
use crate::VersionStatus;

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

/// Writes a page; `here` is its own path, `script` whether it has the search field.
pub(super) fn page(site: &Site<'_>, title: &str, here: &str, script: bool, main: &str) -> String {
    let link = |path: &str, text: &str| {
        let current = if path == here { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{}\"{current}>{}</a></li>", escaped(path), escaped(text))
    };
    let mut links = vec![link(site.index(), "Versions")];
    let versions = site.version_pages.iter().rev().map(|version_page| version_page.sdl.version());
    links.extend(versions.map(|version| link(&site.version(version), version)));
    links.push(link(site.changelog(), "Changelog"));
    let script = if script { "<script src=\"search.js\" defer></script>\n" } else { "" };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{} · Partner Card Service</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n{script}</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         <header>\n<p class=\"name\">Partner Card Service</p>\n<nav aria-label=\"Versions\"><ul>{}</ul></nav>\n</header>\n\
         <main id=\"content\" tabindex=\"-1\">\n{main}</main>\n\
         <footer><p>Written from the schema itself; the schema counts.</p></footer>\n</body>\n</html>\n",
        escaped(title),
        links.concat(),
    )
}

/// Writes the status of a version with its days.
pub(super) fn status(version_page: &VersionPage<'_>) -> String {
    let mut text = match version_page.status {
        VersionStatus::Candidate => {
            "Candidate: not published yet; it still changes, and only test keys see it.".to_owned()
        }
        VersionStatus::Deprecated => "Deprecated: move to a newer version.".to_owned(),
        VersionStatus::Retired => "Retired: it does not answer any more.".to_owned(),
        VersionStatus::Current => "Current.".to_owned(),
    };
    let days = [
        ("Published on", version_page.published),
        ("Deprecated on", version_page.deprecated),
        ("Ends on", version_page.sunset),
    ];
    for (what, day) in days.into_iter().filter_map(|(what, day)| Some((what, day?))) {
        text.push_str(&format!(" {what} <time datetime=\"{0}\">{0}</time>.", escaped(day)));
    }
    format!("<p class=\"status {}\">{text}</p>\n", version_page.status.as_str())
}
