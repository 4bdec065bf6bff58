//! The GraphQL engine: turns the bytes of a request into the bytes of a response, for any schema.
//!
//! A document is parsed, measured, validated and planned once, and its plan is cached. A request then coerces its variables, and
//! generated code dispatches the fields and writes them as JSON into the body.
//! A server calls it through [`AnyEngine`], and generated code through [`generated`]. Source: the GraphQL specification.
//!
//! ```
//! use dated_graphql::{AnyEngine, Request, RequestContext};
//!
//! /// Answers a request, as a server does. `dated-graphql-http` is one.
//! async fn answer<C: RequestContext>(engine: &dyn AnyEngine<C>, context: &C, body: &[u8]) -> Vec<u8> {
//!     let request = match Request::parse(body) {
//!         Ok(request) => request,
//!         Err(error) => return error.to_string().into(),
//!     };
//!     match engine.prepare(&request) {
//!         Ok(prepared) => engine.execute(&prepared, context).await.body.into(),
//!         Err(refusal) => refusal.to_string().into(),
//!     }
//! }
//! ```

mod argument;
mod ast;
mod cache;
pub mod code;
mod context;
mod coordinate;
mod cost;
mod definition;
mod engine;
mod error;
mod error_chain;
mod execute;
mod executed;
mod field_info;
mod introspect;
mod json_member;
mod json_string;
mod leaf;
mod limit;
mod literal;
mod loader;
mod model;
mod output;
mod parse;
mod patch;
mod path;
mod plan;
mod planner;
mod prepared_operation;
mod request;
mod rule;
mod sdl;
mod small_map;
#[cfg(test)]
mod tests;
mod used_coordinates;
mod uses;
mod value;
mod variable;
mod visit;
mod write;

pub use argument::{Input, InputError, TextScalar};
pub use context::RequestContext;
pub use engine::{AnyEngine, Engine};
pub use error::{FieldError, Location, Message, REFUSAL_DETAIL_CHARS_MAX, REFUSAL_ERRORS_MAX, Refusal, RefusalError};
pub use error_chain::ErrorChain;
pub use executed::Executed;
pub use field_info::FieldInfo;
pub use leaf::{Leaf, date_text};
pub use limit::Limits;
pub use loader::Loader;
pub use patch::{Parsed, Patch};
pub use prepared_operation::PreparedOperation;
pub use request::{Request, RequestError};
pub use value::Value;
pub use write::JsonWriter;

/// What generated code uses.
pub mod generated {
    pub use super::argument::{Enum, Input, InputError, InputFields};
    pub use super::engine::{AnyEngine, Engine};
    pub use super::error::FieldError;
    pub use super::execute::{run_mutation, select, unknown, write_fields};
    pub use super::leaf::Leaf;
    pub use super::limit::Limits;
    pub use super::output::{
        AsyncValue, BoxedWrite, ExecContext, Info, MutationRoot, Object, QueryRoot, SyncValue, Version, Written, boxed,
    };
    pub use super::path::Path;
    pub use super::plan::{Plan, Selection};
    pub use super::value::Value;
    pub use super::write::{JsonWriter, NullBubble};
    pub use dated_graphql_schema::VersionStatus;
}
