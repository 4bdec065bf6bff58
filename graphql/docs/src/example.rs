//! An example of each operation, generated from the schema: required arguments as variables, and a short selection.

use dated_graphql_schema::Sdl;
use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Field, Input, Kind, Schema, Ty, Type};

/// The maximum depth of a selection below the operation.
const DEPTH: usize = 3;
/// The depth of inputs below which a list is empty: an input can hold a list of itself.
const INPUT_DEPTH: usize = 8;

/// An operation with its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The coordinate of the field, `Query.book`.
    pub coordinate: String,
    /// The document.
    pub operation: String,
    /// The variables as a JSON object; `None` if there are none.
    pub variables: Option<String>,
}

/// Returns an example of each field of the roots that is not deprecated, in document order; `id` returns an id of a type.
pub fn examples(sdl: &Sdl, id: fn(&str) -> String) -> Vec<Example> {
    let schema = &sdl.schema;
    let roots = [("query", Some(&*schema.query)), ("mutation", schema.mutation.as_deref())];
    let mut examples = vec![];
    for (keyword, root) in roots.into_iter().filter_map(|(keyword, root)| Some((keyword, schema.get(root?)?))) {
        let fields = root.fields().iter().filter(|field| field.deprecated.is_none());
        examples.extend(fields.map(|field| example(schema, id, keyword, root, field)));
    }
    examples
}

fn example(schema: &Schema, id: fn(&str) -> String, keyword: &str, root: &Type, field: &Field) -> Example {
    let paged = field.ty.name.ends_with("Connection");
    let wanted = |arg: &&Input| arg.ty.is_non_null() && arg.default.is_none() || (paged && arg.name == "first");
    let args: Vec<&Input> = field.args.iter().filter(wanted).collect();
    let list = |items: Vec<String>| if items.is_empty() { String::new() } else { format!("({})", items.join(", ")) };
    let declared = list(args.iter().map(|arg| format!("${}: {}", arg.name, arg.ty)).collect());
    let given = list(args.iter().map(|arg| format!("{0}: ${0}", arg.name)).collect());
    let selection = selection(schema, &field.ty.name, 1).unwrap_or_default();
    let mut name = field.name.clone();
    name[..1].make_ascii_uppercase();
    let variables = Variables { schema, leads_to: &field.ty.name, id };
    let values = args.iter().map(|arg| format!("  {:?}: {}", arg.name, variables.value(arg, &arg.ty, 1)));
    let values: Vec<String> = values.collect();
    Example {
        coordinate: coordinate::member(&root.name, &field.name),
        operation: format!("{keyword} {name}{declared} {{\n  {}{given}{selection}\n}}", field.name),
        variables: (!values.is_empty()).then(|| format!("{{\n{}\n}}", values.join(",\n"))),
    }
}

/// Returns the selection of a type; `None` if it has no fields.
fn selection(schema: &Schema, name: &str, depth: usize) -> Option<String> {
    let ty = schema.get(name)?;
    let indent = "  ".repeat(depth + 1);
    let lines: Vec<String> = match &ty.kind {
        Kind::Object { fields, .. } => {
            fields.iter().filter_map(|field| select_field(schema, ty, field, depth)).collect()
        }
        Kind::Interface { fields, .. } => {
            let own = fields.iter().filter_map(|field| select_field(schema, ty, field, depth));
            ["__typename".to_owned()].into_iter().chain(own).collect()
        }
        Kind::Union { members } => {
            let members = members
                .iter()
                .filter_map(|member| Some(format!("... on {member}{}", selection(schema, member, depth + 1)?)));
            ["__typename".to_owned()].into_iter().chain(members).collect()
        }
        _ => return None,
    };
    let lines = if lines.is_empty() { vec!["__typename".to_owned()] } else { lines };
    let lines: Vec<String> = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
    Some(format!(" {{\n{}{}}}", lines.concat(), "  ".repeat(depth)))
}

