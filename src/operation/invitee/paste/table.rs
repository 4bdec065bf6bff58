//! Reads the rows of a table by its titles, as spreadsheets and address books export them, in Dutch and in English.

use super::line::{self, addresses_in, clean_cell};
use super::{Found, LeftReason, PastedList};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Name,
    First,
    /// What stands between first and last name, such as `van der`.
    Middle,
    Last,
    Email,
    Other,
}

const NAMES: [&str; 11] = [
    "naam",
    "name",
    "volledigenaam",
    "fullname",
    "weergavenaam",
    "displayname",
    "genodigde",
    "namen",
    "fileas",
    "contactpersoon",
    "nameofguest",
];
const FIRST: [&str; 6] = ["voornaam", "voornamen", "roepnaam", "firstname", "givenname", "first"];
const MIDDLE: [&str; 7] =
    ["tussenvoegsel", "tussenvoegsels", "tussenvoeg", "voorvoegsel", "voorvoegsels", "middlename", "additionalname"];
const LAST: [&str; 6] = ["achternaam", "familienaam", "lastname", "familyname", "surname", "last"];
const EMAILS: [&str; 5] = ["email", "mail", "mailadres", "primaryemail", "emailadres"];
/// Titles that stand beside these.
const OTHERS: [&str; 22] = [
    "relatie",
    "telefoon",
    "telefoonnummer",
    "mobiel",
    "mobile",
    "phone",
    "tel",
    "adres",
    "address",
    "straat",
    "postcode",
    "plaats",
    "woonplaats",
    "land",
    "nr",
    "nummer",
    "titel",
    "aanhef",
    "opmerking",
    "opmerkingen",
    "notities",
    "groep",
];

/// Returns what the column with this title holds; `None` if the text is no known title.
fn column_of(title: &str) -> Option<Column> {
    let title: String = title.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let title = title.as_str();
    let is_label = ["label", "type", "soort", "weergavenaam", "displayname"].iter().any(|end| title.ends_with(end));
    match title {
        _ if NAMES.contains(&title) => Some(Column::Name),
        _ if FIRST.contains(&title) => Some(Column::First),
        _ if MIDDLE.contains(&title) => Some(Column::Middle),
        _ if LAST.contains(&title) => Some(Column::Last),
        _ if EMAILS.contains(&title) => Some(Column::Email),
        // `E-mail 1 - Value`, `E-mail Address`, `E-mailadres (privé)`.
        _ if title.starts_with("email") => Some(if is_label { Column::Other } else { Column::Email }),
        _ if OTHERS.contains(&title) => Some(Column::Other),
        _ => None,
    }
}

/// Returns the separator of a row: the one that stands in it most often, outside quotes.
fn separator_of(row: &str) -> u8 {
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0), (b'|', 0)];
    let mut is_quoted = false;
    for byte in row.bytes() {
        is_quoted ^= byte == b'"';
        for (separator, count) in &mut counts {
            *count += usize::from(byte == *separator && !is_quoted);
        }
    }
    // Of equal counts the first separator: a cell holds no tab.
    counts.iter().rev().max_by_key(|(_, count)| *count).map_or(b',', |(separator, _)| *separator)
}

fn cells(row: &str, separator: u8) -> Vec<&str> {
    row.split(char::from(separator)).map(|cell| cell.trim_matches(['"', ' ', '*', ':'])).collect()
}

/// Whether a line holds the titles of columns: a known title alone, or at least two, or one of addresses beside others.
pub(super) fn is_title_row(line: &str) -> bool {
    if line.contains('@') {
        return false;
    }
    let cells = cells(line, separator_of(line));
    let known: Vec<_> = cells.iter().filter_map(|cell| column_of(cell)).collect();
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    match known.len() {
        0 => is_row_of_words(line),
        1 => filled == 1 || known[0] == Column::Email || is_row_of_words(line),
        _ => true,
    }
}

/// Whether a word is the title of a column of addresses.
pub(super) fn is_title_of_addresses(word: &str) -> bool {
    column_of(word) == Some(Column::Email)
}

/// Whether a line is nothing but titles with blanks between them: a table that lost its columns.
fn is_row_of_words(line: &str) -> bool {
    let words: Vec<_> = line.split_whitespace().collect();
    words.len() > 1 && words.iter().all(|word| column_of(word).is_some())
}

/// Reads the rows below a line of titles.
pub(super) fn read(titles: &str, rows: &[(usize, &str)], list: &mut PastedList) {
    let separator = separator_of(titles);
    let columns: Vec<_> =
        cells(titles, separator).iter().map(|title| column_of(title).unwrap_or(Column::Other)).collect();
    // Titles alone on their line, or with blanks between them, say nothing about the rows.
    if columns.len() < 2 {
        for (number, row) in rows {
            line::read(row, *number, list);
        }
        return;
    }
    let text = rows.iter().map(|(_, row)| *row).collect::<Vec<_>>().join("\n");
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    for record in reader.records().flatten() {
        let index = record.position().map_or(0, |position| position.line() as usize - 1);
        let number = rows.get(index).map_or(0, |(number, _)| *number);
        let part = |wanted: Column| {
            let cells = columns.iter().zip(&record).filter(move |(column, _)| **column == wanted);
            cells.map(|(_, cell)| clean_cell(cell)).find(|cell| !cell.is_empty()).unwrap_or_default()
        };
        // A row without columns, or with several people.
        let has_address = |(column, cell): (&Column, &str)| *column == Column::Name && cell.contains('@');
        if record.len() < 2 || columns.iter().zip(&record).any(has_address) {
            line::read(rows.get(index).map_or("", |(_, row)| *row), number, list);
            continue;
        }
        let full = part(Column::Name);
        let name = match full.is_empty() {
            true => [part(Column::First), part(Column::Middle), part(Column::Last)].join(" "),
            false => full,
        };
        let in_columns =
            columns.iter().zip(&record).filter(|(column, _)| **column == Column::Email).map(|(_, cell)| cell);
        // A row with other columns than the titles.
        let email = in_columns.chain(&record).find(|cell| cell.contains('@'));
        let whole = record.iter().filter(|cell| !cell.trim().is_empty()).collect::<Vec<_>>().join(" ");
        let emails = email.map(addresses_in).unwrap_or_default();
        match name.trim().is_empty() && emails.is_empty() {
            true if whole.is_empty() => {}
            true => list.leave(number, &whole, LeftReason::NoPerson),
            false => list.add(number, &whole, Found { name, emails }),
        }
    }
}
