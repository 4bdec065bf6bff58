//! Default values, compared by meaning: `{b: 1, a: 2}` is `{ a: 2, b: 1 }`, and `1` is `[1]` where a list is expected
//! (GraphQL specification, sections 3.10 to 3.12; graphql-js does the same).

use cynic_parser::ConstValue;
use cynic_parser::type_system::{Definition, TypeDefinition};

use crate::model::{Input, Kind, Schema, Ty};
use crate::{parse, string_value};

/// Returns the default of an input in its normal form.
pub(super) fn normal(schema: &Schema, input: &Input) -> Option<String> {
    let text = input.default.as_deref()?;
    Some(literal(schema, &input.ty, text))
}

/// Returns a literal of the type `ty` in its normal form.
fn literal(schema: &Schema, ty: &Ty, text: &str) -> String {
    let source = format!("input I {{ f: I = {text} }}");
    let Ok(document) = parse::document(&source) else { return text.to_owned() };
    let value = document.definitions().find_map(|definition| match definition {
        Definition::Type(TypeDefinition::InputObject(input)) => input.fields().next()?.default_value(),
        _ => None,
    });
    value.map_or_else(|| text.to_owned(), |value| normal_value(schema, ty, value, &source))
}

/// Returns a value of `source` in its normal form.
fn normal_value(schema: &Schema, ty: &Ty, value: ConstValue<'_>, source: &str) -> String {
    if value.is_null() {
        return "null".to_owned();
    }
    if let Some(item) = ty.item() {
        let items = match value.as_items() {
            Some(items) => items.map(|value| normal_value(schema, &item, value, source)).collect(),
            None => vec![normal_value(schema, &item, value, source)],
        };
        return format!("[{}]", items.join(", "));
    }
    match value {
        ConstValue::Object(object) => {
            let known: &[Input] = match schema.get(&ty.name).map(|ty| &ty.kind) {
                Some(Kind::Input { fields, .. }) => fields,
                _ => &[],
            };
            let mut fields = vec![];
            for field in known {
                // A field that is left out takes its own default.
                let given = object.get(&field.name).map(|value| normal_value(schema, &field.ty, value, source));
                let value = given.or_else(|| normal(schema, field));
                fields.extend(value.map(|value| format!("{}: {value}", field.name)));
            }
            if known.is_empty() {
                fields.extend(
                    object.fields().map(|f| format!("{}: {}", f.name(), normal_value(schema, ty, f.value(), source))),
                );
            }
            fields.sort();
            format!("{{{}}}", fields.join(", "))
        }
        ConstValue::Int(int) if ty.name == "ID" => format!("{:?}", int.value().to_string()),
        ConstValue::Int(int) => int.value().to_string(),
        ConstValue::Float(float) => float.value().to_string(),
        ConstValue::String(text) => {
            let span = text.span();
            format!("{:?}", string_value::decode(&source[span.start..span.end]))
        }
        ConstValue::Boolean(truth) => truth.value().to_string(),
        ConstValue::Enum(name) => name.name().to_owned(),
        ConstValue::List(list) => {
            let items: Vec<String> = list.items().map(|value| normal_value(schema, ty, value, source)).collect();
            format!("[{}]", items.join(", "))
        }
        ConstValue::Null(_) => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn default(ty: &str, text: &str) -> String {
        let sdl = format!(
            "type Query {{ a(x: {ty} = {text}): Int }}\n\
             input Where {{ a: Int = 7  b: [String!]  c: Float  id: ID }}\nenum Order {{ UP DOWN }}\nscalar Any\n"
        );
        let schema = Schema::parse("a", &sdl).expect("the default is right");
        normal(&schema, &schema.types[0].fields()[0].args[0]).expect("there is a default")
    }

    #[test]
    fn default_is_the_same_in_every_spelling() {
        for (ty, one, other) in [
            ("[Int!]", "1", "[ 1 ]"),
            ("Where", "{b: \"x\", c: 1}", "{ c: 1.0 b: [\"x\"], a: 7 }"),
            ("Float", "1", "1.0"),
            ("ID", "1", "\"1\""),
            ("String", "\"a\"", "\"\"\"a\"\"\""),
            ("Any", "{b: 1, a: [1 2]}", "{a: [1, 2], b: 1}"),
        ] {
            assert_eq!(default(ty, one), default(ty, other), "{one} and {other}");
        }
    }
}
