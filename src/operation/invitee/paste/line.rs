//! Reads a line that is not part of a table: `Jan Jansen <jan@voorbeeld.nl>`, `"Jansen, Jan" <jan@…>`, `Jan Jansen, jan@…`, columns
//! with a tab between them, the address first or last, `mailto:jan@…`, an address alone, and a name alone.
//!
//! A line with several people is divided where each part has an address, as in the head of a mail. What programs put before a
//! person is left out: bullets and numbers of lists, `Aan:`, the time of a message, the marks of a quoted mail.

use super::{Found, LeftReason, LineProblem, PastedList, PastedPerson, table};
use crate::base::{limits, trim_invisible};

/// The longest line without an address that can be a name, in words.
const NAME_WORDS_MAX: usize = 8;
/// How many marks may precede a person, such as `> 1. Aan:`.
const MARKS_MAX: usize = 4;
/// The least number of digits of a telephone number.
const PHONE_DIGITS_MIN: usize = 8;

/// Words with which a line begins that is part of a letter.
const SENTENCES: [&str; 15] = [
    "hoi",
    "hallo",
    "beste",
    "lieve",
    "dag",
    "groet",
    "groeten",
    "groetjes",
    "met",
    "mvg",
    "liefs",
    "hartelijke",
    "hi",
    "hello",
    "dear",
];
/// What precedes the people in the head of a mail, and what precedes something else.
const RECIPIENTS: [&str; 8] = ["aan", "van", "cc", "bcc", "to", "from", "reply-to", "antwoord aan"];
const HEADS: [&str; 8] = ["onderwerp", "datum", "verzonden", "subject", "date", "sent", "bijlage", "attachments"];
/// What precedes a telephone number or an address.
const LABELS: [&str; 15] = [
    "e", "m", "t", "tel", "tel.", "telefoon", "mob", "mob.", "mobiel", "phone", "mobile", "thuis", "werk", "home",
    "work",
];

/// Reads a line into people, or leaves it out.
pub(super) fn read(line: &str, number: usize, list: &mut PastedList) {
    let (bare, is_message) = without_marks(line);
    if bare.is_empty() {
        return;
    }
    if table::is_title_row(bare) {
        return list.leave(number, line, LeftReason::Titles);
    }
    for part in people(bare) {
        if part.chars().count() > limits::PASTED_LINE_CHARS_MAX {
            let name = part.chars().take(limits::NAME_CHARS_MAX).collect();
            let problem = Some(LineProblem::TooLong);
            list.people.push(PastedPerson { line: number, name, email: String::new(), problem });
            continue;
        }
        let found = read_part(part);
        let is_no_name = found.emails.is_empty() && (is_message || is_sentence(line, part));
        match is_no_name || (found.emails.is_empty() && part.contains('@') && found.name.is_empty()) {
            true => list.leave(number, part, LeftReason::NoPerson),
            false => list.add(number, part, found),
        }
    }
}

/// Whether lines are names and addresses in turn.
pub(super) fn are_pairs(lines: &[(usize, &str)]) -> bool {
    let kind = |line: &str| {
        let found = read_part(without_marks(line).0);
        (!found.name.is_empty(), found.emails.len())
    };
    !lines.is_empty()
        && lines.iter().all(|(_, line)| line.chars().count() <= limits::PASTED_LINE_CHARS_MAX)
        && lines.len().is_multiple_of(2)
        && lines
            .chunks(2)
            .all(|pair| pair[1].0 == pair[0].0 + 1 && kind(pair[0].1) == (true, 0) && kind(pair[1].1) == (false, 1))
}

/// Whether a part without an address is a sentence and no name.
fn is_sentence(line: &str, part: &str) -> bool {
    let first = part.split([' ', ',', '!']).next().unwrap_or_default().to_lowercase();
    !part.contains(char::is_alphabetic)
        || line.starts_with("sep=") // of a table that Excel wrote
        || part.contains(['<', '@'])
        || line.trim_end().ends_with(':')
        || part.split(' ').count() > NAME_WORDS_MAX
        || SENTENCES.contains(&first.as_str())
        || part.split_once(':').is_some_and(|(head, _)| HEADS.contains(&head.trim().to_lowercase().as_str()))
}

/// Removes what programs put before a person. Also returns whether the line is a message of a messenger.
fn without_marks(line: &str) -> (&str, bool) {
    let (mut rest, mut is_message) = (trim_part(line), false);
    for _ in 0..MARKS_MAX {
        rest = without_bullet(rest);
        if let Some(message) = without_time(rest) {
            (rest, is_message) = (message, true);
        }
        if let Some((head, behind)) = rest.split_once(':')
            && RECIPIENTS.contains(&head.trim().to_lowercase().as_str())
        {
            rest = behind;
        }
        rest = trim_part(rest);
    }
    (rest, is_message)
}

