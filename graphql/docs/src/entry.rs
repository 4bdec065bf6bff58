//! The entry of a type, root field or directive on its page. Every element has an anchor.

use super::example::Example;
use super::html::{escape, to};
use super::markdown;
use dated_graphql_schema::Sdl;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Directive, Field, Input, Kind, Ty, Type};

/// Writes a field of a root with its arguments and an example.
pub(super) fn operation(sdl: &Sdl, root: &str, field: &Field, example: Option<&Example>) -> String {
    let at = coordinate::member(root, &field.name);
    let mut html = format!("<article id=\"{}\">\n<h2><code>{}</code></h2>\n", escape(&at), escape(&field.name));
    html.push_str(&format!("<p class=\"type\">Answers {}</p>\n", type_of(sdl, &field.ty)));
    html.push_str(&description(sdl, &at, field.description.as_deref(), field.deprecated.as_deref()));
    if !field.args.is_empty() {
        let rows = field.args.iter().map(|arg| input(sdl, &coordinate::argument(&at, &arg.name), arg));
        html.push_str(&format!("<h3>Arguments</h3>\n<dl>\n{}</dl>\n", rows.collect::<String>()));
    }
    if let Some(Example { operation, variables, .. }) = example {
        html.push_str(&format!("<h3>Example</h3>\n<pre><code>{}</code></pre>\n", escape(operation)));
        if let Some(variables) = variables {
            html.push_str("<h3>Its variables</h3>\n");
            html.push_str(&format!("<pre><code>{}</code></pre>\n", escape(variables)));
        }
    }
    html + "</article>\n"
}

/// Writes a type with its members.
pub(super) fn of_type(sdl: &Sdl, ty: &Type) -> String {
    let name = &ty.name;
    let mut html = format!("<article id=\"{}\">\n", escape(name));
    html.push_str(&description(sdl, name, ty.description.as_deref(), None));
    html.push_str(&facts(sdl, ty));
    let rows: Vec<String> = match &ty.kind {
        Kind::Object { fields, .. } | Kind::Interface { fields, .. } => {
            fields.iter().map(|f| field(sdl, name, f)).collect()
        }
        Kind::Input { fields, .. } => {
            fields.iter().map(|f| input(sdl, &coordinate::member(name, &f.name), f)).collect()
        }
        Kind::Enum { values } => values
            .iter()
            .map(|value| {
                let at = coordinate::member(name, &value.name);
                let text = description(sdl, &at, value.description.as_deref(), value.deprecated.as_deref());
                row(&at, &value.name, "", &text)
            })
            .collect(),
        Kind::Scalar { .. } | Kind::Union { .. } => vec![],
    };
    if !rows.is_empty() {
        html.push_str(&format!("<dl>\n{}</dl>\n", rows.concat()));
    }
    html + "</article>\n"
}

/// Writes a directive with its arguments.
pub(super) fn directive(sdl: &Sdl, directive: &Directive) -> String {
    let at = coordinate::directive(&directive.name);
    let mut html = format!("<article id=\"{0}\">\n<h2><code>{0}</code></h2>\n", escape(&at));
    html.push_str(&description(sdl, &at, directive.description.as_deref(), None));
    let rows = directive.args.iter().map(|arg| input(sdl, &coordinate::argument(&at, &arg.name), arg));
    let rows: String = rows.collect();
    if !rows.is_empty() {
        html.push_str(&format!("<dl>\n{rows}</dl>\n"));
    }
    html + "</article>\n"
}

/// Writes the relations of a type to others.
fn facts(sdl: &Sdl, ty: &Type) -> String {
    let links = |names: &[&str]| names.iter().map(|name| link_type(sdl, name)).collect::<Vec<_>>().join(", ");
    let implements: Vec<&str> = ty.implements().iter().map(String::as_str).collect();
    let mut facts = vec![];
    if !implements.is_empty() {
        facts.push(format!("Implements {}.", links(&implements)));
    }
    match &ty.kind {
        Kind::Interface { .. } => facts.push(format!("Implemented by {}.", links(&sdl.schema.possible_types(ty)))),
        Kind::Union { .. } => facts.push(format!("One of {}.", links(&sdl.schema.possible_types(ty)))),
        Kind::Input { one_of: true, .. } => facts.push("Exactly one of its fields is sent.".to_owned()),
        Kind::Scalar { specified_by: Some(url) } if url.starts_with("https://") || url.starts_with("http://") => {
            facts.push(format!("Specified by <a href=\"{0}\" rel=\"noreferrer\">{0}</a>.", escape(url)));
        }
        _ => {}
    }
    facts.into_iter().map(|fact| format!("<p class=\"type\">{fact}</p>\n")).collect()
}

fn field(sdl: &Sdl, parent: &str, field: &Field) -> String {
    let at = coordinate::member(parent, &field.name);
    let mut text = description(sdl, &at, field.description.as_deref(), field.deprecated.as_deref());
    if !field.args.is_empty() {
        let rows = field.args.iter().map(|arg| input(sdl, &coordinate::argument(&at, &arg.name), arg));
        text.push_str(&format!("<dl>\n{}</dl>\n", rows.collect::<String>()));
    }
    row(&at, &field.name, &type_of(sdl, &field.ty), &text)
}

fn input(sdl: &Sdl, at: &str, input: &Input) -> String {
    let mut ty = type_of(sdl, &input.ty);
    match &input.default {
        Some(default) => ty.push_str(&format!(" <span class=\"fact\">default <code>{}</code></span>", escape(default))),
        None if input.ty.is_non_null() => ty.push_str(" <span class=\"fact\">required</span>"),
        None => {}
    }
    row(at, &input.name, &ty, &description(sdl, at, input.description.as_deref(), input.deprecated.as_deref()))
}

/// Writes a name with its type and description.
fn row(at: &str, name: &str, ty: &str, text: &str) -> String {
    let at = escape(at);
    format!(
        "<div id=\"{at}\"><dt><a class=\"anchor\" href=\"#{at}\"><code>{}</code></a> {ty}</dt>\n<dd>{text}</dd></div>\n",
        escape(name)
    )
}

/// Writes the deprecation and the description.
fn description(sdl: &Sdl, at: &str, description: Option<&str>, deprecated: Option<&str>) -> String {
    let mut html = String::new();
    if let Some(reason) = deprecated {
        let reason = markdown::blocks(sdl, at, reason);
        html.push_str(&format!("<div class=\"deprecated\"><strong>Deprecated.</strong> {reason}</div>\n"));
    }
    html.push_str(&description.map(|text| markdown::blocks(sdl, at, text)).unwrap_or_default());
    html
}

/// Writes a reference to a type, with a link.
fn type_of(sdl: &Sdl, ty: &Ty) -> String {
    let written = ty.to_string();
    let (before, after) = written.split_once(&*ty.name).unwrap_or(("", ""));
    format!("<code class=\"of\">{}{}{}</code>", escape(before), link_type(sdl, &ty.name), escape(after))
}

/// Writes the name of a type; a built-in scalar has no link.
fn link_type(sdl: &Sdl, name: &str) -> String {
    if sdl.schema.get(name).is_some() { to(name, name) } else { format!("<code>{}</code>", escape(name)) }
}
