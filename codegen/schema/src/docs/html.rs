//! The frame of a page, and text made safe for HTML.

use super::{Edition, Site};

/// Text as HTML shows it, in content and in attributes.
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

/// A link to a coordinate of this page.
pub(super) fn to(coordinate: &str, shown: &str) -> String {
    format!("<a href=\"#{}\"><code>{}</code></a>", escaped(coordinate), escaped(shown))
}

/// A page: `here` is its own path, `script` whether it searches.
pub(super) fn page(site: &Site<'_>, title: &str, here: &str, script: bool, main: &str) -> String {
    let link = |path: &str, text: &str| {
        let current = if path == here { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{}\"{current}>{}</a></li>", escaped(path), escaped(text))
    };
    let mut links = vec![link(site.start(), "Versions")];
    let versions = site.editions.iter().rev().map(|edition| edition.sdl.version());
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

/// What a status means to a reader, with its days.
pub(super) fn status(edition: &Edition<'_>) -> String {
    let mut text = match edition.status {
        "candidate" => "Candidate: not published yet; it still changes, and only test keys see it.".to_owned(),
        "deprecated" => "Deprecated: move to a newer version.".to_owned(),
        "retired" => "Retired: it does not answer any more.".to_owned(),
        _ => "Current.".to_owned(),
    };
    let days =
        [("Published on", edition.published), ("Deprecated on", edition.deprecated), ("Ends on", edition.sunset)];
    for (what, day) in days.into_iter().filter_map(|(what, day)| Some((what, day?))) {
        text.push_str(&format!(" {what} <time datetime=\"{0}\">{0}</time>.", escaped(day)));
    }
    format!("<p class=\"status {}\">{text}</p>\n", escaped(edition.status))
}
