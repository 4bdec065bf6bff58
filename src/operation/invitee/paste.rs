//! Parses pasted lines with one person each, as address books, mails and spreadsheets write them (decisions S6).
//!
//! Accepts `Jan Jansen <jan@voorbeeld.nl>`, `"Jansen, Jan" <jan@…>`, `Jan Jansen, jan@…`, `Jan Jansen; jan@…`, columns
//! separated by a tab, the address first or last, `mailto:jan@…`, and an address alone, which is then the name too.

use std::collections::HashSet;
use std::str::FromStr as _;

use email_address::EmailAddress;

use super::NewInvitee;
use crate::base::limits;
use crate::model::{NameFault, is_hidden};

/// A line that is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedLine {
    /// From 1.
    pub number: usize,
    pub person: Result<NewInvitee, LineProblem>,
}

/// A mistake in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProblem {
    NoAddress,
    AddressInvalid,
    SeveralAddresses,
    NameTooLong,
    Name(NameFault),
    /// An earlier line has this address.
    Repeated,
}

/// Parses pasted lines; empty ones are skipped.
pub fn read_lines(text: &str) -> Vec<PastedLine> {
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '\u{feff}'));
        if line.is_empty() {
            continue;
        }
        let person = read_line(line).and_then(|person| {
            let email = person.email.as_deref().unwrap_or_default().to_lowercase();
            if seen.insert(email) { Ok(person) } else { Err(LineProblem::Repeated) }
        });
        lines.push(PastedLine { number: index + 1, person });
    }
    lines
}

/// Whether mail can be sent to the address.
pub fn is_email(text: &str) -> bool {
    let domain = text.rsplit_once('@').map_or("", |(_, domain)| domain);
    text.chars().count() <= limits::EMAIL_CHARS_MAX
        && !text.chars().any(is_hidden)
        && domain.contains('.')
        && EmailAddress::from_str(text).is_ok()
}

fn read_line(line: &str) -> Result<NewInvitee, LineProblem> {
    // The address is the part with the @, without the marks around it.
    let around = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | '"' | '|');
    let mut addresses = line.split(around).filter(|part| part.contains('@'));
    let found = addresses.next().ok_or(LineProblem::NoAddress)?;
    if addresses.next().is_some() {
        return Err(LineProblem::SeveralAddresses);
    }
    let email = found.trim_start_matches("mailto:").trim_matches(|c| matches!(c, '\'' | '.' | ':'));
    if !is_email(email) {
        return Err(LineProblem::AddressInvalid);
    }
    let start = line.find(found).unwrap_or_default();
    let name = name_of(&line[..start], &line[start + found.len()..]);
    if let Some(fault) = NameFault::of(&name) {
        return Err(LineProblem::Name(fault));
    }
    let name = if name.is_empty() { email.to_owned() } else { name };
    if name.chars().count() > limits::NAME_CHARS_MAX {
        return Err(LineProblem::NameTooLong);
    }
    Ok(NewInvitee { name, email: Some(email.to_owned()) })
}

/// The name next to an address: the text before it, or else after it, without the marks around it.
fn name_of(before: &str, behind: &str) -> String {
    let clean = |part: &str| {
        let marks = |c: char| {
            c.is_whitespace()
                || matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | ',' | ';' | '"' | '|' | '\'' | ':' | '-')
        };
        let words = part.trim_matches(marks).replace(['\t', ';', '|'], " ").replace('"', "");
        words.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let (first, second) = (clean(before), clean(behind));
    if first.is_empty() { second } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Result<(String, String), LineProblem> {
        let mut lines = read_lines(line);
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
        assert_eq!(one("\"Vries, Jan de\" <jan@voorbeeld.nl>").unwrap().0, "Vries, Jan de");
        assert_eq!(one("jan@voorbeeld.nl").unwrap().0, "jan@voorbeeld.nl");
        assert_eq!(one("jan@www.voorbeeld.nl").unwrap().0, "jan@www.voorbeeld.nl");
        assert_eq!(one("יעקב כהן <jan@voorbeeld.nl>").unwrap().0, "יעקב כהן");
        assert_eq!(one("Zoë & Noortje 🌷 <zoë@voorbeeld.nl>").unwrap().0, "Zoë & Noortje 🌷");
        assert_eq!(one("Anne-Marie van 't Hof anne-marie@voorbeeld.nl").unwrap().0, "Anne-Marie van 't Hof");
    }

    #[test]
    fn line_that_cannot_be_used_says_why() {
        for (line, problem) in [
            ("Jan de Vries", LineProblem::NoAddress),
            ("Jan <jan@voorbeeld>", LineProblem::AddressInvalid),
            ("Jan <@voorbeeld.nl>", LineProblem::AddressInvalid),
            ("Jan jan@@voorbeeld.nl", LineProblem::AddressInvalid),
            ("Jan <jan@voorbeeld..nl>", LineProblem::AddressInvalid),
            ("jan@voorbeeld.nl, piet@voorbeeld.nl", LineProblem::SeveralAddresses),
            (&format!("{} <jan@voorbeeld.nl>", "J".repeat(256)), LineProblem::NameTooLong),
            ("Jan\u{202e}tne <jan@voorbeeld.nl>", LineProblem::Name(NameFault::Character)),
            ("Jan\u{b}Bcc: x <jan@voorbeeld.nl>", LineProblem::Name(NameFault::Character)),
            ("Betaal via https://x.example <jan@voorbeeld.nl>", LineProblem::Name(NameFault::HttpUrl)),
            ("jan@voorbeeld.nl, zie www.x.example", LineProblem::Name(NameFault::HttpUrl)),
            ("Jan <ja\u{200b}n@voorbeeld.nl>", LineProblem::AddressInvalid),
        ] {
            assert_eq!(one(line), Err(problem), "{line:?}");
        }
    }

    #[test]
    fn lines_are_numbered_and_repetitions_are_reported() {
        let lines =
            read_lines("Aal <aal@voorbeeld.nl>\r\n\r\n  \nonleesbaar\nAal <AAL@voorbeeld.nl>\nBep <bep@voorbeeld.nl>");
        let told: Vec<_> = lines.iter().map(|line| (line.number, line.person.as_ref().err().copied())).collect();
        assert_eq!(told, [(1, None), (4, Some(LineProblem::NoAddress)), (5, Some(LineProblem::Repeated)), (6, None)]);
    }
}
