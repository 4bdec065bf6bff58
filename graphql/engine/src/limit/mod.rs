//! Limits on documents (decisions H7), checked before validation.

mod document;

use crate::base::limits;

use super::code;
use super::error::RefusalError;

pub(super) use document::measure;

/// The limits of an engine.
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
    /// Directives in the document.
    pub directives_max: usize,
    /// Fields of the mutation root.
    pub root_mutation_fields_max: usize,
    /// Cached documents.
    pub plans_max: usize,
    /// Estimated bytes of the cached plans.
    pub plan_bytes_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            document_bytes_max: limits::DOCUMENT_BYTES_MAX,
            nesting_max: limits::DOCUMENT_NESTING_MAX,
            fields_max: limits::SELECTED_FIELDS_MAX,
            depth_max: limits::DEPTH_MAX,
            aliases_max: limits::ALIASES_MAX,
            directives_max: limits::DIRECTIVES_MAX,
            root_mutation_fields_max: limits::ROOT_MUTATION_FIELDS_MAX,
            plans_max: limits::PLANS_MAX,
            plan_bytes_max: limits::PLAN_BYTES_MAX,
        }
    }
}

pub(super) fn exceeded(detail: String) -> RefusalError {
    RefusalError::new(code::MAX_COST_EXCEEDED, detail)
}
