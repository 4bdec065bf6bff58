//! The deprecated elements of a schema, and what their reasons name to use instead.
//!
//! Used by the lint of deprecations and by the changelog.

use crate::coordinate;
use crate::model::{Field, Input, Kind, Schema};

/// Returns the coordinate and the reason of every deprecated element, in the order of the document.
pub fn deprecations(schema: &Schema) -> Vec<(String, &str)> {
    let mut found = vec![];
    for ty in &schema.types {
        let member = |name: &str| coordinate::member(&ty.name, name);
        for Field { name, args, deprecated, .. } in ty.fields() {
            let at = member(name);
            found.extend(deprecated.as_deref().map(|reason| (at.clone(), reason)));
            found.extend(reasons(args, |name| coordinate::argument(&at, name)));
        }
        match &ty.kind {
            Kind::Enum { values } => found
                .extend(values.iter().filter_map(|value| Some((member(&value.name), value.deprecated.as_deref()?)))),
            Kind::Input { fields, .. } => found.extend(reasons(fields, member)),
            _ => {}
        }
    }
    for directive in &schema.directives {
        let at = coordinate::directive(&directive.name);
        found.extend(reasons(&directive.args, |name| coordinate::argument(&at, name)));
    }
    found
}

fn reasons(inputs: &[Input], at: impl Fn(&str) -> String) -> impl Iterator<Item = (String, &str)> {
    inputs.iter().filter_map(move |input| Some((at(&input.name), input.deprecated.as_deref()?)))
}

/// Returns the coordinates that a reason names in back ticks, as such or as the name of a sibling of the deprecated
/// element `of`.
pub fn replacements(of: &str, reason: &str, is_known: impl Fn(&str) -> bool) -> Vec<String> {
    let named = reason.split('`').skip(1).step_by(2);
    let resolve = |name: &str| {
        let siblings =
            coordinate::parent(of).map(|parent| [coordinate::member(parent, name), coordinate::argument(parent, name)]);
        let names = std::iter::once(name.to_owned()).chain(siblings.into_iter().flatten());
        names.into_iter().find(|at| is_known(at) && at != of)
    };
    named.filter_map(resolve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deprecated_element_is_found_with_its_replacements() {
        let sdl = r#"
            directive @a("x" b: Int @deprecated(reason: "Without replacement.")) on FIELD
            type Query {
                old(was: Int @deprecated(reason: "Use `is`."), is: Int): E @deprecated(reason: "Use `new` or `I.in`.")
                new: Int
            }
            enum E { ONE @deprecated(reason: "Use `TWO`, not `ONE` or `THREE`.") TWO }
            input I { at: Int @deprecated(reason: "Use `E.TWO`."), in: Int }
        "#;
        let schema = Schema::parse("1", sdl).expect("a schema");
        let known = ["Query.old", "Query.new", "Query.old(is:)", "I.in", "E.ONE", "E.TWO"];
        let found: Vec<_> = deprecations(&schema)
            .into_iter()
            .map(|(at, reason)| (at.clone(), replacements(&at, reason, |name| known.contains(&name)).join(" ")))
            .collect();
        let found: Vec<_> = found.iter().map(|(at, instead)| (at.as_str(), instead.as_str())).collect();
        assert_eq!(
            found,
            [
                ("Query.old", "Query.new I.in"),
                ("Query.old(was:)", "Query.old(is:)"),
                ("E.ONE", "E.TWO"),
                ("I.at", "E.TWO"),
                ("@a(b:)", ""),
            ]
        );
    }
}
