//! The pages of a version: its list of operations and types, with deprecations and changes since the previous version; and a page for
//! each type, one of them for the queries, one for the mutations and one for the directives.

use super::entry;
use super::example::examples;
use super::html::{self, Place, escape, to};
use super::{Site, changes, coordinate_page, markdown};
use crate::DatedSdl;
use crate::changelog::Entry;
use dated_graphql_schema::Sdl;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Field, Kind, Type};

/// A section of the list.
struct Part {
    id: &'static str,
    title: &'static str,
    /// Coordinate, name and description of each element.
    elements: Vec<(String, String, Option<String>)>,
    /// The title and the content of each page.
    pages: Vec<(String, String)>,
}

/// Writes the pages of the version at `at`, with their paths.
pub(super) fn pages(site: &Site<'_>, at: usize) -> Vec<(String, String)> {
    let version_page = &site.version_pages[at];
    let (sdl, version) = (version_page.sdl, version_page.sdl.version());
    let parts = parts(sdl, site.service.id);
    let mut pages = vec![(site.version(version), list(site, at, &parts))];
    for Part { id, pages: own, .. } in &parts {
        for (title, html) in own {
            let page = coordinate_page(title);
            let path = site.guide(version, page);
            let place = Place { here: &path, root: "../", version: Some(version), search: true };
            let contents = contents(&parts, id, "");
            let main = format!("<h1>{}</h1>\n{}{html}", escape(title), html::write_navigation(site, &place, &contents));
            let main = site.lead_to_types(sdl, &main, "", page);
            pages.push((path.clone(), html::page(site, &format!("{title}, version {version}"), &place, &main)));
        }
    }
    pages
}

/// Writes the column with the elements of all sections; `here` is the section of the page, which a script opens.
fn contents(parts: &[Part], here: &str, more: &str) -> String {
    let mut contents = String::from("<nav aria-label=\"Reference\" class=\"contents\">\n");
    for Part { id, title, elements, .. } in parts {
        let here = if *id == here { " class=\"here\"" } else { "" };
        let links: Vec<String> = elements.iter().map(|(at, name, _)| format!("<li>{}</li>", to(at, name))).collect();
        contents.push_str(&format!(
            "<details{here}><summary>{title} ({})</summary><ul>{}</ul></details>\n",
            elements.len(),
            links.concat()
        ));
    }
    contents + more + "</nav>\n"
}

/// Writes the list of the operations and types of the version at `at`.
fn list(site: &Site<'_>, at: usize, parts: &[Part]) -> String {
    let version_page = &site.version_pages[at];
    let changes = at.checked_sub(1).map(|before| Entry::new(site.version_pages, before, at));
    let sdl = version_page.sdl;
    let version = sdl.version();
    let mut main = format!("<h1>Version {}</h1>\n{}", escape(version), html::status(version_page));
    let about = sdl.schema.description.as_deref().map(|text| markdown::blocks(sdl, coordinate::SCHEMA, text));
    main.push_str(&format!("<section id=\"schema\">\n{}</section>\n", about.unwrap_or_default()));
    let place = Place { here: &site.version(version), root: "", version: Some(version), search: true };
    let notifications = notifications(site, version_page);
    let since = changes.as_ref().and_then(|changes| changes.since).map(|since| format!("Since {}", since.version()));
    let mut more = String::from("<p><a href=\"#part-deprecations\">Deprecations</a>");
    if !notifications.is_empty() {
        more.push_str(" · <a href=\"#part-notifications\">Notifications</a>");
    }
    if let Some(since) = &since {
        more.push_str(&format!(" · <a href=\"#part-changes\">{}</a>", escape(since)));
    }
    main.push_str(&html::write_navigation(site, &place, &contents(parts, "", &(more + "</p>\n"))));
    for Part { id, title, elements, .. } in parts {
        let lines = elements.iter().map(|(at, name, description)| {
            let about = description.as_deref().map(|text| markdown::first_sentence(sdl, at, text)).unwrap_or_default();
            format!("<li>{} {about}</li>\n", to(at, name))
        });
        let lines: String = lines.collect();
        main.push_str(&format!(
            "<section>\n<h2 id=\"part-{id}\">{title}</h2>\n<ul class=\"list\">\n{lines}</ul></section>\n"
        ));
    }
    main.push_str(&format!(
        "<section>\n<h2 id=\"part-deprecations\">Deprecations</h2>\n{}</section>\n",
        deprecations(sdl)
    ));
    let mut main = site.lead_to_types(sdl, &main, &[version, "/"].concat(), "");
    if let Some((changes, since)) = changes.zip(since) {
        let groups = changes::groups(site, &changes);
        let since = escape(&since);
        main.push_str(&format!("<section>\n<h2 id=\"part-changes\">{since}</h2>\n{groups}</section>\n"));
    }
    main.push_str(&notifications);
    main.push_str(&format!("<p><a href=\"{}/reference.md\">This page as Markdown</a></p>\n", escape(version)));
    html::page(site, &format!("Version {version}"), &place, &main)
}

