//! Facts from the answer to the introspection query, through serde_json alone.

use serde_json::Value;

use super::fact::Facts;

/// What a schema has by itself, without saying so in its file.
const BUILT_IN_SCALARS: [&str; 5] = ["Boolean", "Float", "ID", "Int", "String"];
const BUILT_IN_DIRECTIVES: [&str; 5] = ["deprecated", "include", "oneOf", "skip", "specifiedBy"];

/// What the `__schema` of an answer says; what every schema has by itself is left out.
pub fn facts(schema: &Value) -> Facts {
    let mut facts = Facts::default();
    facts.state("schema".to_owned(), schema["description"].as_str());
    for operation in ["query", "mutation", "subscription"] {
        if let Some(root) = schema[format!("{operation}Type")]["name"].as_str() {
            facts.state(format!("root {operation} = {root}"), None);
        }
    }
    for ty in list(&schema["types"]) {
        let name = text(&ty["name"]);
        if !name.starts_with("__") && !BUILT_IN_SCALARS.contains(&name) {
            state_type(&mut facts, ty);
        }
    }
    for directive in list(&schema["directives"]) {
        let name = text(&directive["name"]);
        if !BUILT_IN_DIRECTIVES.contains(&name) {
            let locations = list(&directive["locations"]).iter().map(text).collect::<Vec<_>>().join(" | ");
            let fact = format!("directive @{name} on {locations}, repeatable {}", directive["isRepeatable"]);
            facts.state(fact, directive["description"].as_str());
        }
    }
    facts
}

fn state_type(facts: &mut Facts, ty: &Value) {
    let name = text(&ty["name"]);
    let kind = text(&ty["kind"]);
    facts.state(format!("{kind} {name}"), ty["description"].as_str());
    if let Some(url) = ty["specifiedByURL"].as_str() {
        facts.state(format!("{name} specified by {url}"), None);
    }
    // Introspection says null, not an empty list, for what a kind does not have (GraphQL, section 4.2).
    let has = |member: &str, kinds: &[&str]| {
        assert_eq!(!ty[member].is_null(), kinds.contains(&kind), "{name}.{member}");
    };
    has("fields", &["OBJECT", "INTERFACE"]);
    has("interfaces", &["OBJECT", "INTERFACE"]);
    has("possibleTypes", &["INTERFACE", "UNION"]);
    has("enumValues", &["ENUM"]);
    has("inputFields", &["INPUT_OBJECT"]);
    for other in list(&ty["interfaces"]) {
        facts.state(format!("{name} implements {}", text(&other["name"])), None);
    }
    if kind == "UNION" {
        for member in list(&ty["possibleTypes"]) {
            facts.state(format!("{name} has member {}", text(&member["name"])), None);
        }
    }
    for value in list(&ty["enumValues"]) {
        facts.state(format!("{name}.{}{}", text(&value["name"]), deprecation(value)), value["description"].as_str());
    }
    for input in list(&ty["inputFields"]) {
        state_input(facts, &format!("{name}.{}", text(&input["name"])), input);
    }
    for field in list(&ty["fields"]) {
        let place = format!("{name}.{}", text(&field["name"]));
        for argument in list(&field["args"]) {
            state_input(facts, &format!("{place}({})", text(&argument["name"])), argument);
        }
        let fact = format!("{place}: {}{}", type_text(&field["type"]), deprecation(field));
        facts.state(fact, field["description"].as_str());
    }
}

fn state_input(facts: &mut Facts, place: &str, input: &Value) {
    let default = input["defaultValue"].as_str().map_or(String::new(), |value| format!(" = {value}"));
    let fact = format!("{place}: {}{default}{}", type_text(&input["type"]), deprecation(input));
    facts.state(fact, input["description"].as_str());
}

fn type_text(ty: &Value) -> String {
    match text(&ty["kind"]) {
        "NON_NULL" => format!("{}!", type_text(&ty["ofType"])),
        "LIST" => format!("[{}]", type_text(&ty["ofType"])),
        _ => text(&ty["name"]).to_owned(),
    }
}

fn deprecation(thing: &Value) -> String {
    assert_eq!(thing["isDeprecated"] == true, !thing["deprecationReason"].is_null(), "{thing}");
    thing["deprecationReason"].as_str().map_or(String::new(), |reason| format!(" deprecated: {reason}"))
}

/// A list, where null is none.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is a text"))
}
