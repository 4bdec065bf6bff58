//! Writes the answer to an introspection query as SDL, so that a running service can be compared. Used by `cargo schema diff`.
//! Source: GraphQL specification, section 4.2.

use serde::Deserialize;
use serde_json::Value;

/// The query for everything that SDL can say. [`QUERY_OF_OLDER_SERVICES`] is for services that refuse it.
pub const QUERY: &str = "{ __schema { description queryType { name } mutationType { name } subscriptionType { name } \
     types { kind name description specifiedByURL isOneOf fields(includeDeprecated: true) { name description \
     args(includeDeprecated: true) { ...I } type { ...T } isDeprecated deprecationReason } \
     inputFields(includeDeprecated: true) { ...I } interfaces { name } \
     enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { name } } \
     directives { name description isRepeatable locations args(includeDeprecated: true) { ...I } } } } \
     fragment I on __InputValue { name description type { ...T } defaultValue isDeprecated deprecationReason } \
     fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
     ofType { kind name ofType { kind name ofType { kind name } } } } } } } }";

/// The same without what the specification of June 2018 does not have.
pub const QUERY_OF_OLDER_SERVICES: &str = "{ __schema { queryType { name } mutationType { name } subscriptionType { name } \
     types { kind name description fields(includeDeprecated: true) { name description args { ...I } type { ...T } \
     isDeprecated deprecationReason } inputFields { ...I } interfaces { name } \
     enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { name } } \
     directives { name description locations args { ...I } } } } \
     fragment I on __InputValue { name description type { ...T } defaultValue } \
     fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
     ofType { kind name ofType { kind name ofType { kind name } } } } } } } }";