/// Writes links to the JSON Schemas of the notifications.
fn notifications(site: &Site<'_>, version_page: &DatedSdl<'_>) -> String {
    let links = site.notifications(version_page).into_iter().map(|notification| {
        let address = format!("{}/{}", version_page.sdl.version(), notification.file_name());
        format!("<li><a href=\"{}\"><code>{}</code></a></li>\n", escape(&address), escape(&notification.topic))
    });
    let links: String = links.collect();
    if links.is_empty() {
        return links;
    }
    format!(
        "<section>\n<h2 id=\"part-notifications\">Notifications as JSON Schema</h2>\n<ul>\n{links}</ul>\n</section>\n"
    )
}

/// Returns the sections that are not empty.
fn parts(sdl: &Sdl, id: fn(&str) -> String) -> Vec<Part> {
    let schema = &sdl.schema;
    let examples = examples(sdl, id);
    let mut parts = vec![];
    let roots = [("queries", "Queries", Some(&*schema.query)), ("mutations", "Mutations", schema.mutation.as_deref())];
    for (id, title, root) in roots.into_iter().filter_map(|(id, title, root)| Some((id, title, schema.get(root?)?))) {
        let at = |name: &str| coordinate::member(&root.name, name);
        let element = |field: &Field| (at(&field.name), field.name.clone(), field.description.clone());
        let elements = root.fields().iter().map(element).collect();
        let intro = root.description.as_deref().map(|text| markdown::blocks(sdl, &root.name, text)).unwrap_or_default();
        let mut html = format!("<div id=\"{}\">{intro}</div>\n", escape(&root.name));
        for field in root.fields() {
            let example = examples.iter().find(|example| example.coordinate == at(&field.name));
            html.push_str(&entry::operation(sdl, &root.name, field, example));
        }
        parts.push(Part { id, title, elements, pages: vec![(root.name.clone(), html)] });
    }
    type Is = fn(&Kind) -> bool;
    let kinds: [(&str, &str, Is); 6] = [
        ("objects", "Objects", |kind| matches!(kind, Kind::Object { .. })),
        ("interfaces", "Interfaces", |kind| matches!(kind, Kind::Interface { .. })),
        ("unions", "Unions", |kind| matches!(kind, Kind::Union { .. })),
        ("enums", "Enums", |kind| matches!(kind, Kind::Enum { .. })),
        ("inputs", "Inputs", |kind| matches!(kind, Kind::Input { .. })),
        ("scalars", "Scalars", |kind| matches!(kind, Kind::Scalar { .. })),
    ];
    for (id, title, is) in kinds {
        let types: Vec<&Type> = schema.types.iter().filter(|ty| is(&ty.kind) && !schema.is_root(&ty.name)).collect();
        let elements = types.iter().map(|ty| (ty.name.clone(), ty.name.clone(), ty.description.clone())).collect();
        let pages = types.iter().map(|ty| (ty.name.clone(), entry::of_type(sdl, ty))).collect();
        parts.push(Part { id, title, elements, pages });
    }
    let elements = schema.directives.iter().map(|directive| {
        let at = coordinate::directive(&directive.name);
        (at.clone(), at, directive.description.clone())
    });
    let html = schema.directives.iter().map(|directive| entry::directive(sdl, directive)).collect();
    let (elements, pages) = (elements.collect(), vec![("Directives".to_owned(), html)]);
    parts.push(Part { id: "directives", title: "Directives", elements, pages });
    parts.retain(|part| !part.elements.is_empty());
    parts
}

/// Writes the deprecated elements with their reasons.
fn deprecations(sdl: &Sdl) -> String {
    let mut rows = vec![];
    let mut add = |at: String, reason: Option<&str>| {
        if let Some(reason) = reason {
            rows.push(format!("<li>{} {}</li>\n", to(&at, &at), markdown::blocks(sdl, &at, reason)));
        }
    };
    for ty in &sdl.schema.types {
        for field in ty.fields() {
            let at = coordinate::member(&ty.name, &field.name);
            field.args.iter().for_each(|arg| add(coordinate::argument(&at, &arg.name), arg.deprecated.as_deref()));
            add(at, field.deprecated.as_deref());
        }
        match &ty.kind {
            Kind::Enum { values } => {
                values.iter().for_each(|v| add(coordinate::member(&ty.name, &v.name), v.deprecated.as_deref()));
            }
            Kind::Input { fields, .. } => {
                fields.iter().for_each(|f| add(coordinate::member(&ty.name, &f.name), f.deprecated.as_deref()));
            }
            _ => {}
        }
    }
    if rows.is_empty() {
        "<p>Nothing is deprecated.</p>\n".to_owned()
    } else {
        format!("<ul>\n{}</ul>\n", rows.concat())
    }
}
