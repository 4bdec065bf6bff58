//! Schema coordinates: the names of the elements of a schema, such as `Card.status` or `Query.card(id:)`.
//!
//! Used by changes, findings, waivers, usage and the reference site. Source: GraphQL specification, section 3.14.

/// The coordinate of the schema itself, which the specification does not define. The lint refuses a type of this name.
pub const SCHEMA: &str = "schema";

/// `Card.status`, `CardStatus.DRAFT`
pub fn member(parent: &str, name: &str) -> String {
    format!("{parent}.{name}")
}

/// `Query.card(id:)`, `@auth(role:)`
pub fn argument(owner: &str, name: &str) -> String {
    format!("{owner}({name}:)")
}

/// `@auth`
pub fn directive(name: &str) -> String {
    format!("@{name}")
}

/// Returns the enclosing coordinate: `Card` for `Card.status`, `Query.card` for `Query.card(id:)`.
pub fn parent(coordinate: &str) -> Option<&str> {
    coordinate.rfind(['.', '(']).map(|at| &coordinate[..at])
}

/// Returns whether `inner` is `outer` or part of it. Whole segments are compared: `Card` covers `Card.status` and not
/// `CardStatus`.
pub fn covers(outer: &str, inner: &str) -> bool {
    let Some(rest) = inner.strip_prefix(outer) else { return false };
    rest.is_empty() || rest.starts_with(['.', '('])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinate_covers_itself_and_its_parts() {
        for (outer, inner, expected) in [
            ("Card", "Card", true),
            ("Card", "Card.status", true),
            ("Query.card", "Query.card(id:)", true),
            ("@auth", "@auth(role:)", true),
            ("Card", "CardStatus", false),
            ("Card", "CardStatus.DRAFT", false),
            ("Query.card", "Query.cards", false),
            ("Card.status", "Card", false),
        ] {
            assert_eq!(covers(outer, inner), expected, "{outer} {inner}");
        }
    }

    #[test]
    fn parent_is_one_segment_up() {
        assert_eq!(parent(&argument(&member("Query", "card"), "id")), Some("Query.card"));
        assert_eq!(parent("Card.status"), Some("Card"));
        assert_eq!(parent("Card"), None);
        assert_eq!(parent(&argument(&directive("auth"), "role")), Some("@auth"));
    }
}
