//! The code that a version asks for beyond the version before it. Printed by `cargo schema check` and `skeleton`.

use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Input, Kind, Schema, Type};

use super::names::RustPaths;
use super::reuse::changed_types;
use super::version::Version;
use super::with_versions;

/// Returns a sentence for each kind of code that the newest version asks for; none if it is the first, or asks for nothing.
pub fn cost(schemas: &[Schema], names: &RustPaths) -> Vec<String> {
    let cost = with_versions(schemas, names, |newest| {
        let before = schemas.iter().rev().nth(1)?;
        Some(sentences(newest, before))
    });
    cost.unwrap_or_default()
}

fn sentences(newest: &Version<'_>, before: &Schema) -> Vec<String> {
    let types = || newest.schema.types.iter().filter(|ty| newest.has_item(ty));
    let models = types().filter(|ty| newest.is_model(&ty.name));
    let methods = models.flat_map(|ty| newest.written_fields(ty).map(move |field| (ty, field)));
    let methods = methods.filter(|(ty, field)| !newest.method_unchanged(&ty.name, field));
    let (again, new): (Vec<_>, Vec<_>) =
        methods.partition(|(ty, field)| before.get(&ty.name).is_some_and(|old| old.field(&field.name).is_some()));
    let items = types().filter(|ty| !newest.is_model(&ty.name) && !newest.item_unchanged(&ty.name));
    let items_again = items.filter(|ty| before.get(&ty.name).is_some()).count();
    let (version, older) = (&newest.schema.version, &before.version);
    let mut sentences = vec![];
    if !new.is_empty() {
        sentences.push(format!("{version} adds {}", count(new.len(), "resolver")));
    }
    if !again.is_empty() || items_again > 0 {
        let causes = changed_types(newest);
        let what = [count(again.len(), "resolver"), count(items_again, "type")];
        let what = what.into_iter().filter(|what| !what.starts_with("0 ")).collect::<Vec<_>>().join(" and ");
        let because = if causes.is_empty() { String::new() } else { format!(", for a change of {}", list(&causes)) };
        sentences.push(format!("{version} needs {what} of {older} again{because}"));
    }
    let gained = |ty: &Type| -> Vec<String> {
        let grown = newest.previous.and_then(|previous| previous.get(&ty.name));
        let is_new = |name: &String| !members(ty).contains(&name.as_str());
        let names = grown.map(|grown| members(grown)).unwrap_or_default().into_iter().map(str::to_owned);
        names.filter(is_new).map(|name| coordinate::member(&ty.name, &name)).collect()
    };
    let shared = |is_input: bool| -> Vec<String> {
        let types = before.types.iter().filter(|ty| matches!(ty.kind, Kind::Input { .. }) == is_input);
        types.flat_map(gained).collect()
    };
    let (outputs, inputs) = (shared(false), shared(true));
    if !outputs.is_empty() {
        sentences.push(format!("{version} adds {}, to fill in where code makes the struct", list(&outputs)));
    }
    if !inputs.is_empty() {
        sentences.push(format!("{version} adds {}, to read where code takes the input", list(&inputs)));
    }
    sentences
}

/// Returns the fields of a type.
fn members(ty: &Type) -> Vec<&str> {
    match &ty.kind {
        Kind::Input { fields, .. } => fields.iter().map(|field: &Input| &*field.name).collect(),
        _ => ty.fields().iter().map(|field| &*field.name).collect(),
    }
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    names.iter().map(|name| format!("`{}`", name.as_ref())).collect::<Vec<_>>().join(", ")
}
