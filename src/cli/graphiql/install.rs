//! Fetches GraphiQL with npm. Called by `graphiql install` and by `demo`.
//!
//! The versions are pinned, and so is every file that browsers get, by its SHA-256. `npm pack` fetches a package without those that it
//! depends on, and runs none of its scripts.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Output as Finished, Stdio};

use sha2::{Digest as _, Sha256};
use tokio::process::Command;
use tokio::time::timeout;

use crate::base::{limits, lower_hex, private};
use crate::web::GRAPHIQL_FOLDER;

/// A file of an npm package.
struct File {
    package: &'static str,
    version: &'static str,
    path: &'static str,
    sha256: &'static str,
}

const FILES: [File; 4] = [
    File {
        package: "graphiql",
        version: "4.1.2",
        path: "graphiql.min.css",
        sha256: "30487e07635d312a63f647b140d37740a73c53332b0975bf4b1fe985ca6ec885",
    },
    File {
        package: "graphiql",
        version: "4.1.2",
        path: "graphiql.min.js",
        sha256: "867226ba8af5ce7949903fc53932f78dac9f4bfc6cc8da0fd3869b8bc6c5256b",
    },
    File {
        package: "react",
        version: "18.3.1",
        path: "umd/react.production.min.js",
        sha256: "d949f1c3687aedadcedac85261865f29b17cd273997e7f6b2bfc53b2f9d4c4dd",
    },
    File {
        package: "react-dom",
        version: "18.3.1",
        path: "umd/react-dom.production.min.js",
        sha256: "35f4f974f4b2bcd44da73963347f8952e341f83909e4498227d4e26b98f66f0d",
    },
];

/// Why GraphiQL is not installed.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum GraphiqlError {
    #[error("GraphiQL is fetched with npm, and {0} is not on this machine (on Debian: apt-get install npm)")]
    Missing(&'static str, #[source] io::Error),
    #[error("the program {program} failed: {said}")]
    Failed { program: &'static str, said: String },
    #[error("the program {0} did not end within {time} s", time = limits::GRAPHIQL_INSTALL.as_secs())]
    TooSlow(&'static str),
    #[error("the file {0} of npm is not the one that this release was tested with")]
    Differs(&'static str),
    #[error("the folder graphiql in DATA_DIR cannot be written")]
    Folder(#[from] io::Error),
}

/// Whether every file is there.
pub(in crate::cli) fn is_installed(data_dir: &Path) -> bool {
    FILES.iter().all(|file| file.place(data_dir).is_file())
}

/// Fetches the files, and puts them in place once all of them are right.
pub(in crate::cli) async fn install(data_dir: &Path) -> Result<(), GraphiqlError> {
    private::create_folder(data_dir)?;
    let part = data_dir.join(format!("graphiql.part{}", std::process::id()));
    let done = install_by(data_dir, &part).await;
    // What is left over after an error is in the way of nothing.
    let _ = std::fs::remove_dir_all(&part);
    done
}

async fn install_by(data_dir: &Path, part: &Path) -> Result<(), GraphiqlError> {
    private::create_folder(part)?;
    let mut packages: Vec<_> = FILES.iter().map(|file| (file.package, file.version)).collect();
    packages.dedup();
    let mut npm = Command::new("npm");
    npm.args(["pack", "--silent", "--fetch-retries=1"]).arg("--pack-destination").arg(part);
    npm.args(packages.iter().map(|(package, version)| format!("{package}@{version}")));
    ended("npm", npm).await?;
    for (package, version) in packages {
        let folder = part.join(package);
        private::create_folder(&folder)?;
        let files = FILES.iter().filter(|file| file.package == package).map(|file| format!("package/{}", file.path));
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(part.join(format!("{package}-{version}.tgz"))).arg("-C").arg(&folder);
        ended("tar", {
            tar.arg("--strip-components=1").args(files);
            tar
        })
        .await?;
    }
    for file in &FILES {
        let bytes = std::fs::read(part.join(file.package).join(file.path))?;
        if lower_hex(&Sha256::digest(&bytes)) != file.sha256 {
            return Err(GraphiqlError::Differs(file.path));
        }
    }
    for file in &FILES {
        let place = file.place(data_dir);
        private::create_folder(place.parent().unwrap_or(data_dir))?;
        std::fs::rename(part.join(file.package).join(file.path), place)?;
    }
    Ok(())
}

impl File {
    fn place(&self, data_dir: &Path) -> PathBuf {
        data_dir.join(GRAPHIQL_FOLDER).join(self.package).join(self.path)
    }
}

/// Waits for a program that must succeed.
async fn ended(name: &'static str, mut command: Command) -> Result<(), GraphiqlError> {
    command.stdin(Stdio::null()).kill_on_drop(true).process_group(0);
    let finished =
        timeout(limits::GRAPHIQL_INSTALL, command.output()).await.map_err(|_| GraphiqlError::TooSlow(name))?;
    let Finished { status, stdout, stderr } = finished.map_err(|error| GraphiqlError::Missing(name, error))?;
    if status.success() {
        return Ok(());
    }
    let said = [stderr, stdout].map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    let said = said.into_iter().find(|text| !text.is_empty()).unwrap_or_else(|| status.to_string());
    Err(GraphiqlError::Failed { program: name, said })
}
