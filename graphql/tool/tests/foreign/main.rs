//! Schemas of other teams: each is parsed, linted, formatted, compared, generated and compiled, and operations on it
//! get the answers of graphql-js. The first test makes up a schema in the size of public ones; `.ci/foreign` fetches real
//! schemas and runs the last test on them.

mod shape;
mod stub;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use dated_graphql_schema::Sdl;

/// A project in the folder of temporary files, with one version.
struct Project {
    name: String,
    root: PathBuf,
    /// What the steps took.
    row: String,
}

impl Project {
    fn new(name: &str, sdl: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign").join(name);
        let _ = fs::remove_dir_all(&root);
        let project = Self { name: name.to_owned(), root, row: format!("| {name} | {}", sdl.lines().count()) };
        project.write("schema/2026-10.graphql", sdl);
        let version = "[[version]]\nname = \"2026-10\"\nstatus = \"candidate\"\n";
        project.write("schema/versions.toml", version);
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is writable");
        fs::write(path, text).expect("the folder is writable");
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).expect(path)
    }

    /// Runs `cargo schema`; returns its exit code and what it prints.
    fn schema(&mut self, arguments: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-schema"));
        command.args(arguments).args(["--today", "2026-11-25"]).current_dir(&self.root).env_remove("CI");
        let start = Instant::now();
        let output = command.output().expect("the tool runs");
        let _ = write!(self.row, " | {:.1}", start.elapsed().as_secs_f32());
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("it prints UTF-8");
        assert!(!text.contains("panicked"), "{}: {arguments:?} panicked: {text}", self.name);
        (output.status.code().expect("it ends by itself"), text)
    }

    /// Runs every step of the tool, and returns the findings of `diff` with the version before, if there is one.
    fn walk(&mut self, before: Option<&str>) -> String {
        let sdl = self.read("schema/2026-10.graphql");
        let parsed = Sdl::parse_foreign("2026-10", "2026-10.graphql", &sdl).unwrap_or_else(|report| panic!("{report}"));
        let _ = write!(self.row, " | {}", parsed.schema.types.len());
        // Public schemas deprecate fields that their interfaces do not.
        self.write("schema/project.toml", "[levels]\ndeprecation-interface = \"warning\"\n");
        let (exit, text) = self.schema(&["lint", "2026-10"]);
        assert_eq!(exit, 0, "{}: lint refuses it: {text}", self.name);
        self.format(&sdl);
        // Without a version before it, the schema is compared with itself.
        self.write("before.graphql", before.unwrap_or(&sdl));
        let (exit, found) = self.schema(&["diff", "before.graphql", "2026-10"]);
        assert!(exit == 0 || exit == 100, "{}: diff exits with {exit}: {found}", self.name);
        for step in [&["generate"][..], &["check", "--no-base"]] {
            let (exit, text) = self.schema(step);
            assert_eq!(exit, 0, "{}: {text}", self.name);
        }
        found
    }

    /// Formats twice: the second time nothing changes; comments and definitions stay.
    fn format(&mut self, sdl: &str) {
        let (exit, text) = self.schema(&["fmt"]);
        assert_eq!(exit, 0, "{}: {text}", self.name);
        let formatted = self.read("schema/2026-10.graphql");
        let comments = |text: &str| text.lines().filter(|line| line.contains('#')).count();
        assert_eq!(comments(sdl), comments(&formatted), "{}: comments are kept", self.name);
        self.write("before.graphql", sdl);
        let (exit, text) = self.schema(&["diff", "before.graphql", "2026-10"]);
        assert!(
            exit == 0 && text.contains("0 errors, 0 warnings, 0 notes"),
            "{}: formatting changed {text}",
            self.name
        );
        assert_eq!(self.schema(&["fmt", "--check"]).0, 0, "{}: formatting again changes nothing", self.name);
    }

    /// Compiles the generated code with stub resolvers, and checks what `skeleton` prints.
    fn compile(&mut self) {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let engine = workspace.join("graphql/engine");
        let manifest = format!(
            "[package]\nname = \"stub\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
             dated-graphql = {{ path = {engine:?} }}\nserde_json = \"1\"\n\n[profile.dev]\ndebug = false\nincremental = false\n"
        );
        // Before there is a `src/`, so that it prints everything.
        let (exit, skeleton) = self.schema(&["skeleton"]);
        assert_eq!(exit, 0, "{}: {skeleton}", self.name);
        self.write("Cargo.toml", &manifest);
        self.write("src/main.rs", stub::MAIN);
        let generated = self.read("generated/v2026_10.rs");
        self.write("src/stubs.rs", &stub::stubs("v2026_10", &generated));
        self.write("src/bin/skeleton/main.rs", stub::SKELETON);
        self.write("src/bin/skeleton/model.rs", &stub::model(&generated));
        self.write("src/bin/skeleton/skeleton.rs", &skeleton);
        // The versions of this workspace, so that nothing is fetched.
        fs::copy(workspace.join("Cargo.lock"), self.root.join("Cargo.lock")).expect("the lock file is there");
        for [subcommand, binary] in [["build", "stub"], ["check", "skeleton"]] {
            let mut command = Command::new(env!("CARGO"));
            command
                .args([subcommand, "--offline", "--quiet", "--bin", binary])
                .current_dir(&self.root)
                .env("CARGO_TARGET_DIR", self.target());
            let start = Instant::now();
            let output = command.output().expect("cargo runs");
            let _ = write!(self.row, " | {:.1}", start.elapsed().as_secs_f32());
            assert!(output.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&output.stderr));
        }
    }

    /// All projects share their dependencies.
    fn target(&self) -> PathBuf {
        self.root.join("../target")
    }

    /// Sends operations, a line of JSON each with the `query` and the `data` that graphql-js answers.
    fn compare(&mut self, operations: &str) {
        let mut command = Command::new(self.target().join("debug/stub"));
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut stdin = server.stdin.take().expect("it is piped");
        let expected: Vec<serde_json::Value> =
            operations.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
        let sent: String =
            expected.iter().map(|line| format!("{}\n", serde_json::json!({ "query": line["query"] }))).collect();
        let writer = std::thread::spawn(move || stdin.write_all(sent.as_bytes()).expect("the server reads"));
        let output = server.wait_with_output().expect("the server ends");
        writer.join().expect("everything is sent");
        let answers = String::from_utf8(output.stdout).expect("JSON");
        assert_eq!(answers.lines().count(), expected.len(), "{}: a response for each operation", self.name);
        for (answer, expected) in answers.lines().zip(&expected) {
            let got: serde_json::Value = serde_json::from_str(answer).unwrap_or_else(|_| answer.into());
            assert_eq!(got, serde_json::json!({ "data": expected["data"] }), "{}: {}", self.name, expected["query"]);
        }
        let _ = write!(self.row, " | {}", expected.len());
    }
}

