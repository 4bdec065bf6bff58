//! `init`, and `generate` in its project: what they write compiles and answers.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::project::Project;

const SDL: &str = "\
type Query {
  hello(name: String! = \"world\"): Greeting!
  person(id: ID!, note: String): Person
}

type Mutation {
  rename(input: RenameInput!): Person
}

input RenameInput {
  name: String
}

type Greeting {
  text: String!
}

type Person {
  name: String
  friends: [Person!]
}
";

/// An empty folder.
fn empty(name: &str) -> Project {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
    fs::remove_dir_all(&root).ok();
    fs::create_dir_all(&root).unwrap();
    Project { root }
}

/// Builds the project with the versions of this workspace, and with the target folder of the other projects that tests build. `warnings`
/// are all of the compiler's.
fn build(root: &Path, warnings: &[&str]) -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign/target");
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--offline", "--quiet"]).current_dir(root).env("CARGO_TARGET_DIR", &target);
    // Leaves out what does not change whether it compiles.
    command.envs([("CARGO_PROFILE_DEV_DEBUG", "false"), ("CARGO_INCREMENTAL", "0")]).env_remove("CI");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let warned: Vec<&str> = said.lines().filter(|line| line.starts_with("warning")).collect();
    assert!(output.status.success() && warned == warnings, "{said}");
    target.join("debug/init")
}

/// Starts the server, sends it documents, and returns its answers.
fn answers(server: &Path, documents: &[&str]) -> Vec<String> {
    let mut process = Command::new(server).arg("127.0.0.1:0").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit('/').next().unwrap();
    let answer = |document: &&str| {
        let body = serde_json::json!({ "query": document }).to_string();
        let mut stream = TcpStream::connect(address).unwrap();
        let head = "POST /2026-11/graphql HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json";
        write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response.split_once("\r\n\r\n").unwrap().1.to_owned()
    };
    let answers = documents.iter().map(answer).collect();
    process.kill().unwrap();
    process.wait().unwrap();
    answers
}

#[test]
fn project_of_init_answers_and_generate_adds_what_is_new() {
    let project = empty("init");
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let init = format!("init {} --crates {}", project.root.display(), crates.display());
    project.run(&init).exits(0).prints("added to src/resolver/v2026_11.rs, Query: hello").prints("Next steps:");
    project.run(&init).exits(1).prints("init makes a new project");
    // This project is in the folder of another workspace.
    project.write("Cargo.toml", &(project.read("Cargo.toml") + "\n[workspace]\n"));
    let missing = |path: &str, column: usize| {
        format!(
            r#""errors":[{{"message":"This field is not implemented yet.","locations":[{{"line":1,"column":{column}}}],"path":["{path}"],"extensions":{{"code":"NOT_IMPLEMENTED"}}}}]}}"#
        )
    };
    let server = build(&project.root, &[]);
    assert_eq!(answers(&server, &["{ hello { text } }"]), [format!(r#"{{"data":null,{}"#, missing("hello", 3))]);

    let stub = "Err(FieldError::not_implemented())";
    let written = "Ok(Greeting { text: format!(\"Hello, {name}!\").into() }) // by hand";
    project.edit("src/resolver/v2026_11.rs", stub, written);
    project.write("schema/2026-11.graphql", SDL);
    project.edit("schema/project.toml", "[rust]\n", "[rust]\nnullable_argument = \"Patch\"\n");
    let resolvers = project.read("src/resolver/v2026_11.rs");
    for part in [written, "note: Patch<String>,", "impl v2026_11::Person for model::Person {"] {
        assert!(resolvers.contains(part), "{part} in {resolvers}");
    }
    project.run("generate").exits(0).prints_not("added");
    assert_eq!(project.read("src/resolver/v2026_11.rs"), resolvers, "everything is there");
    project.write("src/draft.rs", "fn draft( {\n");
    project.run("generate").exits(1).prints("src/draft.rs:1:").prints("no stubs were added");
    fs::remove_file(project.root.join("src/draft.rs")).unwrap();
    // The compiler names each field of an input that no resolver reads, so also those of a stub.
    let server = build(&project.root, &["warning: field `name` is never read"]);
    let documents = ["{ hello { text } person(id: 1) { name } }", "mutation { rename(input: {}) { name } }"];
    let expected = [
        format!(r#"{{"data":{{"hello":{{"text":"Hello, world!"}},"person":null}},{}"#, missing("person", 18)),
        format!(r#"{{"data":{{"rename":null}},{}"#, missing("rename", 12)),
    ];
    assert_eq!(answers(&server, &documents), expected);
}

#[test]
fn generate_imports_what_a_changed_signature_needs() {
    let project = empty("init_resolve");
    project.run(&format!("init {}", project.root.display())).exits(0);
    let before = project.read("src/resolver/v2026_11.rs");
    assert!(!before.contains("Arc"), "{before}");
    project.write(
        "schema/project.toml",
        &(project.read("schema/project.toml") + "[resolve]\nfields = [\"Greeting.text\"]\n"),
    );
    project.run("generate").exits(0).prints("v2026_11.rs, Greeting: text");
    let after = project.read("src/resolver/v2026_11.rs");
    // Not for the new stub, but for the return type that `hello` needs.
    assert!(after.contains("use std::sync::Arc;\n"), "{after}");
    project.run("generate").exits(0);
    assert_eq!(project.read("src/resolver/v2026_11.rs"), after);
    // A plain method has no other use for the import of its stub's error.
    project.write(
        "schema/2026-11.graphql",
        &(project.read("schema/2026-11.graphql") + "type Plain { id: ID! again: Plain }\n"),
    );
    project.edit("schema/2026-11.graphql", "type Query {", "type Query { plain: Plain");
    let after = project.read("src/resolver/v2026_11.rs");
    assert!(after.contains("        dated_graphql::FieldError::not_implemented().unwind()\n"), "{after}");
}
