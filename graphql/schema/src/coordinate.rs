//! Schema coordinates: the names of the elements of a schema, such as `Book.status` or `Query.book(id:)`.
//!
//! Used by changes, findings, waivers, usage and the reference site. Source: GraphQL specification, section 3.14.

/// The coordinate of the schema itself, which the specification does not define. The lint refuses a type of this name.
pub const SCHEMA: &str = "schema";

/// `Book.status`, `BookStatus.DRAFT`
pub fn member(parent: &str, name: &str) -> String {
    format!("{parent}.{name}")
}

/// `Query.book(id:)`, `@auth(role:)`
pub fn argument(owner: &str, name: &str) -> String {
    format!("{owner}({name}:)")
}

/// `@auth`
pub fn directive(name: &str) -> String {
    format!("@{name}")
}

/// Returns the enclosing coordinate: `Book` for `Book.status`, `Query.book` for `Query.book(id:)`.
pub fn parent(coordinate: &str) -> Option<&str> {
    coordinate.rfind(['.', '(']).map(|at| &coordinate[..at])
}

/// Returns whether `inner` is `outer` or part of it. Whole segments are compared: `Book` covers `Book.status` and not
/// `BookStatus`.
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
            ("Book", "Book", true),
            ("Book", "Book.status", true),
            ("Query.book", "Query.book(id:)", true),
            ("@auth", "@auth(role:)", true),
            ("Book", "BookStatus", false),
            ("Book", "BookStatus.DRAFT", false),
            ("Query.book", "Query.books", false),
            ("Book.status", "Book", false),
        ] {
            assert_eq!(covers(outer, inner), expected, "{outer} {inner}");
        }
    }

    #[test]
    fn parent_is_one_segment_up() {
        assert_eq!(parent(&argument(&member("Query", "book"), "id")), Some("Query.book"));
        assert_eq!(parent("Book.status"), Some("Book"));
        assert_eq!(parent("Book"), None);
        assert_eq!(parent(&argument(&directive("auth"), "role")), Some("@auth"));
    }
}
