//! The published schema: what introspection answers is what the file says, of every version (specification, sections
//! 4 and 9; design 1).

mod examples;
mod fact;
mod from_introspection;
mod from_sdl;
mod introspection;

pub use from_sdl::fields_of;
