//! The contract of a version: its SDL in a normal form, without comments, and of its descriptions only the numbers.
//!
//! Two files with the same contract are the same for every client program.

use dated_graphql_schema::coordinate;
use dated_graphql_schema::model::{Field, Input, Kind, Type};
use dated_graphql_schema::numbers::numbers;
use dated_graphql_schema::sdl::Sdl;
use dated_graphql_schema::walk;
use sha2::{Digest, Sha256};

/// Returns the digest of the contract, in the form of `schema/versions.toml`.
pub(crate) fn digest(sdl: &Sdl) -> String {
    sha256(&contract(sdl))
}

/// Returns the digest of a text, such as `sha256:0f…`.
pub(crate) fn sha256(text: &str) -> String {
    let bytes = Sha256::digest(text);
    bytes.iter().fold("sha256:".to_owned(), |text, byte| text + &format!("{byte:02x}"))
}

/// Writes the contract, one line for each element, in document order, which introspection shows.
fn contract(sdl: &Sdl) -> String {
    let schema = &sdl.schema;
    let mutation = schema.mutation.as_deref().unwrap_or("none");
    let mut lines = vec![format!("schema query {} mutation {mutation}{}", schema.query, uses(sdl, coordinate::SCHEMA))];
    for directive in &schema.directives {
        let name = coordinate::directive(&directive.name);
        let repeatable = if directive.repeatable { " repeatable" } else { "" };
        lines.push(format!("directive {name}{repeatable} on {}", directive.locations.join(" ")));
        inputs(sdl, &directive.args, |input| coordinate::argument(&name, input), &mut lines);
    }
    schema.types.iter().for_each(|ty| of_type(sdl, ty, &mut lines));
    lines.extend(walk::descriptions(schema).into_iter().filter_map(|(at, text)| of_description(&at, text?)));
    lines.join("\n")
}

fn of_type(sdl: &Sdl, ty: &Type, lines: &mut Vec<String>) {
    let name = &ty.name;
    let (kind, rest) = match &ty.kind {
        Kind::Scalar { .. } => ("scalar", String::new()),
        Kind::Object { implements, .. } => ("type", implements.join(" & ")),
        Kind::Interface { implements, .. } => ("interface", implements.join(" & ")),
        Kind::Union { members } => ("union", members.join(" | ")),
        Kind::Enum { .. } => ("enum", String::new()),
        Kind::Input { .. } => ("input", String::new()),
    };
    lines.push(format!("{kind} {name} {rest}{}", uses(sdl, name)));
    ty.fields().iter().for_each(|field| of_field(sdl, name, field, lines));
    match &ty.kind {
        Kind::Enum { values } => lines.extend(values.iter().map(|value| {
            let at = coordinate::member(name, &value.name);
            format!("{at}{}", uses(sdl, &at))
        })),
        Kind::Input { fields, .. } => inputs(sdl, fields, |field| coordinate::member(name, field), lines),
        _ => {}
    }
}

fn of_field(sdl: &Sdl, parent: &str, field: &Field, lines: &mut Vec<String>) {
    let at = coordinate::member(parent, &field.name);
    lines.push(format!("{at}: {}{}", field.ty, uses(sdl, &at)));
    inputs(sdl, &field.args, |input| coordinate::argument(&at, input), lines);
}

fn inputs(sdl: &Sdl, inputs: &[Input], at: impl Fn(&str) -> String, lines: &mut Vec<String>) {
    for input in inputs {
        let at = at(&input.name);
        let default = input.default.as_ref().map(|default| format!(" = {default}")).unwrap_or_default();
        lines.push(format!("{at}: {}{default}{}", input.ty, uses(sdl, &at)));
    }
}

/// Writes the directives at a coordinate, including `@deprecated`.
fn uses(sdl: &Sdl, at: &str) -> String {
    let uses = sdl.spans.uses(at).iter().map(|used| {
        let arguments: Vec<String> = used.arguments.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        format!(" @{}({})", used.name, arguments.join(", "))
    });
    uses.collect()
}

/// Writes the numbers of a description, sorted: its sentences can be put in other words.
fn of_description(at: &str, description: &str) -> Option<String> {
    let mut numbers = numbers(description);
    numbers.sort_unstable();
    (!numbers.is_empty()).then(|| format!("numbers of {at}: {}", numbers.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SDL: &str = "\"All, at most 5 items.\" schema { query: Query }\ndirective @a(x: Int) on OBJECT\n\
                       type Query implements N @a(x: 1) { id: ID! a(b: Int = 1): [E!] @deprecated(reason: \"x\") }\n\
                       interface N { id: ID! }\nenum E { A B }\ninput I { f: String = \"x\" }\nunion U = Query\nscalar S\n";

    fn digest_of(sdl: &str) -> String {
        digest(&Sdl::parse("a", "a.graphql", sdl).expect(sdl))
    }

    #[test]
    fn digest_ignores_descriptions_comments_and_space() {
        let said = SDL
            .replace("\"All, at most 5 items.\"", "\"Everything: up to 5 items.\"")
            .replace("enum E", "# Note.\n\n\"Which.\"\nenum   E");
        assert_eq!(digest_of(SDL), digest_of(&said));
        assert!(digest_of(SDL).starts_with("sha256:") && digest_of(SDL).len() == "sha256:".len() + 64);
    }

    #[test]
    fn digest_depends_on_everything_else() {
        for (from, to) in [
            ("5 items", "4 items"),
            ("All,", "All 3,"),
            ("[E!]", "[E!]!"),
            ("Int = 1", "Int = 2"),
            ("Int = 1", "Int"),
            ("reason: \"x\"", "reason: \"y\""),
            (" @deprecated(reason: \"x\")", ""),
            ("A B", "B A"),
            ("A B", "A B C"),
            ("= \"x\"", "= \"y\""),
            ("@a(x: 1)", ""),
            ("@a(x: 1)", "@a(x: 2)"),
            ("on OBJECT", "repeatable on OBJECT"),
            ("on OBJECT", "on OBJECT | ENUM"),
            ("= Query", "= Query | T"),
            ("scalar S", "scalar S @specifiedBy(url: \"https://example.org\")"),
            ("input I", "input I @oneOf"),
            (" implements N", ""),
            ("scalar S", "scalar T"),
        ] {
            let sdl = SDL.replacen(from, to, 1).replace("Query | T", "Query | T type T { a: Int }");
            let sdl = sdl.replace("@oneOf { f: String = \"x\" }", "@oneOf { f: String }");
            assert_ne!(digest_of(SDL), digest_of(&sdl), "{from} to {to}");
        }
    }
}
