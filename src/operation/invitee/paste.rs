//! Parses pasted lines, as address books, mails and spreadsheets write them, with one person each (decisions S6).
//!
//! Accepts `Jan Jansen <jan@voorbeeld.nl>`, `"Jansen, Jan" <jan@…>`, `Jan Jansen, jan@…`, `Jan Jansen; jan@…`, columns
//! separated by a tab, the address first or last, `mailto:jan@…`, an address alone, which is then the name too, and a name
//! alone. A line with several people is split where each part has an address, as in the recipients of a mail. Numbers and
//! bullets of a list are left out, and so is the line with the titles of columns.
//!
//! Reads each character a fixed number of times, whatever the text: it runs on the threads of the requests.

use std::collections::HashSet;

use super::NewInvitee;
use crate::base::{email_address, limits, trim_invisible};
use crate::model::{clean_name, has_web_address};

/// A person on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedLine {
    /// From 1.
    pub number: usize,
    /// The pasted text about this person.
    pub content: String,
    pub person: Result<NewInvitee, LineProblem>,
}

/// A mistake in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProblem {
    /// Neither a name nor an address.
    Empty,
    AddressInvalid,
    SeveralAddresses,
    TooLong,
    NameTooLong,
    NameWebAddress,
    /// An earlier line has this address.
    Repeated,
}

/// Parses pasted lines; empty ones and titles of columns are skipped. Returns `None` for more than
/// [`limits::PASTED_LINES_MAX`] lines or people.
pub fn read_lines(text: &str) -> Option<Vec<PastedLine>> {
    if text.lines().count() > limits::PASTED_LINES_MAX {
        return None;
    }
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = without_mark(trim_part(line));
        if line.is_empty() || is_title(line) {
            continue;
        }
        for part in people(line) {
            let person = read_line(part).and_then(|person| match &person.email {
                Some(email) if !seen.insert(email.to_lowercase()) => Err(LineProblem::Repeated),
                _ => Ok(person),
            });
            if lines.len() == limits::PASTED_LINES_MAX {
                return None;
            }
            lines.push(PastedLine { number: index + 1, content: part.to_owned(), person });
        }
    }
    Some(lines)
}

fn trim_part(part: &str) -> &str {
    part.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '\u{feff}'))
}

/// Removes the number or the bullet of a list.
fn without_mark(line: &str) -> &str {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    let rest = match digits {
        1..=3 => line[digits..].strip_prefix(['.', ')', '\t']),
        _ => line.strip_prefix(['-', '–', '*', '•', '·', '▪']),
    };
    match rest {
        Some(rest) if rest.starts_with(char::is_whitespace) || line[digits..].starts_with('\t') => rest.trim_start(),
        _ => line,
    }
}

/// Whether a line holds the titles of columns.
fn is_title(line: &str) -> bool {
    const TITLES: [&str; 9] =
        ["naam", "voornaam", "achternaam", "e-mail", "email", "mail", "e-mailadres", "emailadres", "e-mail-adres"];
    let is_title = |cell: &str| TITLES.contains(&cell.trim_matches(['"', ' ']).to_lowercase().as_str());
    line.split([';', ',', '\t', '|']).all(is_title)
}

/// Splits a line with several people, if each part has an address.
fn people(line: &str) -> Vec<&str> {
    for separator in [';', ','] {
        let mut is_quoted = false;
        let parts = line.split(|c| {
            is_quoted ^= c == '"';
            c == separator && !is_quoted
        });
        let parts: Vec<_> = parts.map(trim_part).filter(|part| !part.is_empty()).collect();
        if parts.len() > 1 && parts.iter().all(|part| part.contains('@')) {
            return parts;
        }
    }
    vec![line]
}

/// Returns the address in a `mailto:` URL, without its headers (RFC 6068, section 2); another text as it is.
fn without_mailto(text: &str) -> &str {
    const SCHEME: &str = "mailto:";
    match text.split_at_checked(SCHEME.len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(SCHEME) => rest.split('?').next().unwrap_or(rest),
        _ => text,
    }
}

