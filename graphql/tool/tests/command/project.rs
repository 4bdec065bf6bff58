//! A temporary project with a schema, in which tests run the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the first version of every project says.
pub(crate) const SDL: &str = "\
\"The schema.\"
schema {
  query: Query
}

\"Everything that is read.\"
type Query {
  \"The first.\"
  a: Int
  \"The second.\"
  b: Int
  \"The third.\"
  c: Int @deprecated(reason: \"Use `a`, which is better.\")
}
";

/// A project in a temporary folder.
pub(crate) struct Project {
    pub root: PathBuf,
}

/// The output and the exit code of a command.
#[derive(Debug)]
pub(crate) struct Output {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Project {
    /// Makes a git repository with one published version and its digest.
    pub(crate) fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command").join(name);
        fs::remove_dir_all(&root).ok();
        let project = Self { root };
        project.write("schema/2026-10.graphql", SDL);
        project.write("schema/versions.toml", "[[version]]\nname = \"2026-10\"\nstatus = \"candidate\"\n");
        project.run_with("publish 2026-10 --no-base", "2026-10-01", false).exits(0);
        project.git(&["init", "--quiet", "--initial-branch", "main"]);
        project.commit();
        project
    }

    /// Makes the same project with a candidate.
    pub(crate) fn with_candidate(name: &str) -> Self {
        let project = Self::new(name);
        project.run("new 2027-01").exits(0);
        project
    }

    /// Runs `cargo schema` on the 21st of November 2026.
    pub(crate) fn run(&self, args: &str) -> Output {
        self.run_with(args, "2026-11-21", false)
    }

    /// Runs `cargo schema` on a day, in continuous integration or not.
    pub(crate) fn run_with(&self, args: &str, today: &str, ci: bool) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-schema"));
        command.args(args.split(' ')).arg("--root").arg(&self.root).args(["--today", today]);
        command.env("CI", if ci { "true" } else { "" });
        let output = command.current_dir(self.root.parent().unwrap()).output().unwrap();
        Output {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs `cargo schema` with a text on its standard input.
    pub(crate) fn run_on(&self, input: &str, args: &str) -> Output {
        self.write("input.txt", input);
        let file = fs::File::open(self.root.join("input.txt")).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-schema"));
        let output = command.args(args.split(' ')).arg("--root").arg(&self.root).stdin(file).output().unwrap();
        Output {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Replaces a text that occurs once, and updates `generated/`.
    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert_eq!(text.matches(from).count(), 1, "{from} in {path}");
        self.write(path, &text.replace(from, to));
        self.run("generate");
    }

    /// Replaces the digest of 2026-10 by the digest of its file.
    pub(crate) fn forge_digest(&self) {
        let found = self.run("check --no-base").exits(100).prints("the digest of the file is sha256:").out;
        let digest = |text: &str, after: &str| text[text.find(after).unwrap() + after.len()..][..71].to_owned();
        let (new, old) =
            (digest(&found, "the digest of the file is "), digest(&self.read("schema/versions.toml"), "digest = \""));
        self.edit("schema/versions.toml", &old, &new);
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.commit_other();
    }

    /// Commits the staged files: none, like a commit of other files.
    pub(crate) fn commit_other(&self) {
        let author = ["-c", "user.name=Tester", "-c", "user.email=t@example.org"];
        self.git(&[&author[..], &["commit", "--quiet", "--allow-empty", "-m", "All"]].concat());
    }

    pub(crate) fn git(&self, args: &[&str]) {
        let output = Command::new("git").arg("-C").arg(&self.root).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

impl Output {
    /// Asserts the exit code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.err);
        self
    }

    /// Asserts that the output contains a text.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert!(
            self.out.contains(text) || self.err.contains(text),
            "{text}\n\nis not in\n\n{}\n{}",
            self.out,
            self.err
        );
        self
    }

    /// Asserts that the output does not contain a text.
    #[track_caller]
    pub(crate) fn prints_not(self, text: &str) -> Self {
        assert!(!self.out.contains(text) && !self.err.contains(text), "{text}\n\nis in\n\n{}\n{}", self.out, self.err);
        self
    }
}
