//! Reads a pasted list of people, as address books, mails, messengers and spreadsheets write it (decisions S6). Nothing is added:
//! the family checks what was read.
//!
//! - `vcard` reads the cards of an address book.
//! - `table` reads the rows below a line of titles, by their columns.
//! - `line` reads every other line by its marks.
//!
//! Reads each character a fixed number of times, whatever the text: it runs on the threads of the requests.

mod line;
mod table;
#[cfg(test)]
mod tests;
mod vcard;

use std::collections::HashSet;

use super::NewInvitee;
use crate::base::{email_address, is_hidden, limits};
use crate::model::{clean_name, has_web_address};

/// What was read in a pasted list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastedList {
    pub people: Vec<PastedPerson>,
    /// The lines that are no person, in their order.
    pub left: Vec<LeftLine>,
}

/// A person as the list has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastedPerson {
    /// The line, from 1.
    pub line: usize,
    pub name: String,
    /// The address as it is written; empty if there is none.
    pub email: String,
    /// Set if it has to be mended before the person can be added.
    pub problem: Option<LineProblem>,
}

/// A line that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftLine {
    /// From 1.
    pub line: usize,
    pub content: String,
    pub reason: LeftReason,
}

/// Why a line was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftReason {
    Titles,
    /// Neither a name nor an address, or a sentence.
    NoPerson,
    /// An earlier line has this person.
    Repeated,
}

/// A mistake in a name or an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineProblem {
    AddressInvalid,
    SeveralAddresses,
    TooLong,
    NameTooLong,
    NameWebAddress,
}

/// Checks a name and an address, of which one may be empty. An address alone is the name too.
///
/// # Errors
/// The first mistake. `Ok(None)` if both are empty.
pub fn check(name: &str, email: &str) -> Result<Option<NewInvitee>, LineProblem> {
    let name = clean_name(name);
    if name.chars().count() > limits::NAME_CHARS_MAX {
        return Err(LineProblem::NameTooLong);
    }
    if has_web_address(&name) {
        return Err(LineProblem::NameWebAddress);
    }
    match (name, email.trim()) {
        (name, "") if name.is_empty() => Ok(None),
        (name, "") => Ok(Some(NewInvitee { name, email: None })),
        (name, email) => {
            let email = email_address::parse(email).ok_or(LineProblem::AddressInvalid)?.to_owned();
            let name = if name.is_empty() { email.clone() } else { name };
            Ok(Some(NewInvitee { name, email: Some(email) }))
        }
    }
}

/// The name and the addresses of a person, before they are checked.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    name: String,
    emails: Vec<String>,
}

/// Reads a pasted list. Returns `None` for more than [`limits::PASTED_LINES_MAX`] lines or people; the lines of a card of an address
/// book are one line.
pub fn read_list(text: &str) -> Option<PastedList> {
    let text = plain(text);
    let mut list = PastedList::default();
    let mut rest = Vec::new();
    let mut lines = text.lines().zip(1..).peekable();
    while let Some((line, number)) = lines.next() {
        if vcard::begins(line) {
            // A card that was cut off ends before the next one.
            let mut card = Vec::new();
            while let Some((line, _)) =
                lines.next_if(|(line, _)| !vcard::begins(line)).filter(|(line, _)| !vcard::ends(line))
            {
                card.push(line);
            }
            list.add(number, line, vcard::read(&card));
        } else if !line.trim().is_empty() {
            rest.push((number, line));
        }
        if rest.len() + list.len() > limits::PASTED_LINES_MAX {
            return None;
        }
    }
    let titles = rest.iter().position(|(_, line)| table::is_title_row(line));
    let (before, rows) = rest.split_at(titles.unwrap_or(rest.len()));
    let pairs = line::are_pairs(before);
    for part in before.chunks(if pairs { 2 } else { 1 }) {
        let (number, first) = part[0];
        match part.get(1) {
            Some((_, address)) => line::read(&format!("{first}\t{address}"), number, &mut list),
            None => line::read(first, number, &mut list),
        }
    }
    if let [(number, titles), rows @ ..] = rows {
        list.left.push(LeftLine { line: *number, content: (*titles).to_owned(), reason: LeftReason::Titles });
        table::read(titles, rows, &mut list);
    }
    list.leave_repeated();
    list.left.sort_by_key(|left| left.line);
    (list.len() <= limits::PASTED_LINES_MAX).then_some(list)
}

/// Returns the text with spaces for all blanks and straight quotes for all quotes, without characters that nobody sees.
fn plain(text: &str) -> String {
    let plain = |c: char| match c {
        '\n' | '\t' => Some(c),
        '\r' => None,
        '“' | '”' | '„' | '‟' | '«' | '»' | '＂' => Some('"'),
        c if c.is_whitespace() => Some(' '),
        c => Some(c).filter(|c| !is_hidden(*c)),
    };
    text.chars().filter_map(plain).collect()
}

impl PastedList {
    fn len(&self) -> usize {
        self.people.len() + self.left.len()
    }

    /// Adds a person whom `line` has, or leaves the line out.
    fn add(&mut self, number: usize, line: &str, found: Found) {
        let name = clean_name(&found.name);
        let (email, several) = match &found.emails[..] {
            [] => (String::new(), false),
            [email] => (email.clone(), false),
            emails => (emails.join(", "), true),
        };
        let problem = match check(&name, &email) {
            Ok(None) => return self.leave(number, line, LeftReason::NoPerson),
            _ if several => Some(LineProblem::SeveralAddresses),
            Ok(Some(_)) => None,
            Err(problem) => Some(problem),
        };
        self.people.push(PastedPerson { line: number, name, email, problem });
    }

    fn leave(&mut self, number: usize, line: &str, reason: LeftReason) {
        self.left.push(LeftLine { line: number, content: line.trim().to_owned(), reason });
    }

    /// Leaves out who is there before with the same address and name. Two people may share an address.
    fn leave_repeated(&mut self) {
        let mut seen = HashSet::new();
        let people = std::mem::take(&mut self.people);
        for person in people {
            let email = person.email.to_lowercase();
            let is_new = email.is_empty()
                || seen.insert((email.clone(), person.name.to_lowercase()))
                    && (!person.name.is_empty() || seen.iter().filter(|(other, _)| *other == email).count() == 1);
            if is_new {
                self.people.push(person);
            } else {
                let content = format!("{} {}", person.name, person.email);
                self.leave(person.line, &content, LeftReason::Repeated);
            }
        }
    }
}
