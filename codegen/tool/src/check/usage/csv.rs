//! The CSV form of the export (RFC 4180, without line breaks inside a field).

use super::{UsageError, Use};

const COLUMNS: &str = "partner,keyMode,version,day,coordinate,count";

/// Parses the first and the last counted day, and the rows.
pub(super) fn parse(text: &str) -> Result<(String, String, Vec<Use>), UsageError> {
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line)).filter(|(_, line)| !line.is_empty());
    let days = lines.next().and_then(|(_, line)| line.strip_prefix("# from ")?.split_once(" to "));
    let (from, to) = days.ok_or(UsageError::Csv(1, "expected `# from 2026-10-22 to 2026-11-20`"))?;
    match lines.next() {
        Some((_, COLUMNS)) => {}
        _ => return Err(UsageError::Csv(2, "expected the columns partner,keyMode,version,day,coordinate,count")),
    }
    let mut uses = vec![];
    for (number, line) in lines {
        let fields = fields(line).ok_or(UsageError::Csv(number, "a quotation mark is not closed"))?;
        let [partner, key_mode, version, day, coordinate, count] =
            <[String; 6]>::try_from(fields).map_err(|_| UsageError::Csv(number, "expected six fields"))?;
        let count = count.parse().map_err(|_| UsageError::Csv(number, "the count is no number"))?;
        uses.push(Use { partner, key_mode, version, day, coordinate, count });
    }
    Ok((from.to_owned(), to.trim().to_owned(), uses))
}

/// Splits a line into fields; `None` if a quotation mark is not closed.
fn fields(line: &str) -> Option<Vec<String>> {
    let (mut fields, mut field, mut quoted) = (vec![], String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    (!quoted).then_some(fields)
}
