//! The page of GraphiQL, the public editor of queries. A browser loads its scripts from unpkg.com, and checks their digests.

/// The page. It sends requests to its own address.
pub(super) const PAGE: &str = include_str!("graphiql.html");