/// Why a text is no introspection.
#[derive(Debug, thiserror::Error)]
pub enum IntrospectionError {
    #[error("it is no JSON: {0}")]
    Json(serde_json::Error),
    #[error("the service answered with an error: {0}")]
    Refused(String),
    #[error("it is no answer to an introspection query: {0}")]
    Shape(serde_json::Error),
    #[error("a type has more wrappers than the introspection query asked for")]
    Deep,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Schema {
    description: Option<String>,
    query_type: Named,
    mutation_type: Option<Named>,
    subscription_type: Option<Named>,
    types: Vec<Type>,
    directives: Vec<Directive>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Type {
    kind: String,
    name: String,
    description: Option<String>,
    #[serde(rename = "specifiedByURL")]
    specified_by_url: Option<String>,
    is_one_of: Option<bool>,
    fields: Option<Vec<Field>>,
    input_fields: Option<Vec<Input>>,
    interfaces: Option<Vec<Named>>,
    enum_values: Option<Vec<EnumValue>>,
    possible_types: Option<Vec<Named>>,
}

#[derive(Deserialize)]
struct Field {
    name: String,
    description: Option<String>,
    args: Vec<Input>,
    #[serde(rename = "type")]
    ty: TypeReference,
    #[serde(flatten)]
    deprecation: Deprecation,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    name: String,
    description: Option<String>,
    #[serde(rename = "type")]
    ty: TypeReference,
    default_value: Option<String>,
    #[serde(flatten)]
    deprecation: Deprecation,
}

#[derive(Deserialize)]
struct EnumValue {
    name: String,
    description: Option<String>,
    #[serde(flatten)]
    deprecation: Deprecation,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Deprecation {
    #[serde(default)]
    is_deprecated: bool,
    deprecation_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypeReference {
    kind: String,
    name: Option<String>,
    of_type: Option<Box<TypeReference>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Directive {
    name: String,
    description: Option<String>,
    #[serde(default)]
    is_repeatable: bool,
    locations: Vec<String>,
    args: Vec<Input>,
}

/// The directives that need no definition.
const BUILT_IN_DIRECTIVES: [&str; 5] = ["skip", "include", "deprecated", "specifiedBy", "oneOf"];

/// Writes an answer to an introspection query as SDL, or the object `__schema` of one.
pub fn sdl(json: &str) -> Result<String, IntrospectionError> {
    let mut json: Value = serde_json::from_str(json).map_err(IntrospectionError::Json)?;
    if let Some(message) = json["errors"][0]["message"].as_str() {
        return Err(IntrospectionError::Refused(message.to_owned()));
    }
    if json.get("data").is_some() {
        json = json["data"].take();
    }
    let schema: Schema = serde_json::from_value(json["__schema"].take()).map_err(IntrospectionError::Shape)?;
    let mut text = described(schema.description.as_ref(), "");
    text.push_str(&format!("schema {{\n  query: {}\n", schema.query_type.name));
    for (operation, root) in [("mutation", &schema.mutation_type), ("subscription", &schema.subscription_type)] {
        text.extend(root.iter().map(|root| format!("  {operation}: {}\n", root.name)));
    }
    text.push_str("}\n");
    for directive in schema.directives.iter().filter(|found| !BUILT_IN_DIRECTIVES.contains(&&*found.name)) {
        let repeatable = if directive.is_repeatable { " repeatable" } else { "" };
        let (arguments, locations) = (arguments(&directive.args)?, directive.locations.join(" | "));
        text.push_str(&described(directive.description.as_ref(), ""));
        text.push_str(&format!("directive @{}{arguments}{repeatable} on {locations}\n", directive.name));
    }
    for ty in schema.types.iter().filter(|ty| !ty.name.starts_with("__")) {
        let built_in = ty.kind == "SCALAR" && schema::rule::BUILT_IN.contains(&&*ty.name);
        if !built_in {
            text.push_str(&of_type(ty)?);
        }
    }
    Ok(text)
}

fn of_type(ty: &Type) -> Result<String, IntrospectionError> {
    let names = |list: &Option<Vec<Named>>, separator| -> String {
        list.iter().flatten().map(|named| &*named.name).collect::<Vec<_>>().join(separator)
    };
    let interfaces = names(&ty.interfaces, " & ");
    let implements = if interfaces.is_empty() { interfaces } else { format!(" implements {interfaces}") };
    let mut members = vec![];
    for field in ty.fields.iter().flatten() {
        let (arguments, reference) = (arguments(&field.args)?, reference(&field.ty)?);
        let line = format!("  {}{arguments}: {reference}{}\n", field.name, deprecated(&field.deprecation));
        members.push(described(field.description.as_ref(), "  ") + &line);
    }
    for input in ty.input_fields.iter().flatten() {
        members.push(described(input.description.as_ref(), "  ") + &format!("  {}\n", of_input(input)?));
    }
    for value in ty.enum_values.iter().flatten() {
        let line = format!("  {}{}\n", value.name, deprecated(&value.deprecation));
        members.push(described(value.description.as_ref(), "  ") + &line);
    }
    let block = format!(" {{\n{}}}", members.concat());
    let name = &ty.name;
    let definition = match &*ty.kind {
        "SCALAR" => {
            let address = ty.specified_by_url.as_ref().map(|url| format!(" @specifiedBy(url: {})", string(url)));
            format!("scalar {name}{}", address.unwrap_or_default())
        }
        "OBJECT" => format!("type {name}{implements}{block}"),
        "INTERFACE" => format!("interface {name}{implements}{block}"),
        "UNION" => format!("union {name} = {}", names(&ty.possible_types, " | ")),
        "ENUM" => format!("enum {name}{block}"),
        _ => format!("input {name}{}{block}", if ty.is_one_of == Some(true) { " @oneOf" } else { "" }),
    };
    Ok(format!("\n{}{definition}\n", described(ty.description.as_ref(), "")))
}

fn arguments(inputs: &[Input]) -> Result<String, IntrospectionError> {
    if inputs.is_empty() {
        return Ok(String::new());
    }
    let mut all = vec![];
    for input in inputs {
        let description = input.description.as_ref().map(|text| format!("{} ", string(text)));
        all.push(description.unwrap_or_default() + &of_input(input)?);
    }
    Ok(format!("({})", all.join(", ")))
}

fn of_input(input: &Input) -> Result<String, IntrospectionError> {
    let default = input.default_value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    Ok(format!("{}: {}{default}{}", input.name, reference(&input.ty)?, deprecated(&input.deprecation)))
}

fn reference(ty: &TypeReference) -> Result<String, IntrospectionError> {
    let inner = || ty.of_type.as_deref().ok_or(IntrospectionError::Deep).and_then(reference);
    match &*ty.kind {
        "NON_NULL" => Ok(format!("{}!", inner()?)),
        "LIST" => Ok(format!("[{}]", inner()?)),
        _ => ty.name.clone().ok_or(IntrospectionError::Deep),
    }
}

fn deprecated(Deprecation { is_deprecated, deprecation_reason }: &Deprecation) -> String {
    match deprecation_reason {
        _ if !is_deprecated => String::new(),
        Some(reason) => format!(" @deprecated(reason: {})", string(reason)),
        None => " @deprecated".to_owned(),
    }
}

fn described(description: Option<&String>, indent: &str) -> String {
    description.map(|text| format!("{indent}{}\n", string(text))).unwrap_or_default()
}

/// Writes a string of GraphQL, which has the escapes of JSON.
fn string(text: &str) -> String {
    Value::from(text).to_string()
}