fn trim_part(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '\u{feff}'))
}

/// Removes the number, the bullet or the box of a list, and the mark of a quoted mail.
fn without_bullet(line: &str) -> &str {
    const BULLETS: [&str; 24] = [
        "- ", "– ", "— ", "* ", "+ ", "> ", ">", "•", "·", "▪", "▫", "‣", "◦", "●", "○", "■", "□", "✓", "✔", "➢", "→",
        "[ ]", "[x]", "~ ",
    ];
    if let Some(rest) = BULLETS.iter().find_map(|bullet| line.strip_prefix(bullet)) {
        return rest;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    match rest.strip_prefix(['.', ')']) {
        Some(rest) if (1..=3).contains(&digits) && rest.starts_with(char::is_whitespace) => rest,
        _ if (1..=3).contains(&digits) && rest.starts_with('\t') => rest,
        _ => line,
    }
}

/// Removes the time of a message: `[20:14, 12-11-2026] `, `12/11/26, 20:14 - `, also with `PM`.
fn without_time(line: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_digit() || " ,:./-[]APMapm".contains(c);
    let end = line.find(|c| !is_part(c)).unwrap_or(line.len());
    // A name may begin with the letters of AM and PM.
    let end = line[..end].rfind([']', '-']).map(|last| last + 1)?;
    let time = &line[..end];
    let digits = time.bytes().filter(u8::is_ascii_digit).count();
    (digits >= 6 && time.contains(':')).then(|| line[end..].trim_start())
}

/// Divides a line with several people, if each part has an address.
fn people(line: &str) -> Vec<&str> {
    if line.split_whitespace().all(|word| word.contains('@')) {
        let words: Vec<_> = line.split_whitespace().map(trim_part).collect();
        if words.len() > 1 && words.iter().all(|word| !word.contains([',', ';', '<'])) {
            return words;
        }
    }
    let ways: [Divides; 3] =
        [|c, before| matches!(c, ',' | ';') && before.trim_end().ends_with('>'), |c, _| c == ';', |c, _| c == ','];
    for divides in ways {
        let parts = divide(line, divides);
        if parts.len() > 1 && parts.iter().all(|part| part.contains('@')) {
            return parts;
        }
    }
    vec![line]
}

/// Whether a part ends at a character, which follows this text.
type Divides = fn(char, &str) -> bool;

/// Divides a line outside quotes.
fn divide(line: &str, divides: Divides) -> Vec<&str> {
    let (mut parts, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (at, c) in line.char_indices() {
        is_quoted ^= c == '"';
        if !is_quoted && divides(c, &line[start..at]) {
            parts.push(&line[start..at]);
            start = at + c.len_utf8();
        }
    }
    parts.push(&line[start..]);
    parts.into_iter().map(trim_part).filter(|part| !part.is_empty()).collect()
}

/// Returns the addresses in a text as they are written, each once: the parts with an @, without the marks around them.
pub(super) fn addresses_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    // An export with several addresses in a cell.
    let first = text.split(" ::: ").next().unwrap_or(text);
    for part in first.split(is_around_address).filter(|part| part.contains('@')) {
        let bare = without_mailto(trim_invisible(part).trim_matches(|c| matches!(c, '\'' | '.' | ':' | '‘' | '’')));
        if !found.iter().any(|known| known.eq_ignore_ascii_case(bare)) {
            found.push(bare.to_owned());
        }
    }
    found
}

fn is_around_address(c: char) -> bool {
    c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | '"' | '|')
}

/// Returns the address in a `mailto:` URL, without its headers (RFC 6068, section 2); another text as it is.
fn without_mailto(text: &str) -> &str {
    const SCHEME: &str = "mailto:";
    match text.split_at_checked(SCHEME.len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(SCHEME) => rest.split('?').next().unwrap_or(rest),
        _ => text,
    }
}

fn read_part(part: &str) -> Found {
    let emails = addresses_in(part);
    let Some(found) = part.split(is_around_address).find(|part| part.contains('@')) else {
        return Found { name: name_in(part), emails };
    };
    let start = part.find(found).unwrap_or_default();
    let before = name_in(&part[..start]);
    let name = if before.is_empty() { name_in(&part[start + found.len()..]) } else { before };
    Found { name, emails }
}

