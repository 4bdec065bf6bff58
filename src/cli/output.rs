//! The result of a command on stdout: text for people, or one JSON object with `--json`. Neither holds a character that a
//! terminal would obey.

use std::io;
use std::io::Write;

use serde_json::Value;

use super::failure::CliFailure;
use super::progress::ShownProgress;
use crate::base::{Progress, is_hidden};

/// How to print a result.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    pub json: bool,
    /// The name of the database that the command changes; `None` for a command that only reads.
    pub database: Option<&'static str>,
    pub shown_progress: &'static ShownProgress,
}

impl Output {
    /// Names the database that the command changes.
    pub(super) fn of_database(self, name: String) -> Self {
        // A process runs one command, so the leak is bounded.
        Self { database: Some(Box::leak(name.into_boxed_str())), ..self }
    }

    /// Returns the progress of the command, which the terminal or the log shows.
    pub(super) fn progress(self) -> &'static Progress {
        &self.shown_progress.progress
    }

    /// Prints the object with `--json`, otherwise the text. A change also names its database, in the object or on stderr.
    pub(super) fn show(self, object: &Value, text: impl FnOnce() -> String) -> Result<(), CliFailure> {
        self.show_safe(object, || escape(&text()))
    }

    /// The same for a text that holds colours, or a script: its parts are escaped where they must be.
    pub(super) fn show_safe(self, object: &Value, text: impl FnOnce() -> String) -> Result<(), CliFailure> {
        let line = match self.database {
            _ if !self.json => text(),
            None => escape_json(&object.to_string()),
            Some(database) => escape_json(&with_database(object, database).to_string()),
        };
        self.shown_progress.clear();
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{}", line.trim_end_matches('\n')).and_then(|()| out.flush());
        match written {
            // The reader closed the pipe, as in `key list | head -1`.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
        if let Some(database) = self.database.filter(|_| !self.json) {
            // A closed stderr loses the line.
            let _ = writeln!(io::stderr(), "Database: {database}");
        }
        Ok(())
    }
}

/// Returns the object with the member `database`.
fn with_database(object: &Value, database: &str) -> Value {
    let mut object = object.clone();
    object["database"] = database.into();
    object
}

/// Renders objects of `--json` as a table. A column is a field, or a head and a field: `mode | created: createdAt`.
pub(super) fn render_table(columns: &str, objects: &[Value]) -> String {
    let (heads, fields): (Vec<_>, Vec<_>) = names_and_fields(columns).unzip();
    let mut table = Table::new(&heads);
    for object in objects {
        table.rows.push(fields.iter().map(|field| cell(&object[*field])).collect());
    }
    table.render()
}

/// Renders an object of `--json` with a line for each name and field: `Partner: name | Price: price`.
pub(super) fn render_lines(fields: &str, object: &Value) -> String {
    let width = names_and_fields(fields).map(|(name, _)| name.len()).max().unwrap_or_default();
    let line = |(name, field)| format!("{name:<width$}  {}\n", cell(&object[field]));
    names_and_fields(fields).map(line).collect()
}

fn names_and_fields(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(" | ").map(|part| part.split_once(": ").unwrap_or((part, part)))
}

/// A value on one line; a missing or empty one is a hyphen, so that scripts can split the columns.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::Bool(is_so) => (if *is_so { "yes" } else { "no" }).to_owned(),
        Value::String(text) => one_line(text),
        Value::Array(items) => items.iter().map(cell).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    if text.is_empty() { "-".to_owned() } else { text }
}

/// A table that is being built.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        Self { rows: vec![heads.iter().map(|head| head.to_uppercase()).collect()] }
    }

    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().map(|text| cell(&text.into())).collect());
    }

    pub(super) fn render(&self) -> String {
        let columns = self.rows[0].len();
        let width = |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                line.push_str(&format!("{cell:<width$}  "));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A value on one line: its control and format characters are escaped, line breaks too.
pub(super) fn one_line(value: &str) -> String {
    value.chars().map(|c| if is_hidden(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// A text of several lines, of which only the line breaks are not escaped: LF, and CR LF of CSV.
pub(super) fn escape(text: &str) -> String {
    let ending = |line: &str| line.strip_suffix('\r').map_or_else(|| one_line(line), |line| one_line(line) + "\r");
    text.split('\n').map(ending).collect::<Vec<_>>().join("\n")
}

/// JSON with the escapes of RFC 8259, section 7, for the characters that [`one_line`] escapes: they are in its strings only.
pub(super) fn escape_json(json: &str) -> String {
    let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
    json.chars().map(|c| if is_hidden(c) { units(c) } else { c.to_string() }).collect()
}

/// Rows as CSV (RFC 4180). A cell that a spreadsheet would read as a formula gets an apostrophe, because names come from
/// families.
pub(super) fn csv<const N: usize>(rows: &[[String; N]]) -> String {
    let cell = |text: &String| {
        let text = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.clone() };
        let quoted = text.contains([',', '"', '\n', '\r']);
        if quoted { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\r\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_csv_are_quoted_where_they_must_and_are_no_formulas() {
        let rows = [["a, \"b\"".to_owned(), "=1+1".to_owned()], ["één".to_owned(), String::new()]];
        assert_eq!(csv(&rows), "\"a, \"\"b\"\"\",'=1+1\r\néén,\r\n");
    }

    #[test]
    fn hidden_characters_are_escaped_and_line_breaks_of_a_text_kept() {
        let value = "a\u{1b}[2K\r\nCard\u{202e}\u{9b}é\u{e0041}";
        assert_eq!(one_line(value), "a\\u{1b}[2K\\u{d}\\u{a}Card\\u{202e}\\u{9b}é\\u{e0041}");
        assert_eq!(escape("a,b\r\nc\rd\u{1b}\n"), "a,b\r\nc\\u{d}d\\u{1b}\n");
        let json = serde_json::to_string(value).expect("a text");
        assert_eq!(escape_json(&json), r#""a\u001b[2K\r\nCard\u202e\u009bé\udb40\udc41""#);
        assert_eq!(serde_json::from_str::<String>(&escape_json(&json)).expect("JSON"), value);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["name", "mode"]);
        table.row(["Uitvaartzorg Één".to_owned(), "live".to_owned()]);
        table.row(["B".to_owned(), String::new()]);
        assert_eq!(table.render(), "NAME              MODE\nUitvaartzorg Één  live\nB                 -\n");
    }
}
