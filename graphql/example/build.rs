//! Generates `generated/` from `schema/`.

fn main() {
    println!("cargo::rerun-if-changed=schema");
    println!("cargo::rerun-if-changed=generated");
    if let Err(error) = dated_graphql_codegen::build(".".as_ref(), dated_graphql_codegen::Mode::Write) {
        eprint!("{}", error.drawings());
        error.lines().iter().for_each(|line| println!("cargo::error={line}"));
        std::process::exit(1);
    }
}
