//! The result of an introspection query, as SDL: what clients download when a server publishes no SDL. Called by `cargo schema diff`
//! and `lint`.

use std::fmt::Write as _;

use dated_graphql_schema::rule::BUILT_IN;
use serde_json::Value;

/// The directives that every server has; a document need not define them.
const DIRECTIVES: [&str; 5] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];

/// The start of the SDL of a result, which has no uses of directives but those of [`DIRECTIVES`].
pub(crate) const START: &str = "# The result of introspection.\n";

/// Returns the SDL of a result, with or without its `data`; `None` if the text is none.
pub(crate) fn sdl(text: &str) -> Option<String> {
    let json: Value = serde_json::from_str(text).ok()?;
    let schema = json.pointer("/data/__schema").or_else(|| json.get("__schema"))?;
    let mut out = format!("{START}{}schema {{\n", description(schema, ""));
    for (operation, root) in
        [("query", "queryType"), ("mutation", "mutationType"), ("subscription", "subscriptionType")]
    {
        if let Some(name) = schema[root]["name"].as_str() {
            let _ = writeln!(out, "  {operation}: {name}");
        }
    }
    out.push_str("}\n");
    let is_known = |item: &&Value, known: &[&str]| known.contains(&text_of(item, "name"));
    for directive in list(schema, "directives").iter().filter(|item| !is_known(item, &DIRECTIVES)) {
        let locations: Vec<&str> = list(directive, "locations").iter().filter_map(Value::as_str).collect();
        let repeatable = if directive["isRepeatable"] == true { " repeatable" } else { "" };
        let (head, name, args) = (description(directive, ""), text_of(directive, "name"), arguments(directive));
        let _ = writeln!(out, "\n{head}directive @{name}{args}{repeatable} on {}", locations.join(" | "));
    }
    let is_own = |item: &&Value| !text_of(item, "name").starts_with("__") && !is_known(item, &BUILT_IN);
    list(schema, "types").iter().filter(is_own).for_each(|ty| write_type(ty, &mut out));
    Some(out)
}

fn write_type(ty: &Value, out: &mut String) {
    let (head, name) = (description(ty, ""), text_of(ty, "name"));
    let interfaces = names(ty, "interfaces", " & ");
    let implements = if interfaces.is_empty() { String::new() } else { format!(" implements {interfaces}") };
    let (keyword, members) = match text_of(ty, "kind") {
        "SCALAR" => {
            let url = ty["specifiedByURL"].as_str().map(|url| format!(" @specifiedBy(url: {})", quote(url)));
            let _ = writeln!(out, "\n{head}scalar {name}{}", url.unwrap_or_default());
            return;
        }
        "UNION" => {
            let _ = writeln!(out, "\n{head}union {name} = {}", names(ty, "possibleTypes", " | "));
            return;
        }
        "ENUM" => ("enum", "enumValues"),
        "INPUT_OBJECT" => ("input", "inputFields"),
        "INTERFACE" => ("interface", "fields"),
        _ => ("type", "fields"),
    };
    let one_of = if ty["isOneOf"] == true { " @oneOf" } else { "" };
    let _ = writeln!(out, "\n{head}{keyword} {name}{implements}{one_of} {{");
    for member in list(ty, members) {
        let args = arguments(member);
        let _ =
            writeln!(out, "{}  {}", description(member, "  "), input(member).replacen(": ", &format!("{args}: "), 1));
    }
    out.push_str("}\n");
}

/// Writes a field without its arguments, an argument or an enum value.
fn input(item: &Value) -> String {
    let ty = if item["type"].is_null() { String::new() } else { format!(": {}", reference(&item["type"])) };
    let default = item["defaultValue"].as_str().map(|value| format!(" = {value}")).unwrap_or_default();
    let deprecated = match (&item["isDeprecated"], &item["deprecationReason"]) {
        (Value::Bool(true), Value::String(reason)) => format!(" @deprecated(reason: {})", quote(reason)),
        (Value::Bool(true), _) => " @deprecated".to_owned(),
        _ => String::new(),
    };
    format!("{}{ty}{default}{deprecated}", text_of(item, "name"))
}

fn arguments(item: &Value) -> String {
    let arguments: Vec<String> =
        list(item, "args").iter().map(|item| description(item, "").replace('\n', " ") + &input(item)).collect();
    if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) }
}

fn reference(ty: &Value) -> String {
    match text_of(ty, "kind") {
        "NON_NULL" => format!("{}!", reference(&ty["ofType"])),
        "LIST" => format!("[{}]", reference(&ty["ofType"])),
        _ => text_of(ty, "name").to_owned(),
    }
}

/// Writes a description on a line, if there is one.
fn description(item: &Value, indent: &str) -> String {
    item["description"].as_str().map(|text| format!("{indent}{}\n", quote(text))).unwrap_or_default()
}

/// Writes a string: JSON has no escape that GraphQL has not.
fn quote(text: &str) -> String {
    Value::from(text).to_string()
}

fn list<'v>(item: &'v Value, name: &str) -> &'v [Value] {
    item[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn names(item: &Value, name: &str, separator: &str) -> String {
    let names: Vec<&str> = list(item, name).iter().map(|item| text_of(item, "name")).collect();
    names.join(separator)
}

fn text_of<'v>(item: &'v Value, name: &str) -> &'v str {
    item[name].as_str().unwrap_or_default()
}
