//! Test cases in text files, several a file, by subject; read by the tests `diagnostic`, and `change` and `lint` of the crate
//! `dated_graphql_tool`.
//!
//! A case starts with `=== <name>`; each of its sections starts with `--- <section>`. The section `expected` is the text
//! that a test compares. Where the folder has a `base.graphql`, the other sections are patches of it: hunks of lines that
//! start with a blank (context), `-` (removed) or `+` (added), with a line `@@` between them. The removed lines and the
//! context of a hunk are in the base exactly once. `conformance/schema_change_reference/cases.mjs` reads the same format.

#![allow(clippy::disallowed_methods)] // UPDATE_GOLDEN is read from the environment

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use dated_graphql_schema::Span;

pub(crate) struct Case {
    pub name: String,
    /// Name and text of each section.
    sections: Vec<(String, String)>,
}

/// The cases of a folder.
pub(crate) struct Cases {
    base: Option<String>,
    files: Vec<(PathBuf, Vec<Case>)>,
}

impl Cases {
    /// Reads the cases of `tests/<folder>`.
    pub(crate) fn read(folder: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
        let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
        let files = files.map(|path| (path.clone(), parse(&fs::read_to_string(path).unwrap()))).collect();
        Self { base: fs::read_to_string(folder.join("base.graphql")).ok(), files }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Case> {
        self.files.iter().flat_map(|(_, cases)| cases)
    }

    /// Returns the names of the cases, each of which is used once.
    pub(crate) fn names(&self) -> BTreeSet<String> {
        let names: BTreeSet<String> = self.iter().map(|case| case.name.clone()).collect();
        assert_eq!(names.len(), self.iter().count(), "two cases have one name");
        names
    }

    /// Returns the schema of a section: the base with the section's patch, or the section itself where there is no base.
    pub(crate) fn schema(&self, case: &Case, section: &str) -> String {
        match &self.base {
            Some(base) => patched(base, case.section(section).unwrap_or_default(), &case.name),
            None => case.section(section).expect("a section").to_owned(),
        }
    }

    /// Compares the section `expected` of each case with what `found` returns. `UPDATE_GOLDEN=1` rewrites the section.
    pub(crate) fn compare(mut self, found: impl Fn(&Self, &Case) -> String) {
        let found: Vec<String> = self.iter().map(|case| found(&self, case)).collect();
        let mut found = found.into_iter();
        let mut different = vec![];
        for (path, cases) in &mut self.files {
            for (case, found) in cases.iter_mut().zip(&mut found) {
                if case.section("expected") != Some(&found) {
                    different.push(format!("{} should be:\n{found}", case.name));
                    case.sections.retain(|(section, _)| section != "expected");
                    case.sections.push(("expected".to_owned(), found));
                }
            }
            if env::var_os("UPDATE_GOLDEN").is_some() {
                fs::write(path, cases.iter().map(Case::text).collect::<String>()).unwrap();
                different.clear();
            }
        }
        assert!(different.is_empty(), "run with UPDATE_GOLDEN=1 and read the difference:\n{}", different.join("\n"));
    }
}

impl Case {
    fn section(&self, name: &str) -> Option<&str> {
        self.sections.iter().find(|(section, _)| section == name).map(|(_, text)| &**text)
    }

    /// Returns the case as it is written in its file.
    fn text(&self) -> String {
        let sections = self.sections.iter().map(|(section, text)| format!("--- {section}\n{text}"));
        format!("=== {}\n{}", self.name, sections.collect::<String>())
    }
}

/// Returns the text of a span and its label on one line: "`Book`: the first one".
pub(crate) fn marked(source: &str, span: Span, label: &str) -> String {
    let text = source.get(span.start..span.end).expect("a span in the text").replace('\n', "\\n");
    format!("`{text}`: {label}\n")
}

fn parse(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = vec![];
    for line in text.split_inclusive('\n') {
        if let Some(name) = line.strip_prefix("=== ") {
            cases.push(Case { name: name.trim_end().to_owned(), sections: vec![] });
            continue;
        }
        let sections = &mut cases.last_mut().expect("a file starts with `===`").sections;
        match line.strip_prefix("--- ") {
            Some(section) => sections.push((section.trim_end().to_owned(), String::new())),
            None => sections.last_mut().expect("a case starts with `---`").1.push_str(line),
        }
    }
    cases
}

/// Applies the hunks of a patch to a text.
fn patched(base: &str, patch: &str, case: &str) -> String {
    let mut text = format!("\n{base}");
    for hunk in patch.split("@@\n").filter(|hunk| !hunk.is_empty()) {
        let side = |sign: char| -> String {
            let lines = hunk.lines().filter(|line| line.starts_with([' ', sign]));
            lines.fold("\n".to_owned(), |side, line| side + &line[1..] + "\n")
        };
        let (before, after) = (side('-'), side('+'));
        assert_eq!(text.matches(&before).count(), 1, "{case}: these lines are not in the base exactly once:{before}");
        text = text.replace(&before, &after);
    }
    text.split_off(1)
}
