//! The response to a request that ran.

use std::ops::Range;

use bytes::Bytes;

use super::json_string::write_string;

/// The response to a request that ran, and what happened to its fields.
#[derive(Debug)]
pub struct Executed {
    /// `{"data":…}`, with `"errors":[…]` if fields failed.
    pub body: Bytes,
    /// The code of each error.
    pub error_codes: Vec<&'static str>,
    /// False if fields failed and no root field has a value.
    pub has_data: bool,
    /// Whether a hook refused the operation: the body has no `data`.
    pub refused: bool,
    /// Where in the body the value of each root field of a mutation is, in the order of
    /// [`PreparedOperation::root_fields`](super::PreparedOperation::root_fields).
    pub root_values: Vec<Range<usize>>,
}

impl Executed {
    /// Returns the response of an operation that is not executed, with one error.
    pub fn refuse(code: &'static str, message: &str) -> Self {
        let mut body = b"{\"errors\":[{\"message\":".to_vec();
        write_string(&mut body, message);
        body.extend_from_slice(b",\"extensions\":{\"code\":");
        write_string(&mut body, code);
        body.extend_from_slice(b"}}]}");
        Self { body: body.into(), error_codes: vec![code], has_data: false, refused: true, root_values: vec![] }
    }
}
