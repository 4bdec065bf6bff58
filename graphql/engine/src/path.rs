//! The path of a field in the response.

use std::fmt;

use super::plan::Field;

/// The path of a field in the response; written only for errors.
pub enum Path<'a> {
    Root,
    Field(&'a Path<'a>, &'a Field),
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parent, last): (_, &dyn fmt::Display) = match self {
            Path::Root => return Ok(()),
            Path::Field(parent, field) => (parent, &field.response_key()),
            Path::Index(parent, i) => (parent, i),
        };
        let dot = if matches!(parent, Path::Root) { "" } else { "." };
        write!(f, "{parent}{dot}{last}")
    }
}
