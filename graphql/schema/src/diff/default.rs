//! Default values and the arguments of directives, compared by meaning: `{b: 1, a: 2}` is `{ a: 2, b: 1 }`, and `1` is `[1]` where a
//! list is expected (GraphQL specification, sections 3.10 to 3.12; graphql-js does the same).

use dated_graphql_syntax::{Literal, Value};

use crate::model::{Input, Kind, Schema, Ty};
use crate::parse;
use crate::span_index::Use;

/// Returns the default of an input in its normal form.
pub(super) fn normal(schema: &Schema, input: &Input) -> Option<String> {
    let text = input.default.as_deref()?;
    Some(literal(schema, &input.ty, text))
}

/// Returns whether two uses of a directive of the schema say the same.
pub(super) fn same_arguments(schema: &Schema, x: &Use, y: &Use) -> bool {
    normal_arguments(schema, x) == normal_arguments(schema, y)
}

/// Returns the arguments of a directive in their normal form, with the defaults of the schema.
fn normal_arguments(schema: &Schema, used: &Use) -> Vec<(String, String)> {
    let defined = schema.directives.iter().find(|directive| directive.name == used.name);
    let known = defined.map(|directive| &*directive.args).unwrap_or_default();
    let value = |input: &Input| {
        let given = used.arguments.iter().find(|(name, _)| *name == input.name);
        let given = given.map(|(_, text)| literal(schema, &input.ty, text));
        Some((input.name.clone(), given.or_else(|| normal(schema, input))?))
    };
    let unknown = used.arguments.iter().filter(|(name, _)| !known.iter().any(|input| input.name == *name));
    known.iter().filter_map(value).chain(unknown.cloned()).collect()
}

/// Returns a literal of the type `ty` in its normal form.
fn literal(schema: &Schema, ty: &Ty, text: &str) -> String {
    let source = format!("input I {{ f: I = {text} }}");
    let Ok(document) = parse::document(&source) else { return text.to_owned() };
    let value = document.types.first().and_then(|ty| ty.inputs.first()?.default.as_ref());
    value.map_or_else(|| text.to_owned(), |value| normal_value(schema, ty, value))
}

fn normal_value(schema: &Schema, ty: &Ty, value: &Value<'_>) -> String {
    let all = |ty: &Ty, items: &[Value<'_>]| -> String {
        let items: Vec<String> = items.iter().map(|item| normal_value(schema, ty, item)).collect();
        format!("[{}]", items.join(", "))
    };
    match (&value.literal, ty.item()) {
        (Literal::Null, _) => "null".to_owned(),
        (Literal::List(items), item) => all(item.as_ref().unwrap_or(ty), items),
        (_, Some(item)) => all(&item, std::slice::from_ref(value)),
        (Literal::Object(given), None) => {
            let known: &[Input] = match schema.get(&ty.name).map(|ty| &ty.kind) {
                Some(Kind::Input { fields, .. }) => fields,
                _ => &[],
            };
            let mut fields = vec![];
            for field in known {
                // A field that is left out takes its own default.
                let given = given.iter().find(|given| given.name.text == field.name);
                let given = given.map(|given| normal_value(schema, &field.ty, &given.value));
                let value = given.or_else(|| normal(schema, field));
                fields.extend(value.map(|value| format!("{}: {value}", field.name)));
            }
            if known.is_empty() {
                fields.extend(given.iter().map(|f| format!("{}: {}", f.name.text, normal_value(schema, ty, &f.value))));
            }
            fields.sort();
            format!("{{{}}}", fields.join(", "))
        }
        (Literal::Int(digits), None) if ty.name == "ID" => format!("{digits:?}"),
        (Literal::Int(number), None) => number.parse().map_or((*number).to_owned(), |number: i64| number.to_string()),
        (Literal::Float(number), None) => number.parse().map_or((*number).to_owned(), |number: f64| number.to_string()),
        (Literal::String(text), None) => format!("{text:?}"),
        (literal, None) => literal.to_string(),
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
    fn arguments_of_a_directive_are_the_same_in_every_spelling() {
        let used = |text: &str| {
            let directive = "directive @d(a: Int = 1, b: [String], c: Any) on OBJECT scalar Any";
            let sdl = format!("type Query @d{text} {{ q: Int }} {directive}");
            let sdl = crate::Sdl::parse("a", "a.graphql", &sdl).expect(text);
            let used = sdl.spans.uses("Query")[0].clone();
            normal_arguments(&sdl.schema, &used)
        };
        for (one, other) in
            [("", "(a: 1)"), ("(b: \"x\")", "(b: [\"x\"], a: 1)"), ("(c: {x: 1, y: [2]})", "(c: { y: [ 2 ] x: 1 })")]
        {
            assert_eq!(used(one), used(other), "{one} and {other}");
        }
        for (one, other) in [("", "(a: 2)"), ("", "(a: null)"), ("(b: [])", "(b: null)"), ("(b: [])", "")] {
            assert_ne!(used(one), used(other), "{one} and {other}");
        }
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
