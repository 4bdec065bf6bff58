//! Fetches GraphiQL with npm into DATA_DIR. The versions are pinned, and each file by its SHA-256. `npm pack` fetches a package
//! without its dependencies and runs none of its scripts.

use std::io::{self, Write as _};
use std::path::Path;

use bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tokio::process::Command;
use tokio::time::timeout;

use crate::base::{limits, lower_hex, private};

const FETCH: &str = "set -e
npm pack --silent --fetch-retries=1 graphiql@4.1.2 react@18.3.1 react-dom@18.3.1
tar -xzf graphiql-4.1.2.tgz --strip-components=1 package/graphiql.min.css package/graphiql.min.js
tar -xzf react-18.3.1.tgz --strip-components=2 package/umd/react.production.min.js
tar -xzf react-dom-18.3.1.tgz --strip-components=2 package/umd/react-dom.production.min.js
rm *.tgz";

/// Name and SHA-256, in the order in which a page loads them.
const FILES: [(&str, &str); 4] = [
    ("graphiql.min.css", "30487e07635d312a63f647b140d37740a73c53332b0975bf4b1fe985ca6ec885"),
    ("react.production.min.js", "d949f1c3687aedadcedac85261865f29b17cd273997e7f6b2bfc53b2f9d4c4dd"),
    ("react-dom.production.min.js", "35f4f974f4b2bcd44da73963347f8952e341f83909e4498227d4e26b98f66f0d"),
    ("graphiql.min.js", "867226ba8af5ce7949903fc53932f78dac9f4bfc6cc8da0fd3869b8bc6c5256b"),
];

/// Why GraphiQL is not there.
#[derive(Debug, thiserror::Error)]
pub(super) enum GraphiqlError {
    #[error("npm, or tar, failed: {0}")]
    Failed(String),
    #[error("a file of npm is not the one that this release was tested with")]
    Differs,
    #[error("the folder graphiql in DATA_DIR cannot be used")]
    Folder(#[from] io::Error),
}

/// Returns the files, which are fetched unless an earlier demo did.
pub(super) async fn files(data_dir: &Path) -> Result<Vec<(&'static str, Bytes)>, GraphiqlError> {
    let folder = data_dir.join("graphiql");
    private::create_folder(&folder)?;
    if let Some(files) = read(&folder) {
        return Ok(files);
    }
    // A closed stderr loses the line.
    let _ = writeln!(io::stderr(), "Fetching GraphiQL with npm, once; the demo works meanwhile.");
    let mut fetch = Command::new("sh");
    fetch.args(["-c", FETCH]).current_dir(&folder).kill_on_drop(true).process_group(0);
    let ended = timeout(limits::GRAPHIQL_INSTALL, fetch.output()).await.map_err(io::Error::from)??;
    if !ended.status.success() {
        return Err(GraphiqlError::Failed(String::from_utf8_lossy(&ended.stderr).trim().to_owned()));
    }
    read(&folder).ok_or(GraphiqlError::Differs)
}

/// Reads the files; `None` if one is missing or another one.
fn read(folder: &Path) -> Option<Vec<(&'static str, Bytes)>> {
    let files = FILES.into_iter().map(|(name, sha256)| {
        let bytes = std::fs::read(folder.join(name)).ok()?;
        (lower_hex(&Sha256::digest(&bytes)) == sha256).then_some((name, bytes.into()))
    });
    files.collect()
}