fn read_line(line: &str) -> Result<NewInvitee, LineProblem> {
    if line.chars().count() > limits::PASTED_LINE_CHARS_MAX {
        return Err(LineProblem::TooLong);
    }
    // The address is the part with the @, without the marks around it.
    let around = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | '"' | '|');
    let mut addresses = line.split(around).filter(|part| part.contains('@'));
    let Some(found) = addresses.next() else {
        let name = name_of(line, "");
        return if name.contains(char::is_alphabetic) && !line.contains('<') {
            person(name, None)
        } else {
            Err(LineProblem::Empty)
        };
    };
    if addresses.next().is_some() {
        return Err(LineProblem::SeveralAddresses);
    }
    let bare = trim_invisible(found).trim_matches(|c| matches!(c, '\'' | '.' | ':'));
    let Some(email) = email_address::parse(without_mailto(bare)) else { return Err(LineProblem::AddressInvalid) };
    let start = line.find(found).unwrap_or_default();
    let name = name_of(&line[..start], &line[start + found.len()..]);
    person(name, Some(email.to_owned()))
}

/// An address alone is the name too.
fn person(name: String, email: Option<String>) -> Result<NewInvitee, LineProblem> {
    let name = clean_name(&name);
    if name.chars().count() > limits::NAME_CHARS_MAX {
        return Err(LineProblem::NameTooLong);
    }
    if has_web_address(&name) {
        return Err(LineProblem::NameWebAddress);
    }
    let name = if name.is_empty() { email.clone().unwrap_or_default() } else { name };
    Ok(NewInvitee { name, email })
}

/// The name next to an address: the text before it, or else after it.
fn name_of(before: &str, behind: &str) -> String {
    let first = clean(before);
    if first.is_empty() { clean(behind) } else { first }
}

