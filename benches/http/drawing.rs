//! Draws the rows of a run: the processor time of an answer of the service as a multiple of the hand-written server's, beside the run
//! before. Multiples of two machines can be compared, times cannot.
//!
//! The picture carries its rows as lines of `row database time hand-written` in its description, from which the next run reads them.

use std::fmt::Write as _;
use std::path::Path;

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) database: String,
    /// Microseconds of processor time of an answer, of the service and of the hand-written server.
    pub(crate) ours_us: f64,
    pub(crate) limit_us: f64,
}

impl Row {
    fn multiple(&self) -> f64 {
        self.ours_us / self.limit_us
    }

    fn line(&self) -> String {
        format!("{} {} {:.1} {:.1}", self.name, self.database, self.ours_us, self.limit_us)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let mut word = || words.next();
        let (name, database) = (word()?.to_owned(), word()?.to_owned());
        Some(Self { name, database, ours_us: word()?.parse().ok()?, limit_us: word()?.parse().ok()? })
    }
}

const WIDTH: usize = 760;
/// Where the bars begin, and the width of the longest.
const BARS_X: usize = 240;
const BARS_WIDTH: f64 = 400.0;
const ROW_HEIGHT: usize = 44;
const TOP: usize = 56;

/// Writes the picture of a run over the one of the run before.
pub(crate) fn write(path: &Path, rows: &[Row]) {
    let before = std::fs::read_to_string(path).map(|svg| read(&svg)).unwrap_or_default();
    let svg = draw(rows, &before);
    assert_eq!(read(&svg).iter().map(Row::line).collect::<Vec<_>>(), rows.iter().map(Row::line).collect::<Vec<_>>());
    std::fs::write(path, svg).expect("the picture can be written");
    println!("Wrote {}.", path.display());
}

/// Returns the rows of a picture.
fn read(svg: &str) -> Vec<Row> {
    let description = svg.split_once("<desc>").and_then(|(_, rest)| rest.split_once("</desc>"));
    description.map_or(Vec::new(), |(lines, _)| lines.lines().filter_map(Row::parse).collect())
}

fn draw(rows: &[Row], before: &[Row]) -> String {
    let longest = rows.iter().chain(before).map(Row::multiple).fold(1.0, f64::max);
    let width = |multiple: f64| (multiple / longest * BARS_WIDTH).round();
    let height = TOP + rows.len() * ROW_HEIGHT + 8;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <title>Processor time of an answer, as a multiple of the hand-written server</title>\n<desc>\n"
    );
    for row in rows {
        let _ = writeln!(svg, "{}", row.line()); // a String accepts every write
    }
    svg.push_str(
        "</desc>\n<style>text{fill:#222}.now{fill:#2d5f8b}.before{fill:#a9bccd}.limit{stroke:#b5482a}\
         @media(prefers-color-scheme:dark){text{fill:#ddd}.now{fill:#7fb2dd}.before{fill:#4b6172}.limit{stroke:#ef8f6f}}</style>\n",
    );
    let legend = [("now", "this run"), ("before", "the run before")];
    let shown = if before.is_empty() { 1 } else { 2 };
    for ((class, words), x) in legend.into_iter().take(shown).zip([BARS_X, BARS_X + 110]) {
        let _ = writeln!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"12\" width=\"12\" height=\"12\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"23\">{words}</text>", x + 18);
    }
    let limit_x = BARS_X as f64 + width(1.0);
    let _ =
        writeln!(svg, "<text x=\"{limit_x}\" y=\"46\" text-anchor=\"middle\">hand-written = 1, less is better</text>");
    let _ = writeln!(svg, "<path class=\"limit\" d=\"M{limit_x} 50V{}\" stroke-width=\"2\"/>", height - 8);
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + index * ROW_HEIGHT;
        let _ = writeln!(svg, "<text x=\"8\" y=\"{}\">{}, {}</text>", y + 19, row.name, row.database);
        let earlier = before.iter().find(|one| (&one.name, &one.database) == (&row.name, &row.database));
        for (class, one, y) in [("now", Some(row), y), ("before", earlier, y + 18)] {
            let Some(multiple) = one.map(Row::multiple) else { continue };
            let (bar, y_text) = (width(multiple), y + 13);
            let _ = writeln!(svg, "<rect class=\"{class}\" x=\"{BARS_X}\" y=\"{y}\" width=\"{bar}\" height=\"16\"/>");
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y_text}\">{multiple:.2}</text>", BARS_X as f64 + bar + 6.0);
        }
    }
    svg + "</svg>\n"
}
