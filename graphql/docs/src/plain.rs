//! The reference of a version in Markdown, and the list of pages for programs that read: `llms.txt`.

use super::Site;
use crate::DatedSdl;
use dated_graphql_schema::model::{Field, Input, Kind, Type};

/// Writes every operation and type with its description.
pub(super) fn reference(version_page: &DatedSdl<'_>) -> String {
    let schema = &version_page.sdl.schema;
    let mut text = format!("# Reference of version {}\n\n", version_page.sdl.version());
    push(&mut text, schema.description.as_deref());
    let roots = [("Queries", Some(&*schema.query)), ("Mutations", schema.mutation.as_deref())];
    for (title, root) in roots.into_iter().filter_map(|(title, root)| Some((title, schema.get(root?)?))) {
        text.push_str(&format!("## {title}\n\n"));
        for field in root.fields() {
            text.push_str(&format!("### `{}`\n\n", signature(field)));
            push(&mut text, field.description.as_deref());
            inputs(&mut text, &field.args);
            text.push_str(if field.args.is_empty() { "" } else { "\n" });
        }
    }
    text.push_str("## Types\n\n");
    for ty in schema.types.iter().filter(|ty| !schema.is_root(&ty.name)) {
        text.push_str(&format!("### {} `{}`\n\n", kind(ty), ty.name));
        push(&mut text, ty.description.as_deref());
        match &ty.kind {
            Kind::Object { fields, .. } | Kind::Interface { fields, .. } => {
                let line = |f: &Field| item(&signature(f), f.description.as_deref(), f.deprecated.as_deref());
                fields.iter().for_each(|field| text.push_str(&line(field)));
            }
            Kind::Input { fields, .. } => inputs(&mut text, fields),
            Kind::Enum { values } => {
                let lines = values.iter().map(|v| item(&v.name, v.description.as_deref(), v.deprecated.as_deref()));
                lines.for_each(|line| text.push_str(&line));
            }
            Kind::Union { members } => text.push_str(&format!("One of {}.\n", members.join(", "))),
            Kind::Scalar { .. } => continue,
        }
        text.push('\n');
    }
    text
}

/// Lists the pages, with links relative to the parent of the site.
pub(super) fn list(site: &Site<'_>, folder: &str) -> String {
    let mut text = format!("# {}\n\n> {}\n", site.service.name, site.service.summary);
    for version_page in site.version_pages.iter().rev() {
        let version = version_page.sdl.version();
        text.push_str(&format!("\n## Version {version} ({})\n\n", version_page.status.as_str()));
        for guide in site.guides(version) {
            let (title, name, summary) = (guide.title(), guide.name, guide.summary());
            text.push_str(&format!("- [{title}]({folder}{version}/{name}.md): {summary}\n"));
        }
        text.push_str(&format!("- [Reference]({folder}{version}/reference.md): every operation and type.\n"));
        for notification in site.notifications(version_page) {
            let (topic, file) = (&notification.topic, notification.file_name());
            text.push_str(&format!("- [{topic}]({folder}{version}/{file}): its notification as JSON Schema.\n"));
        }
    }
    text + &format!("\n## Changes\n\n- [Changelog]({folder}changelog.md): what changed from version to version.\n")
}

fn push(text: &mut String, description: Option<&str>) {
    description.into_iter().for_each(|description| text.push_str(&format!("{description}\n\n")));
}

fn inputs(text: &mut String, inputs: &[Input]) {
    for input in inputs {
        let default = input.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
        let signature = format!("{}: {}{default}", input.name, input.ty);
        text.push_str(&item(&signature, input.description.as_deref(), input.deprecated.as_deref()));
    }
}

fn item(signature: &str, description: Option<&str>, deprecated: Option<&str>) -> String {
    let deprecated = deprecated.map(|reason| format!(" *Deprecated:* {reason}")).unwrap_or_default();
    let description = description.map(|text| format!(": {}", text.split_whitespace().collect::<Vec<_>>().join(" ")));
    format!("- `{signature}`{}{deprecated}\n", description.unwrap_or_default())
}

fn signature(field: &Field) -> String {
    let args: Vec<_> = field.args.iter().map(|arg| format!("{}: {}", arg.name, arg.ty)).collect();
    let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
    format!("{}{args}: {}", field.name, field.ty)
}

fn kind(ty: &Type) -> &'static str {
    match ty.kind {
        Kind::Scalar { .. } => "scalar",
        Kind::Object { .. } => "type",
        Kind::Interface { .. } => "interface",
        Kind::Union { .. } => "union",
        Kind::Enum { .. } => "enum",
        Kind::Input { .. } => "input",
    }
}
