//! `cargo schema`.

fn main() -> std::process::ExitCode {
    tool::main()
}
