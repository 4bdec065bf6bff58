//! Limits on the documents of partners that are stored, and on checks of their operations.

use std::time::Duration;

// Stored documents, if the operator switches them on (ours).
/// The bytes of a document in its normal form; longer ones are not stored.
pub const STORED_DOCUMENT_BYTES_MAX: usize = 16 * 1024;
/// The number of documents that are kept for each partner, key mode and version: those that were used last.
pub const STORED_DOCUMENTS_MAX: i64 = 500;
/// How long a document is kept after its last use.
pub const STORED_DOCUMENTS_KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// The number of documents that one transaction writes.
pub const DOCUMENTS_WRITTEN_AT_ONCE: usize = 100;
/// The memory of documents that a replica has counted and not written, in bytes, and that of one besides its text.
pub const UNWRITTEN_DOCUMENTS_BYTES_MAX: usize = 8 * 1024 * 1024;
pub const UNWRITTEN_DOCUMENT_BYTES: usize = 256;

// Checks of a partner's operations against a version (decisions H11; the numbers are ours).
/// The bytes of a request, with all its documents.
pub const CHECK_BODY_BYTES_MAX: usize = 1024 * 1024;
/// The number of operations that one request may check; each costs COST_CHECKED_OPERATION points.
pub const CHECKED_OPERATIONS_MAX: usize = 1_000;
/// The number of documents of a request; they need not hold an operation.
pub const CHECKED_DOCUMENTS_MAX: usize = 1_000;
/// The number of fields, fragments and values of all operations together that are looked at, in both versions, and those of a
/// shared fragment each time.
pub const CHECK_STEPS_MAX: usize = 200_000;
/// The name of a document, in Unicode characters.
pub const CHECKED_DOCUMENT_NAME_CHARS_MAX: usize = 255;
/// In points.
pub const COST_CHECKED_OPERATION: u32 = 1;
/// The number of causes that the answer gives for one operation.
pub const CHECK_CAUSES_MAX: usize = 20;
/// The number of checks that a replica runs at a time.
pub const CHECKS_AT_ONCE: usize = 1;
