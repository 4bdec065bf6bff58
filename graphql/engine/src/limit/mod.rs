//! Limits on documents, checked before validation.

mod document;

use super::code;
use super::error::RefusalError;

pub(super) use document::measure;

/// The limits of an engine, and the costs of a request in points.
///
/// ```
/// use dated_graphql::Limits;
///
/// let limits = Limits { depth_max: 15, ..Limits::DEFAULT };
/// assert!(limits.depth_max > Limits::DEFAULT.depth_max);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of the document.
    pub document_bytes_max: usize,
    /// Open brackets of any kind.
    pub nesting_max: usize,
    /// Selected fields, with fragments expanded.
    pub fields_max: usize,
    /// Depth of nested fields; introspection is exempt.
    pub depth_max: usize,
    /// Aliases, with fragments expanded.
    pub aliases_max: usize,
    /// Directives in the document; at most 63.
    pub directives_max: usize,
    /// Fields of the mutation root.
    pub root_mutation_fields_max: usize,
    /// Uses of variables in operations, each with all its fragments.
    pub variable_uses_max: usize,
    /// Fields that the rule about overlapping fields compares, one for each possible object type; real documents need some
    /// hundreds.
    pub merged_fields_max: usize,
    /// Fields of a plan, one for each possible object type.
    pub planned_fields_max: usize,
    /// Estimated bytes of the copies of variables that an operation uses more than once, such as `[$v, $v, $v]`.
    pub variable_copies_bytes_max: usize,
    /// Cached documents.
    pub plans_max: usize,
    /// Estimated bytes of the cached plans.
    pub plan_bytes_max: usize,
    /// Items of a page of a connection if the request names no number.
    pub page_size_default: usize,
    /// Items of a page of a connection, which its resolver refuses to exceed.
    pub page_size_max: usize,
    /// Points of an object.
    pub object_cost: u32,
    /// Points of a connection, besides the points of its page.
    pub connection_cost: u32,
    /// Points of a field of the mutation root.
    pub mutation_cost: u32,
    /// The least points of a request, so that empty queries cost something too.
    pub request_cost_min: u32,
}

impl Limits {
    /// The limits of a service that sets none.
    pub const DEFAULT: Self = Self {
        document_bytes_max: 32 * 1024,
        nesting_max: 32,
        fields_max: 1_000,
        depth_max: 10,
        aliases_max: 15,
        directives_max: 50,
        root_mutation_fields_max: 5,
        variable_uses_max: 50_000,
        merged_fields_max: 50_000,
        planned_fields_max: 10_000,
        variable_copies_bytes_max: 4 * 1024 * 1024,
        plans_max: 1_000,
        plan_bytes_max: 8 * 1024 * 1024,
        page_size_default: 50,
        page_size_max: 250,
        object_cost: 1,
        connection_cost: 2,
        mutation_cost: 10,
        request_cost_min: 1,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

pub(super) fn exceeded(detail: String) -> RefusalError {
    RefusalError::new(code::MAX_COST_EXCEEDED, detail)
}
