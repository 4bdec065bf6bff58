//! `cargo schema watch`: runs the other commands each time a file of `schema/` changes.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::Project;
use crate::exit::{Exit, Failure};

/// The time between two looks at the folder.
const POLL: Duration = Duration::from_millis(200);

/// Write generated/ and check the schema, now and each time that a file of schema/ changes; stop it with Ctrl-C.
#[derive(clap::Args)]
pub(crate) struct Watch {}

impl Watch {
    pub(crate) fn run(&self, project: &Project) -> Result<Exit, Failure> {
        let root = project.root();
        let mut seen = None;
        loop {
            let state = state(&root.join("schema"))?;
            if seen.as_ref() != Some(&state) {
                seen = Some(state);
                run(&root, "generate")?;
                run(&root, "check")?;
                println!("watching {}", root.join("schema").display());
            }
            thread::sleep(POLL);
        }
    }
}

/// Runs a command in a process of its own, which prints what it finds.
fn run(root: &Path, command: &str) -> io::Result<()> {
    Command::new(env::current_exe()?).arg(command).arg("--root").arg(root).status().map(drop)
}

/// Returns the files of a folder with their times of modification.
fn state(folder: &Path) -> io::Result<Vec<(PathBuf, SystemTime)>> {
    let mut files = vec![];
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // An editor may have removed the file since.
        if let Ok(time) = entry.metadata().and_then(|metadata| metadata.modified()) {
            files.push((entry.path(), time));
        }
    }
    files.sort();
    Ok(files)
}
