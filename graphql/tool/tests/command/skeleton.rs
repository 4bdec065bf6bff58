//! `skeleton`: the Rust to write by hand.

use super::project::Project;

#[test]
fn skeleton_prints_what_the_project_does_not_have() {
    let project = Project::with_candidate("skeleton");
    let kind = "\"A kind.\"\nenum Kind {\n  \"One.\"\n  ONE\n}\n";
    let sdl = project.read("schema/2027-01.graphql");
    let sdl = sdl.replace("  b: Int\n", "  b: Int\n  \"New.\"\n  d(type: String): Kind\n  \"New.\"\n  e: Int\n");
    project.write("schema/2027-01.graphql", &(sdl + kind));
    let all = project.run("skeleton").exits(0).prints("use crate::generated::v2027_01::{self, Kind};\n");
    all.prints("impl v2027_01::Query for Context {\n    async fn d(&self, r#type: Option<String>) -> Result<Option<Kind>, FieldError> {")
        .prints("    async fn e(&self) -> Result<Option<i32>, FieldError> {\n        Err(FieldError::not_implemented())\n")
        .prints("impl From<model::Kind> for v2027_01::Kind {")
        .prints("// Version 2026-10: to be written by hand.")
        .prints("async fn a(");
    let resolvers = "use crate::generated::{v2026_10, v2027_01::Query};\n\
        impl v2026_10::Query for Context { async fn a(&self) {} async fn b(&self) {} async fn c(&self) {} }\n\
        impl Query for Context { async fn e(&self) {} }\n";
    project.write("src/api/mod.rs", resolvers);
    let d =
        project.run("skeleton").exits(0).prints("async fn d(").prints("impl From<model::Kind> for v2027_01::Kind {");
    d.prints_not("async fn a(").prints_not("async fn e(").prints_not("2026-10");
    project.write("src/api/kind.rs", "impl v2027_01::Query for Context { async fn d(&self) -> Kind { Kind::One } }\n");
    project.run("skeleton").exits(0).prints("// Nothing else is to be written.").prints_not("fn");
    project.run("skeleton Query.e").exits(0).prints("async fn e(");
}

#[test]
fn skeleton_of_a_coordinate_is_that_of_the_version_that_asks_for_it() {
    let project = Project::with_candidate("skeleton_of");
    let of_first = project.run("skeleton Query.a").exits(0).prints("// Version 2026-10: to be written by hand.");
    of_first.prints("use crate::generated::v2026_10;\n").prints("async fn a(&self)").prints_not("async fn b(");
    project.run("skeleton Query").exits(0).prints("async fn a(").prints("async fn c(");
    project.run("skeleton Query.aa").exits(1).prints("2027-01 has no `Query.aa`; did you mean `Query.a`?");
}

#[test]
fn names_and_scalars_are_those_of_the_project_file() {
    let project = Project::with_candidate("skeleton_names");
    let names = "[rust]\ncontext = \"crate::App\"\nmodel = \"crate::domain\"\n";
    let scalar = "[scalar.Json]\ninput = \"serde_json::Value\"\noutput = \"serde_json::Value\"\n";
    project.write("schema/project.toml", &format!("{names}\n{scalar}"));
    let sdl = project.read("schema/2027-01.graphql").replace("  b: Int\n", "  b: Int\n  d(of: Json): Json\n")
        + "scalar Json\n";
    project.write("schema/2027-01.graphql", &sdl);
    project
        .run("skeleton")
        .exits(0)
        .prints("use serde_json::Value;\nuse crate::App as Context;\n")
        .prints("of: Option<Value>,");
    project.run("generate").exits(0);
    let dispatch = project.read("generated/v2027_01/dispatch.rs");
    assert!(dispatch.contains("use crate::App as Context;\n"), "{dispatch}");
}

#[test]
fn cost_of_a_candidate_is_said() {
    let project = Project::new("cost");
    let (from, to) = ("  a: Int\n", "  a: Int\n  box: Box\n  find(of: BoxInput): Int\n");
    let types = "\"B.\"\ntype Box {\n  kg: Int\n  state: State\n}\n\"B.\"\ninput BoxInput {\n  kg: Int\n}\n\"S.\"\nenum State {\n  ON\n}\n";
    let sdl = project.read("schema/2026-10.graphql").replace(from, to) + types;
    project.write("schema/2026-10.graphql", &sdl);
    project.forge_digest();
    project.run("new 2027-01").exits(0).prints("and what it costs in code");
    project.run("check --no-base").prints_not("2027-01 ");
    let costs = |from: &str, to: &str, sentence: &str| {
        project.write("schema/2027-01.graphql", &sdl.replace(from, to));
        project.run("check --no-base").prints(&format!("\n{sentence}\n"));
        sentence.to_owned()
    };
    costs("  b: Int\n", "  b: Int\n  d: Int\n", "2027-01 adds 1 resolver");
    let grown = "2027-01 adds `Box.lb`, to fill in where code makes the struct";
    costs("  state: State\n", "  state: State\n  lb: Int\n", grown);
    project.run("skeleton").exits(0).prints(&format!("// {grown}.\n"));
    let grown = "2027-01 adds `BoxInput.lb`, to read where code takes the input";
    costs("input BoxInput {\n", "input BoxInput {\n  lb: Int\n", grown);
    let again = "2027-01 needs 1 resolver and 2 types of 2026-10 again, for a change of `State`";
    let again = costs("  ON\n", "  ON\n  OFF\n", again);
    project.run("skeleton").exits(0).prints(&format!("// {again}.\n"));
}
