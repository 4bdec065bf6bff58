//! `cargo schema init`: makes a project that compiles and answers.

use std::fs;
use std::path::{Path, PathBuf};

use dated_graphql_codegen::load;

use super::Project;
use super::exit::{Exit, Failure};
use super::generate::Generate;

/// Make a project that compiles and answers: a server, a version, and a stub for each resolver.
#[derive(clap::Args)]
pub(crate) struct Init {
    /// The folder of the project, which need not exist; by default the current one.
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// An SDL file to begin with, in place of a schema of one field.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// The folder of the crates, for a project that takes them from there and not from the registry.
    #[arg(long, value_name = "FOLDER")]
    crates: Option<PathBuf>,
}

impl Init {
    pub(crate) fn run(&self, Project { today, .. }: &Project) -> Result<Exit, Failure> {
        let root = &self.folder;
        if let Some(found) = ["Cargo.toml", "schema", "src"].into_iter().find(|name| root.join(name).exists()) {
            return Err(Failure::new(format!(
                "there is {} already: init makes a new project",
                root.join(found).display()
            )));
        }
        let version = today.format("%Y-%m");
        let sdl = match &self.schema {
            Some(file) => load::text(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?,
            None => include_str!("hello.graphql").to_owned(),
        };
        fs::create_dir_all(root)?;
        let crates = self.crates.as_deref().map(Path::canonicalize).transpose()?;
        if let Some(crates) = &crates {
            let manifest = crates.join("tool/Cargo.toml").display().to_string();
            let words = ["run", "--quiet", "--manifest-path", &manifest, "--"];
            // An alias as one string overrides the alias of a folder above, but Cargo divides the string at each blank, also in a path.
            let alias = match manifest.contains(' ') {
                true => format!("{words:?}"),
                false => format!("{:?}", words.join(" ")),
            };
            write(root, ".cargo/config.toml", &format!("[alias]\nschema = {alias}\n"))?;
        }
        write(root, "Cargo.toml", &manifest(root, crates.as_deref(), &sdl)?)?;
        write(root, ".gitignore", "/target\n")?;
        write(root, "build.rs", include_str!("build.rs.txt"))?;
        write(root, "src/main.rs", include_str!("main.rs.txt"))?;
        write(root, "src/model.rs", "//! The objects that are not stored in another: one type for all versions.\n")?;
        write(root, "src/resolver/mod.rs", "//! The resolvers, a file for each version.\n\n")?;
        write(root, &format!("schema/{version}.graphql"), &sdl)?;
        let entry = format!("[[version]]\nname = \"{version}\"\nstatus = \"candidate\"\n");
        write(root, "schema/versions.toml", &entry)?;
        write(root, "schema/project.toml", "[rust]\nstubs_folder = \"src/resolver\"\n")?;
        let project = Project { root: root.clone(), today: *today };
        let exit = Generate::default().run(&project)?;
        if exit == Exit::Ok {
            println!("\n{}", self.next_steps(&version.to_string()));
        }
        Ok(exit)
    }

    /// Returns what to do next.
    fn next_steps(&self, version: &str) -> String {
        let field = if self.schema.is_none() { "hello { text }" } else { "__typename" };
        format!(
            "Next steps:\n\
             \x20 1. `cargo run -- --graphiql` in {}, and open http://127.0.0.1:9600/{version}/graphql, or send\n\
             \x20    curl --json '{{\"query\": \"{{ {field} }}\"}}' http://127.0.0.1:9600/{version}/graphql\n\
             \x20 2. write the resolvers in src/resolver/\n\
             \x20 3. edit schema/{version}.graphql; `cargo schema generate` adds stubs for what is new",
            self.folder.display()
        )
    }
}

/// Writes a file of the project.
fn write(root: &Path, path: &str, text: &str) -> Result<(), Failure> {
    let path = root.join(path);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(&path, text).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Returns `Cargo.toml`. The package has the name of the folder.
fn manifest(root: &Path, crates: Option<&Path>, sdl: &str) -> Result<String, Failure> {
    let folder = root.canonicalize()?;
    let name = folder.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let name = name.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit()).trim_end_matches('-');
    let name = if name.is_empty() { "api" } else { name };
    let dependency = |folder: &str, name: &str| match crates {
        Some(crates) => format!("{name} = {{ path = {:?} }}\n", crates.join(folder)),
        None => format!("{name} = \"{}\"\n", env!("CARGO_PKG_VERSION")),
    };
    let has_scalars = sdl.lines().any(|line| line.starts_with("scalar "));
    Ok([
        &*format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n"),
        &dependency("engine", "dated-graphql"),
        &dependency("http", "dated-graphql-http"),
        if has_scalars { "serde_json = \"1\" # the custom scalars\n" } else { "" },
        "tokio = { version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }\n",
        "tracing-subscriber = { version = \"0.3\", default-features = false, features = [\"fmt\"] } # the log\n",
        "\n[build-dependencies]\n",
        &dependency("codegen", "dated-graphql-codegen"),
    ]
    .concat())
}
