//! The syntax of GraphQL (specification, sections 2 and 3): [`parse_type_system`] parses SDL into a tree, and a [`Parser`] has
//! what executable documents share with it, from tokens to directives.
//!
//! The tree borrows its text, and each node has its span. Nothing here knows a rule beyond syntax.

mod error;
mod lexer;
mod node;
mod parser;
mod string;
mod tree;
mod type_system;

pub use error::{Location, Parsed, Problem, Span, SyntaxError};
pub use lexer::{Lexer, Token};
pub use node::{Argument, Directive, Literal, Name, ObjectField, Type, Value, Wrap, write_type};
pub use parser::Parser;
pub use string::{common_indent, is_blank};
pub use tree::{
    Description, DirectiveDefinition, EnumValueDefinition, FieldDefinition, InputValueDefinition, OperationKind,
    RootDefinition, SchemaDefinition, TypeDefinition, TypeKind, TypeSystemDocument,
};
pub use type_system::{DEPTH_MAX, KEYWORDS, LOCATIONS, parse_type_system};