/// Returns the selection of a field; `None` if the example leaves it out.
fn select_field(schema: &Schema, parent: &Type, field: &Field, depth: usize) -> Option<String> {
    let asks = field.args.iter().any(|arg| arg.ty.is_non_null() && arg.default.is_none());
    // A connection with `nodes` needs no `edges`.
    let twice = field.name == "edges" && parent.field("nodes").is_some();
    if field.deprecated.is_some() || asks || twice {
        return None;
    }
    let ty = schema.get(&field.ty.name);
    let leaf = ty.is_none_or(|ty| matches!(ty.kind, Kind::Scalar { .. } | Kind::Enum { .. }));
    if leaf {
        return Some(field.name.clone());
    }
    let below = if depth < DEPTH { selection(schema, &field.ty.name, depth + 1) } else { None };
    Some(format!("{}{}", field.name, below?))
}

/// The variables of an operation.
struct Variables<'a> {
    schema: &'a Schema,
    /// The type of the operation's field.
    leads_to: &'a str,
    id: fn(&str) -> String,
}

impl Variables<'_> {
    /// Returns a JSON value of an argument or input field.
    fn value(&self, input: &Input, ty: &Ty, depth: usize) -> String {
        if let Some(item) = ty.item() {
            return if depth > INPUT_DEPTH {
                "[]".to_owned()
            } else {
                format!("[{}]", self.value(input, &item, depth))
            };
        }
        match &*ty.name {
            "Int" => "10".to_owned(),
            "Float" => "1.5".to_owned(),
            "Boolean" => "true".to_owned(),
            "ID" => format!("{:?}", (self.id)(entity(self.schema, self.leads_to, input))),
            "String" => text(&input.name),
            name => match self.schema.get(name).map(|ty| &ty.kind) {
                Some(Kind::Enum { values }) => format!("{:?}", values.first().map_or("", |value| &value.name)),
                Some(Kind::Input { fields, .. }) => {
                    let indent = "  ".repeat(depth + 1);
                    let fields = sent(self.schema, fields)
                        .into_iter()
                        .map(|field| format!("{indent}{:?}: {}", field.name, self.value(field, &field.ty, depth + 1)));
                    match &*fields.collect::<Vec<_>>() {
                        [] => "{}".to_owned(),
                        fields => format!("{{\n{}\n{}}}", fields.join(",\n"), "  ".repeat(depth)),
                    }
                }
                _ => scalar(name).to_owned(),
            },
        }
    }
}

/// Returns the fields of an input that an example sends: the required ones, or else the first string.
fn sent<'a>(schema: &Schema, fields: &'a [Input]) -> Vec<&'a Input> {
    let required = |field: &&Input| field.ty.is_non_null() && field.default.is_none();
    if fields.iter().any(|field| required(&field)) {
        return fields.iter().filter(required).collect();
    }
    let text =
        |field: &&Input| field.deprecated.is_none() && field.ty.name != "ID" && schema.get(&field.ty.name).is_none();
    fields.iter().find(text).into_iter().collect()
}

/// Returns a value of a custom scalar.
fn scalar(name: &str) -> &'static str {
    match name {
        "Date" => "\"1941-03-09\"",
        "DateTime" => "\"2026-10-02T08:15:30.123Z\"",
        "URL" => "\"https://example.org/notifications\"",
        _ => "\"value\"",
    }
}

/// Returns a string made from the name of the field.
fn text(name: &str) -> String {
    let words: String = name.chars().fold(String::new(), |mut words, c| {
        if c.is_ascii_uppercase() {
            words.push('-');
        }
        words.push(c.to_ascii_lowercase());
        words
    });
    format!("\"{words}-1\"")
}

/// Returns the type whose id an argument takes: a book for `bookId`, the type of the operation for `id`.
fn entity<'a>(schema: &'a Schema, leads_to: &'a str, input: &Input) -> &'a str {
    let entities = || schema.implementers("Node");
    let named = entities().find(|name| input.name.to_lowercase() == format!("{}id", name.to_lowercase()));
    let about = || entities().filter(|name| leads_to.starts_with(name)).max_by_key(|name| name.len());
    named.or_else(about).or_else(|| entities().next()).unwrap_or("Node")
}
