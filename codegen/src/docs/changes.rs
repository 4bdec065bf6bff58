//! What changed from version to version, with links into the page of the version that has the thing.

use super::Edition;
use super::html::{self, escaped};
use crate::changelog::{self, Group, Step, sentence};
use crate::sdl::Sdl;

pub(super) fn page(editions: &[Edition<'_>]) -> String {
    let sdls: Vec<Sdl> = editions.iter().map(|edition| edition.sdl.clone()).collect();
    let mut main = String::from("<h1>Changelog</h1>\n");
    for step in changelog::steps(&sdls) {
        let (from, to) = (escaped(&step.from), escaped(&step.to));
        main.push_str(&format!("<section>\n<h2 id=\"since-{from}\"><a href=\"{to}.html\">{to}</a></h2>\n"));
        main.push_str(&format!("<p>Since {from}.</p>\n{}</section>\n", groups(&step)));
    }
    if let Some(first) = sdls.first() {
        let name = escaped(first.version());
        main.push_str(&format!(
            "<section>\n<h2><a href=\"{name}.html\">{name}</a></h2>\n<p>The first version.</p>\n</section>\n"
        ));
    }
    html::page("Changelog", "changelog.html", editions, false, &main)
}

/// The changes of one step, by what they ask of a client.
pub(super) fn groups(step: &Step) -> String {
    if step.groups.is_empty() {
        return "<p>Nothing that a client can notice.</p>\n".to_owned();
    }
    let groups = step.groups.iter().map(|Group { title, lines, .. }| {
        let lines: String = lines
            .iter()
            .map(|line| {
                let version = if line.gone { &step.from } else { &step.to };
                let page = html::version_path(version);
                format!("<li>{}</li>\n", linked(&sentence(&line.text), &line.coordinate, &page))
            })
            .collect();
        format!("<h3>{title}</h3>\n<ul>\n{lines}</ul>\n")
    });
    groups.collect()
}

/// A sentence whose code is shown as code; the coordinate itself is a link.
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

/// A scalar that has no place on a page.
fn is_built_in(name: &str) -> bool {
    ["ID", "Int", "Float", "String", "Boolean"].contains(&name)
}
