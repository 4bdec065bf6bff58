//! `cargo schema`.

fn main() -> std::process::ExitCode {
    dated_graphql_tool::main()
}
