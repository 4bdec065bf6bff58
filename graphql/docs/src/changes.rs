//! The changelog page, with links to the page of the version that has the element.

use super::Site;
use super::html::{self, Place, escape};
use crate::changelog::{Change, Changelog, Entry};

pub(super) fn page(site: &Site<'_>) -> String {
    let changelog = Changelog::new(site.version_pages);
    let mut main = String::from("<h1>Changelog</h1>\n");
    changelog.published.iter().for_each(|entry| main.push_str(&section(site, entry, "")));
    changelog.candidates.iter().for_each(|entry| main.push_str(&section(site, entry, ", not published yet")));
    main.push_str(
        "<p>This page as <a href=\"changelog.md\">Markdown</a> and as <a href=\"changelog.json\">JSON</a></p>\n",
    );
    let place = Place { here: site.changelog(), root: "", version: None, search: false };
    html::page(site, "Changelog", &place, &main)
}

/// Writes the changes of a version with its status and its days.
fn section(site: &Site<'_>, entry: &Entry<'_>, note: &str) -> String {
    let version = entry.version.sdl.version();
    let (name, page, status) = (escape(version), escape(&site.version(version)), html::status(&entry.version));
    let changes = match entry.since {
        Some(since) => format!("<p>Since {}:</p>\n{}", escape(since.version()), groups(site, entry)),
        None => "<p>The first version.</p>\n".to_owned(),
    };
    format!("<section>\n<h2 id=\"{name}\"><a href=\"{page}\">{name}</a>{note}</h2>\n{status}{changes}</section>\n")
}

/// Writes the changes of a version, by level.
pub(super) fn groups(site: &Site<'_>, entry: &Entry<'_>) -> String {
    if entry.changes.is_empty() {
        return "<p>Nothing that a client can notice.</p>\n".to_owned();
    }
    let groups = entry.groups().map(|(title, changes)| {
        let lines: String =
            changes.iter().map(|change| format!("<li>{}</li>\n", link_names(site, entry, change))).collect();
        format!("<h3>{title}</h3>\n<ul>\n{lines}</ul>\n")
    });
    groups.collect()
}

/// Writes the text of a change with its code; its coordinate and the replacements become links.
fn link_names(site: &Site<'_>, entry: &Entry<'_>, change: &Change) -> String {
    let text = change.text();
    if !text.matches('`').count().is_multiple_of(2) {
        return escape(&text);
    }
    let newer = entry.version.sdl.version();
    let of_element = entry.since.filter(|_| change.gone).map_or(newer, |since| since.version());
    let replacements = change.deprecation.iter().flat_map(|deprecation| &deprecation.replacements);
    let version = |part: &str| match part {
        _ if is_built_in(part) => None,
        _ if part == change.coordinate => Some(of_element),
        _ => replacements.clone().any(|at| at == part).then_some(newer),
    };
    let parts = text.split('`').enumerate().map(|(at, part)| match (at % 2, version(part)) {
        (0, _) => escape(part),
        (_, Some(version)) => {
            format!("<a href=\"{}\"><code>{}</code></a>", escape(&site.element(version, part)), escape(part))
        }
        (_, None) => format!("<code>{}</code>", escape(part)),
    });
    parts.collect()
}

/// Returns whether a name is a built-in scalar, which has no entry on a page.
fn is_built_in(name: &str) -> bool {
    ["ID", "Int", "Float", "String", "Boolean"].contains(&name)
}
