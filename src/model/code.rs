//! The codes of top-level errors (decisions H6). Used by all layers that answer a request.

pub use dated_graphql::code::*;

pub const BAD_REQUEST: &str = "BAD_REQUEST";
pub const THROTTLED: &str = "THROTTLED";
pub const UNAUTHENTICATED: &str = "UNAUTHENTICATED";
pub const ACCESS_DENIED: &str = "ACCESS_DENIED";
pub const VERSION_NOT_FOUND: &str = "VERSION_NOT_FOUND";
pub const IDEMPOTENCY_KEY_INVALID: &str = "IDEMPOTENCY_KEY_INVALID";
pub const IDEMPOTENCY_KEY_REUSED: &str = "IDEMPOTENCY_KEY_REUSED";
pub const IDEMPOTENCY_KEY_IN_PROGRESS: &str = "IDEMPOTENCY_KEY_IN_PROGRESS";
pub const UNAVAILABLE: &str = "UNAVAILABLE";
pub const PERSISTED_QUERY_NOT_SUPPORTED: &str = "PERSISTED_QUERY_NOT_SUPPORTED";
