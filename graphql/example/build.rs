//! Generates `generated/` from `schema/`.

fn main() {
    dated_graphql_codegen::build_script(dated_graphql_codegen::Mode::Write);
}
