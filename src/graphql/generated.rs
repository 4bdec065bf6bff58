//! What generated code says: `use crate::graphql::generated::*`.

pub use super::argument::{Enum, Input, InputError, InputFields};
pub use super::engine::{AnyEngine, Engine, Version};
pub use super::error::FieldError;
pub use super::execute::{Cx, MutationRoot, Nested, Null, Object, Path, Plain, QueryRoot, select, unknown};
pub use super::leaf::Leaf;
pub use super::limit::Limits;
pub use super::plan::{Field, Plan};
pub use super::value::Value;
pub use super::write::Out;