/// `shop.jsonl` holds the answers that `answers.mjs` writes for `schema/2026-10.graphql` in the folder of the project.
#[test]
fn schema_of_the_size_of_a_shop_is_served_as_graphql_js_does() {
    let mut project = Project::new("shop", &shape::sdl(2));
    let found = project.walk(Some(&shape::sdl(1)));
    assert_eq!(found.matches("error[field-removed]").count(), 26, "{found}");
    project.compile();
    project.compare(include_str!("shop.jsonl"));
}

/// The schemas `*.graphql` of the folder `FOREIGN`, each with its operations, `*.jsonl`. There may be the version before a schema,
/// `before/*.graphql`.
#[test]
#[ignore = "`.ci/foreign` fetches the schemas and runs it"]
#[allow(clippy::disallowed_methods)] // no settings of a server
fn real_schemas_are_served_as_graphql_js_does() {
    let folder = PathBuf::from(std::env::var_os("FOREIGN").expect("FOREIGN is the folder of the schemas"));
    let files = fs::read_dir(&folder).expect("FOREIGN is a folder").map(|file| file.expect("a file").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "graphql")).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no schemas", folder.display());
    let mut table = String::new();
    for file in files {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        let mut project = Project::new(name, &fs::read_to_string(&file).expect("a schema"));
        let before = fs::read_to_string(folder.join("before").join(format!("{name}.graphql"))).ok();
        project.walk(before.as_deref());
        project.compile();
        project.compare(&fs::read_to_string(file.with_extension("jsonl")).expect("operations"));
        let _ = writeln!(table, "{} |", project.row);
        println!("{} |", project.row);
    }
    println!(
        "| schema | lines | types | lint s | fmt | diff formatted | fmt --check | diff before | generate | check | skeleton | compile | compile skeleton | operations |\n{table}"
    );
}