/// Returns the name in a part of a line, without the marks around it, tags and unpaired brackets. A name with its last part
/// first, as address books write it in quotes, is turned round.
fn clean(part: &str) -> String {
    let name = without_tags(part);
    let is_quoted = name.contains('"');
    let marks = |c: char| c.is_whitespace() || matches!(c, '>' | ',' | ';' | '"' | '|' | '\'' | ':' | '-');
    let mut name = name.trim_matches(marks).to_owned();
    for (open, close) in [('(', ')'), ('[', ']')] {
        let count = |mark| name.matches(mark).count();
        if name.starts_with(open) && name.ends_with(close) && count(open) == 1 {
            name = name[1..name.len() - 1].to_owned();
        } else if count(open) != count(close) {
            name = name.replace([open, close], " ");
        }
    }
    let name = name.trim_matches(marks).replace(['\t', ';', '|'], " ").replace('"', "");
    let name = match name.split_once(',') {
        Some((last, first)) if is_quoted && !first.contains(',') => format!("{first} {last}"),
        _ => name,
    };
    name.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Result<(String, String), LineProblem> {
        let mut lines = read_lines(line).expect("few lines");
        assert_eq!(lines.len(), 1, "{line:?}");
        lines.remove(0).person.map(|person| (person.name, person.email.expect("a line has an address")))
    }

    #[test]
    fn name_and_address_are_read_in_every_usual_notation() {
        for line in [
            "Jan de Vries <jan@voorbeeld.nl>",
            "\"Jan de Vries\" <jan@voorbeeld.nl>",
            "Jan de Vries jan@voorbeeld.nl",
            "Jan de Vries, jan@voorbeeld.nl",
            "Jan de Vries;jan@voorbeeld.nl",
            "Jan\tde Vries\tjan@voorbeeld.nl",
            "jan@voorbeeld.nl, Jan de Vries",
            "jan@voorbeeld.nl (Jan de Vries)",
            "jan@voorbeeld.nl;Jan;de Vries",
            "Jan de Vries - jan@voorbeeld.nl",
            "Jan de Vries: jan@voorbeeld.nl,",
            "Jan de Vries [mailto:jan@voorbeeld.nl]",
            "  'Jan de Vries' <jan@voorbeeld.nl>; ",
            "\u{feff}Jan de Vries <jan@voorbeeld.nl>.",
        ] {
            assert_eq!(one(line), Ok(("Jan de Vries".to_owned(), "jan@voorbeeld.nl".to_owned())), "{line:?}");
        }
        assert_eq!(one("\"Vries, Jan de\" <jan@voorbeeld.nl>").unwrap().0, "Jan de Vries");
        assert_eq!(one("1. Karel karel@voorbeeld.nl").unwrap().0, "Karel");
        assert_eq!(one("12)\tKarel\tkarel@voorbeeld.nl").unwrap().0, "Karel");
        assert_eq!(one("• Karel <karel@voorbeeld.nl>").unwrap().0, "Karel");
        assert_eq!(one("- Karel <karel@voorbeeld.nl>").unwrap().0, "Karel");
        assert_eq!(one("Zoë (vriendin van mama) zoe@voorbeeld.nl").unwrap().0, "Zoë (vriendin van mama)");
        assert_eq!(one("Zoë vriendin van mama) zoe@voorbeeld.nl").unwrap().0, "Zoë vriendin van mama");
        assert_eq!(one("<b>Hans</b> hans@voorbeeld.nl").unwrap().0, "Hans");
        assert_eq!(one("Jan, Piet en Kees <jan@voorbeeld.nl>").unwrap().0, "Jan, Piet en Kees");
        assert_eq!(one("Jan\u{202e}tne\u{b}sr. <jan@voorbeeld.nl>").unwrap().0, "Jantne sr.");
        assert_eq!(one("jan@voorbeeld.nl").unwrap().0, "jan@voorbeeld.nl");
        assert_eq!(one("jan@www.voorbeeld.nl").unwrap().0, "jan@www.voorbeeld.nl");
        assert_eq!(one("o!k@voorbeeld.nl").unwrap().0, "o!k@voorbeeld.nl");
        assert_eq!(one("יעקב כהן <jan@voorbeeld.nl>").unwrap().0, "יעקב כהן");
        assert_eq!(one("Zoë & Noortje 🌷 <zoe@voorbeeld.nl>").unwrap().0, "Zoë & Noortje 🌷");
        for line in [
            "mailto:jan@voorbeeld.nl?subject=hoi",
            "MAILTO:jan@voorbeeld.nl",
            "<mailto:jan@voorbeeld.nl?subject=hoi&body=dag>",
            "<\u{202a}jan@voorbeeld.nl\u{202c}>",
            "jan@voorbeeld.nl\u{200b}",
        ] {
            assert_eq!(one(line).unwrap().1, "jan@voorbeeld.nl", "{line:?}");
        }
        assert_eq!(one("Jan <jan@münchen.de>").unwrap().1, "jan@münchen.de");
        assert_eq!(one("Anne-Marie van 't Hof anne-marie@voorbeeld.nl").unwrap().0, "Anne-Marie van 't Hof");
    }

    #[test]
    fn line_that_cannot_be_used_says_why() {
        for (line, problem) in [
            ("<script>alert(1)</script>", LineProblem::Empty),
            ("12-11-2026", LineProblem::Empty),
            ("Jan <jan@voorbeeld>", LineProblem::AddressInvalid),
            ("Jan <@voorbeeld.nl>", LineProblem::AddressInvalid),
            ("Jan jan@@voorbeeld.nl", LineProblem::AddressInvalid),
            ("Jan <jan@voorbeeld..nl>", LineProblem::AddressInvalid),
            ("jan@voorbeeld.nl piet@voorbeeld.nl", LineProblem::SeveralAddresses),
            (&format!("{} <jan@voorbeeld.nl>", "J".repeat(256)), LineProblem::NameTooLong),
            (&format!("{} <jan@voorbeeld.nl>", "J".repeat(limits::PASTED_LINE_CHARS_MAX)), LineProblem::TooLong),
            ("Betaal via https://x.example <jan@voorbeeld.nl>", LineProblem::NameWebAddress),
            ("jan@voorbeeld.nl, zie www.x.example", LineProblem::NameWebAddress),
            ("Jan <ja\u{200b}n@voorbeeld.nl>", LineProblem::AddressInvalid),
            ("Zoë <zoë@voorbeeld.nl>", LineProblem::AddressInvalid),
            ("Jan <jan@voorbeeld.nl?subject=hoi>", LineProblem::AddressInvalid),
            ("Jan <jan@voor_beeld.nl>", LineProblem::AddressInvalid),
        ] {
            assert_eq!(one(line), Err(problem), "{line:?}");
        }
    }

    #[test]
    fn lines_are_numbered_and_repetitions_are_reported() {
        let text = "Aal <aal@voorbeeld.nl>\r\n\r\n  \n???\nAal <AAL@voorbeeld.nl>\nBep <bep@voorbeeld.nl>";
        let lines = read_lines(text).expect("few lines");
        let report: Vec<_> = lines.iter().map(|line| (line.number, line.person.as_ref().err().copied())).collect();
        assert_eq!(report, [(1, None), (4, Some(LineProblem::Empty)), (5, Some(LineProblem::Repeated)), (6, None)]);
    }

    #[test]
    fn recipients_of_a_mail_are_split_titles_skipped_and_names_alone_taken() {
        let read = |text: &str| {
            let people = read_lines(text).expect("few lines").into_iter().map(|line| line.person.expect("a person"));
            people.map(|person| (person.name, person.email.unwrap_or_default())).collect::<Vec<_>>()
        };
        let two = [("Jan".to_owned(), "a@voorbeeld.nl".to_owned()), ("Kim".to_owned(), "b@voorbeeld.nl".to_owned())];
        for text in [
            "Jan <a@voorbeeld.nl>; Kim <b@voorbeeld.nl>",
            "Jan <a@voorbeeld.nl>, Kim <b@voorbeeld.nl>,",
            "Jan, a@voorbeeld.nl; Kim, b@voorbeeld.nl",
            "Naam;E-mailadres\nJan;a@voorbeeld.nl\nKim;b@voorbeeld.nl",
        ] {
            assert_eq!(read(text), two, "{text}");
        }
        assert_eq!(read("\"Boer, Piet de\" <a@voorbeeld.nl>, \"Vries, Jan\" <b@voorbeeld.nl>")[0].0, "Piet de Boer");
        assert_eq!(
            read("Oma Truus\nOma Truus"),
            [("Oma Truus".to_owned(), String::new()), ("Oma Truus".to_owned(), String::new())]
        );
    }

    #[test]
    fn tags_are_removed_and_marks_without_an_end_too() {
        for (part, text) in [
            ("<b>Hans</b> Jansen", "Hans Jansen"),
            ("Hans <", "Hans "),
            ("<<b> Hans < Jansen <", " Hans  Jansen "),
            (">Hans", ">Hans"),
        ] {
            assert_eq!(without_tags(part), text, "{part}");
        }
    }

    #[test]
    fn more_lines_or_people_than_the_maximum_are_refused() {
        let line = "Jan jan@voorbeeld.nl\n";
        assert_eq!(read_lines(&line.repeat(limits::PASTED_LINES_MAX)).map(|lines| lines.len()), Some(1_000));
        assert_eq!(read_lines(&line.repeat(limits::PASTED_LINES_MAX + 1)), None);
        assert_eq!(read_lines(&"jan@voorbeeld.nl, ".repeat(limits::PASTED_LINES_MAX + 1)), None);
    }
}