/// Returns the name in the text before or after an address: the cells of a row up to a telephone number or an address.
fn name_in(text: &str) -> String {
    let text = without_tags(text);
    let cells = divide(&text, |c, _| matches!(c, '\t' | ';' | '|'));
    // Columns with commas: each in quotes, or without a blank behind the comma.
    let is_column = |cell: &str| cell.matches('"').count() > 2 || cell.contains(',') && !cell.contains(", ");
    let cells = cells.into_iter().flat_map(|cell| match is_column(cell) {
        true => divide(cell, |c, _| c == ','),
        false => vec![cell],
    });
    let mut names: Vec<String> = Vec::new();
    for cell in cells {
        let name = clean_cell(cell);
        if !name.contains(char::is_alphabetic) || !names.is_empty() && is_place(&name) {
            match names.is_empty() {
                true => continue,
                false => break,
            }
        }
        names.push(name);
    }
    names.join(" ")
}

/// Whether a cell is a street or a postcode with its place.
fn is_place(cell: &str) -> bool {
    let starts = |word: Option<&str>| word.is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let mut words = cell.split(' ');
    starts(words.next()) || starts(words.next_back())
}

/// Returns the name in a cell, without the marks around it, unpaired brackets, a telephone number and a label. A name with its last
/// part first is turned round.
pub(super) fn clean_cell(cell: &str) -> String {
    let is_quoted = cell.contains('"');
    let is_mark = |c: char| {
        c.is_whitespace()
            || matches!(c, '>' | ',' | ';' | '"' | '|' | '\'' | '‘' | '’' | ':' | '-' | '–' | '—' | '=' | '→')
    };
    let mut name = cell.trim_matches(is_mark).to_owned();
    for (open, close) in [('(', ')'), ('[', ']')] {
        let count = |mark| name.matches(mark).count();
        if name.starts_with(open) && name.ends_with(close) && count(open) == 1 {
            name = name[1..name.len() - 1].to_owned();
        } else if count(open) != count(close) {
            name = name.replace([open, close], " ");
        }
    }
    let name = name.replace(['"', '\t'], " ");
    let name = turn_round(name.trim_matches(is_mark), is_quoted);
    let words: Vec<_> = name.split(' ').filter(|word| !word.is_empty()).collect();
    let words = match without_phone(&words) {
        [name @ .., label] if !name.is_empty() && table::is_title_of_addresses(label) => name,
        words => words,
    };
    let is_label = |word: &str| LABELS.contains(&word.trim_end_matches(':').to_lowercase().as_str());
    match words {
        [only] if is_label(only) || table::is_title_row(only) => String::new(),
        words => words.join(" ").trim_matches(is_mark).to_owned(),
    }
}

/// Turns `Vries, Jan de` round: in quotes, as address books write it, or if the part behind the comma begins as a name does.
fn turn_round(name: &str, is_quoted: bool) -> String {
    let is_list = [" en ", " & ", " and "].iter().any(|word| name.contains(word));
    // A remark of an address book: `Vries, Jan de (Utrecht)`.
    if let Some((name, remark)) =
        name.split_once(" (").filter(|(name, remark)| name.contains(',') && remark.ends_with(')'))
    {
        return format!("{} ({remark}", turn_round(name, is_quoted));
    }
    match name.split_once(',') {
        Some((last, first)) if !first.contains(',') && !is_list && !last.trim().is_empty() => {
            let first = first.trim();
            let is_name = is_quoted || first.starts_with(char::is_uppercase);
            if is_name { format!("{first} {}", last.trim()) } else { name.replace(',', " ") }
        }
        _ => name.to_owned(),
    }
}

/// Returns the words before the first telephone number and its label.
fn without_phone<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let is_number = |word: &&str| word.chars().all(|c| c.is_ascii_digit() || "+-()./".contains(c));
    let Some(start) = words.iter().position(is_number) else { return words };
    let run = words[start..].iter().take_while(|word| is_number(word));
    let digits: usize = run.map(|word| word.bytes().filter(u8::is_ascii_digit).count()).sum();
    match digits >= PHONE_DIGITS_MIN {
        false => words,
        true => match words[..start] {
            [ref before @ .., label] if LABELS.contains(&label.trim_end_matches(':').to_lowercase().as_str()) => {
                &words[..before.len()]
            }
            _ => &words[..start],
        },
    }
}

/// Removes `<` up to the next `>`, and a `<` that no `>` follows.
fn without_tags(part: &str) -> String {
    let end = part.rfind('>').map_or(0, |last| last + 1);
    let (mut tagged, rest) = part.split_at(end);
    let mut text = String::with_capacity(part.len());
    while let Some((before, tag)) = tagged.split_once('<') {
        text.push_str(before);
        tagged = tag.split_once('>').map_or("", |(_, behind)| behind);
    }
    text.push_str(tagged);
    text.extend(rest.chars().filter(|c| *c != '<'));
    text
}
