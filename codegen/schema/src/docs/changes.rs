//! The changelog page, with links to the page of the version that has the element.

use super::Site;
use super::html::{self, Place, escaped};
use crate::changelog::{self, Group, Step, sentence};
use crate::sdl::Sdl;

pub(super) fn page(site: &Site<'_>) -> String {
    let sdls: Vec<Sdl> = site.version_pages.iter().map(|version_page| version_page.sdl.clone()).collect();
    let mut main = String::from("<h1>Changelog</h1>\n");
    for step in changelog::steps(&sdls) {
        let (from, to) = (escaped(&step.from), escaped(&step.to));
        let page = escaped(&site.version(&step.to));
        main.push_str(&format!("<section>\n<h2 id=\"since-{from}\"><a href=\"{page}\">{to}</a></h2>\n"));
        main.push_str(&format!("<p>Since {from}.</p>\n{}</section>\n", groups(site, &step)));
    }
    if let Some(first) = sdls.first() {
        let (name, page) = (escaped(first.version()), escaped(&site.version(first.version())));
        main.push_str(&format!(
            "<section>\n<h2><a href=\"{page}\">{name}</a></h2>\n<p>The first version.</p>\n</section>\n"
        ));
    }
    main.push_str("<p><a href=\"changelog.md\">This page as Markdown</a></p>\n");
    let place = Place { here: site.changelog(), root: "", version: None, search: false };
    html::page(site, "Changelog", &place, &main)
}

/// Writes the changes of one step, by level.
pub(super) fn groups(site: &Site<'_>, step: &Step) -> String {
    if step.groups.is_empty() {
        return "<p>Nothing that a client can notice.</p>\n".to_owned();
    }
    let groups = step.groups.iter().map(|Group { title, lines, .. }| {
        let lines: String = lines
            .iter()
            .map(|line| {
                let version = if line.gone { &step.from } else { &step.to };
                let page = site.version(version);
                format!("<li>{}</li>\n", linked(&sentence(&line.text), &line.coordinate, &page))
            })
            .collect();
        format!("<h3>{title}</h3>\n<ul>\n{lines}</ul>\n")
    });
    groups.collect()
}

/// Writes a sentence with its code; the coordinate becomes a link.
fn linked(text: &str, coordinate: &str, page: &str) -> String {
    if !text.matches('`').count().is_multiple_of(2) {
        return escaped(text);
    }
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => escaped(part),
        _ if part == coordinate && !is_built_in(part) => {
            format!("<a href=\"{}#{}\"><code>{}</code></a>", escaped(page), escaped(part), escaped(part))
        }
        _ => format!("<code>{}</code>", escaped(part)),
    });
    parts.collect()
}

/// Returns whether a name is a built-in scalar, which has no entry on a page.
fn is_built_in(name: &str) -> bool {
    ["ID", "Int", "Float", "String", "Boolean"].contains(&name)
}
