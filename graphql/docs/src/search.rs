//! The index of the search: the parts of the guide and the elements of the reference, as JSON.

use serde::Serialize;

use super::Site;
use crate::DatedSdl;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::Kind;

/// A place that the search can find.
#[derive(Serialize)]
struct Entry {
    /// Its address, relative to the site.
    at: String,
    title: String,
    text: String,
}

/// Writes the index of a version.
pub(super) fn index(site: &Site<'_>, version_page: &DatedSdl<'_>) -> Vec<u8> {
    let version = version_page.sdl.version();
    let mut entries = vec![];
    for guide in site.guides(version) {
        for section in guide.sections() {
            let at = format!("{}#{}", site.guide(version, guide.name), section.id);
            let title = if section.title == guide.title() {
                section.title
            } else {
                format!("{}: {}", guide.title(), section.title)
            };
            entries.push(Entry { at, title, text: section.text });
        }
    }
    let mut element = |coordinate: &str, description: Option<&str>| {
        let (title, text) = (coordinate.to_owned(), description.unwrap_or_default().to_owned());
        entries.push(Entry { at: site.element(version, coordinate), title, text });
    };
    for ty in &version_page.sdl.schema.types {
        element(&ty.name, ty.description.as_deref());
        let member = |name: &str| coordinate::member(&ty.name, name);
        ty.fields().iter().for_each(|field| element(&member(&field.name), field.description.as_deref()));
        match &ty.kind {
            Kind::Enum { values } => values.iter().for_each(|v| element(&member(&v.name), v.description.as_deref())),
            Kind::Input { fields, .. } => {
                fields.iter().for_each(|f| element(&member(&f.name), f.description.as_deref()));
            }
            _ => {}
        }
    }
    serde_json::to_vec(&entries).expect("texts become JSON")
}
