//! The codes of the errors that the engine writes. A server adds its codes.

pub const GRAPHQL_PARSE_FAILED: &str = "GRAPHQL_PARSE_FAILED";
pub const GRAPHQL_VALIDATION_FAILED: &str = "GRAPHQL_VALIDATION_FAILED";
pub const BAD_USER_INPUT: &str = "BAD_USER_INPUT";
pub const OPERATION_RESOLUTION_FAILURE: &str = "OPERATION_RESOLUTION_FAILURE";
pub const MAX_COST_EXCEEDED: &str = "MAX_COST_EXCEEDED";
pub const NOT_IMPLEMENTED: &str = "NOT_IMPLEMENTED";
pub const INTERNAL_SERVER_ERROR: &str = "INTERNAL_SERVER_ERROR";
