//! Registers the schema with cynic.

fn main() {
    let schema = cynic_codegen::register_schema("2026-10").from_sdl_file("../../schema/2026-10.graphql");
    schema.and_then(|schema| schema.as_default()).expect("the schema is valid");
}
