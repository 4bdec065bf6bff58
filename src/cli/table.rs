//! Tables for people, with columns as wide as their widest cell, and CSV for spreadsheets.

/// A table that is being built.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&str]) -> Self {
        Self { rows: vec![heads.iter().map(|head| head.to_uppercase()).collect()] }
    }

    /// Adds a row. An empty cell is shown as a hyphen, so that scripts can split the columns.
    pub(super) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into_iter().map(|cell| if cell.is_empty() { "-".to_owned() } else { cell }).collect());
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
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(&["name", "mode"]);
        table.row(["Uitvaartzorg Één".to_owned(), "live".to_owned()]);
        table.row(["B".to_owned(), String::new()]);
        assert_eq!(table.render(), "NAME              MODE\nUitvaartzorg Één  live\nB                 -\n");
    }
}
