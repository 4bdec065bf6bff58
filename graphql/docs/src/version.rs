//! The page of a version: its operations, types, deprecations, and changes since the previous version.

use super::entry;
use super::example::examples;
use super::html::{self, Place, escaped, to};
use super::{Site, changes, markdown};
use crate::DatedSdl;
use crate::changelog::Entry;
use schema::Sdl;
use schema::coordinate;
use schema::model::{Kind, Type};

/// A section of the page.
struct Part {
    id: &'static str,
    title: &'static str,
    /// Coordinate and name of each element.
    names: Vec<(String, String)>,
    html: String,
}

/// Writes the page of the version at `at`.
pub(super) fn page(site: &Site<'_>, at: usize) -> String {
    let version_page = &site.version_pages[at];
    let changes = at.checked_sub(1).map(|before| Entry::of(site.version_pages, before, at));
    let sdl = version_page.sdl;
    let version = sdl.version();
    let mut main = format!("<h1>Version {}</h1>\n{}", escaped(version), html::status(version_page));
    let about = sdl.schema.description.as_deref().map(|text| markdown::blocks(sdl, coordinate::SCHEMA, text));
    main.push_str(&format!("<section id=\"schema\">\n{}</section>\n", about.unwrap_or_default()));
    let place = Place { here: &site.version(version), root: "", version: Some(version), search: true };
    let parts = parts(sdl, site.service.id);
    let mut contents = String::from("<nav aria-label=\"On this page\" class=\"contents\">\n");
    for (at, Part { id, title, names, .. }) in parts.iter().enumerate() {
        // Queries and mutations are open: most readers look for them.
        let open = if at < 2 { " open" } else { "" };
        let links: Vec<String> = names.iter().map(|(at, name)| format!("<li>{}</li>", to(at, name))).collect();
        contents.push_str(&format!(
            "<details{open}><summary>{title} ({})</summary><p><a href=\"#part-{id}\">All {}</a></p><ul>{}</ul></details>\n",
            names.len(),
            title.to_lowercase(),
            links.concat()
        ));
    }
    let notifications = notifications(site, version_page);
    let since = changes.as_ref().and_then(|changes| changes.since).map(|since| format!("Since {}", since.version()));
    contents.push_str("<p><a href=\"#part-deprecations\">Deprecations</a>");
    if !notifications.is_empty() {
        contents.push_str(" · <a href=\"#part-notifications\">Notifications</a>");
    }
    if let Some(since) = &since {
        contents.push_str(&format!(" · <a href=\"#part-changes\">{}</a>", escaped(since)));
    }
    contents.push_str("</p>\n</nav>\n");
    main.push_str(&html::beside(site, &place, &contents));
    for Part { id, title, html, .. } in &parts {
        main.push_str(&format!("<section class=\"part\">\n<h2 id=\"part-{id}\">{title}</h2>\n{html}</section>\n"));
    }
    main.push_str(&format!(
        "<section>\n<h2 id=\"part-deprecations\">Deprecations</h2>\n{}</section>\n",
        deprecations(sdl)
    ));
    if let Some((changes, since)) = changes.zip(since) {
        let groups = changes::groups(site, &changes);
        let since = escaped(&since);
        main.push_str(&format!("<section>\n<h2 id=\"part-changes\">{since}</h2>\n{groups}</section>\n"));
    }
    main.push_str(&notifications);
    main.push_str(&format!("<p><a href=\"{}/reference.md\">This page as Markdown</a></p>\n", escaped(version)));
    html::page(site, &format!("Version {version}"), &place, &main)
}

/// Writes links to the JSON Schemas of the notifications.
fn notifications(site: &Site<'_>, version_page: &DatedSdl<'_>) -> String {
    let links = site.notifications(version_page).into_iter().map(|notification| {
        let address = format!("{}/{}", version_page.sdl.version(), notification.file_name());
        format!("<li><a href=\"{}\"><code>{}</code></a></li>\n", escaped(&address), escaped(&notification.topic))
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
        let names = root.fields().iter().map(|field| (at(&field.name), field.name.clone())).collect();
        let intro = root.description.as_deref().map(|text| markdown::blocks(sdl, &root.name, text)).unwrap_or_default();
        let mut html = format!("<div id=\"{}\">{intro}</div>\n", escaped(&root.name));
        for field in root.fields() {
            let example = examples.iter().find(|example| example.coordinate == at(&field.name));
            html.push_str(&entry::operation(sdl, &root.name, field, example));
        }
        parts.push(Part { id, title, names, html });
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
        let names = types.iter().map(|ty| (ty.name.clone(), ty.name.clone())).collect();
        let html = types.iter().map(|ty| entry::of_type(sdl, ty)).collect();
        parts.push(Part { id, title, names, html });
    }
    let names = schema.directives.iter().map(|directive| coordinate::directive(&directive.name));
    let names = names.map(|name| (name.clone(), name)).collect();
    let html = schema.directives.iter().map(|directive| entry::directive(sdl, directive)).collect();
    parts.push(Part { id: "directives", title: "Directives", names, html });
    parts.retain(|part| !part.names.is_empty());
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
