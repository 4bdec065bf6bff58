//! The figures in descriptions: limits such as "at most 255 characters" and "0 to 250", and others such as "24 hours".
//!
//! They are part of what a version promises: a digest holds them, and `diff` has rules about them.

use std::fmt;

/// A figure in a description, such as "at most 255 characters".
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Figure {
    /// Which values it allows.
    pub bound: Bound,
    /// The number as it is written, without separators of thousands.
    pub value: u64,
    /// The word after the number, in lower case; empty where punctuation follows.
    pub unit: String,
}

/// Which values a figure allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bound {
    /// The greatest value: "at most 20", "up to 20", the end of "1 to 20".
    Most,
    /// The least value: "at least 1", the start of "1 to 20".
    Least,
    /// No limit in these words, such as a default or a time.
    None,
}

/// The number of words before a number that are looked at.
const WORDS_BEFORE: usize = 3;

/// Words that make the number after them a limit.
const BEFORE: [(&str, Bound); 8] = [
    ("at most", Bound::Most),
    ("up to", Bound::Most),
    ("no more than", Bound::Most),
    ("maximum of", Bound::Most),
    ("at least", Bound::Least),
    ("no less than", Bound::Least),
    ("no fewer than", Bound::Least),
    ("minimum of", Bound::Least),
];

impl Figure {
    /// Returns the unit in the singular.
    fn singular(&self) -> &str {
        self.unit.strip_suffix('s').unwrap_or(&self.unit)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Most => "at most ",
            Bound::Least => "at least ",
            Bound::None => "",
        };
        let space = if self.unit.is_empty() { "" } else { " " };
        write!(f, "{bound}{}{space}{}", self.value, self.unit)
    }
}

/// Returns the whole numbers of a description in its order. Numbers in code, and in words such as `UTF-8` and `2027-01`,
/// are not figures.
pub fn figures(description: &str) -> Vec<Figure> {
    // Every second part is in backticks.
    let prose: Vec<&str> = description.split('`').step_by(2).collect();
    let text = prose.join("\u{0}").replace('–', " to ").to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = vec![];
    let mut at = 0;
    while at < words.len() {
        at += 1;
        let Some(value) = number(words[at - 1]) else { continue };
        let before = words[(at - 1).saturating_sub(WORDS_BEFORE)..at - 1].join(" ");
        let unit = unit(&words[at - 1..]);
        let end = words.get(at).filter(|word| **word == "to" || (**word == "and" && before.ends_with("between")));
        if let Some(most) = end.and_then(|_| number(words.get(at + 1)?)) {
            let unit = self::unit(&words[at + 1..]);
            found.push(Figure { bound: Bound::Least, value, unit: unit.clone() });
            found.push(Figure { bound: Bound::Most, value: most, unit });
            at += 2;
        } else if before.ends_with("exactly") {
            found.extend([Bound::Least, Bound::Most].map(|bound| Figure { bound, value, unit: unit.clone() }));
        } else {
            let bound = BEFORE.into_iter().find(|(words, _)| before.ends_with(words)).map_or(Bound::None, |(_, b)| b);
            found.push(Figure { bound, value, unit });
        }
    }
    found
}

/// Reads a number such as `2,048`, with the punctuation around it.
fn number(word: &str) -> Option<u64> {
    let digits = word.trim_start_matches('(').trim_end_matches(['.', ',', ';', ':', ')', '?', '!']);
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = digits.contains(',');
    let is_number = is_digits(first) && (!grouped || first.len() <= 3) && groups.all(|g| g.len() == 3 && is_digits(g));
    if is_number { digits.replace(',', "").parse().ok() } else { None }
}

/// Returns the unit of the number at the start of some words.
fn unit(words: &[&str]) -> String {
    let ends = words[0].ends_with(|c: char| c.is_ascii_punctuation());
    let word = words.get(1).filter(|word| !ends && word.starts_with(char::is_alphabetic)).unwrap_or(&"");
    word.trim_end_matches(|c: char| !c.is_alphabetic()).to_owned()
}

/// How the figures of a description changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct FigureChanges {
    /// Each limit that allows less, with what it was; without that where there was none.
    pub tightened: Vec<(Option<Figure>, Figure)>,
    /// Each limit that allows more, with what it was.
    pub loosened: Vec<(Figure, Figure)>,
    /// Each limit that is gone.
    pub removed: Vec<Figure>,
    /// Each other figure, before and after.
    pub changed: Vec<(Option<Figure>, Option<Figure>)>,
}

impl FigureChanges {
    /// Pairs the figures of two descriptions: the equal ones, then those of the same bound and unit in their order.
    pub(crate) fn between(old: Option<&str>, new: Option<&str>) -> Self {
        let mut old = old.map(figures).unwrap_or_default();
        let mut new = new.map(figures).unwrap_or_default();
        let same_unit = |a: &Figure, b: &Figure| a.bound == b.bound && a.singular() == b.singular();
        take_pairs(&mut old, &mut new, |a, b| a.value == b.value && same_unit(a, b));
        // "0 to 250" became "0 to 250 items".
        let without_unit = |a: &Figure, b: &Figure| a.bound == b.bound && (a.unit.is_empty() || b.unit.is_empty());
        take_pairs(&mut old, &mut new, |a, b| a.value == b.value && without_unit(a, b));
        let mut changes = Self::default();
        for (was, is) in take_pairs(&mut old, &mut new, same_unit) {
            match was.bound {
                Bound::None => changes.changed.push((Some(was), Some(is))),
                Bound::Most if is.value < was.value => changes.tightened.push((Some(was), is)),
                Bound::Least if is.value > was.value => changes.tightened.push((Some(was), is)),
                Bound::Most | Bound::Least => changes.loosened.push((was, is)),
            }
        }
        for was in old {
            if was.bound == Bound::None { changes.changed.push((Some(was), None)) } else { changes.removed.push(was) }
        }
        for is in new {
            if is.bound == Bound::None {
                changes.changed.push((None, Some(is)));
            } else {
                changes.tightened.push((None, is));
            }
        }
        changes
    }
}

/// Takes the pairs that belong together out of two lists.
fn take_pairs(
    old: &mut Vec<Figure>,
    new: &mut Vec<Figure>,
    belong: impl Fn(&Figure, &Figure) -> bool,
) -> Vec<(Figure, Figure)> {
    let mut pairs = vec![];
    let mut at = 0;
    while at < old.len() {
        match new.iter().position(|figure| belong(&old[at], figure)) {
            Some(other) => pairs.push((old.remove(at), new.remove(other))),
            None => at += 1,
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(description: &str) -> Vec<String> {
        figures(description).iter().map(Figure::to_string).collect()
    }

    #[test]
    fn figures_are_read_with_their_bound_and_unit() {
        for (description, expected) in [
            ("Free text, at most 200 characters.", &["at most 200 characters"][..]),
            ("http or https, at most\n2,048 characters", &["at most 2048 characters"]),
            ("At most this many: 0 to 250. A page has 50 items.", &["at least 0", "at most 250", "50 items"]),
            ("(1 to 255 visible ASCII characters)", &["at least 1 visible", "at most 255 visible"]),
            ("Between 2 and 20 items, 3 and 4.", &["at least 2 items", "at most 20 items", "3 and", "4"]),
            (
                "1–5 images; up to 3 videos; exactly 2 names",
                &["at least 1 images", "at most 5 images", "at most 3 videos", "at least 2 names", "at most 2 names"],
            ),
            ("For 24 hours. No less than 1 item.", &["24 hours", "at least 1 item"]),
            ("Since 2027-01 in UTF-8, `at most 5`, 1,23 and 4xx, v1.5.", &[]),
            ("", &[]),
        ] {
            assert_eq!(shown(description), expected, "{description}");
        }
    }

    #[test]
    fn number_that_is_too_large_is_no_figure() {
        assert_eq!(shown("at most 99999999999999999999999 items"), [""; 0]);
    }

    #[test]
    fn reworded_description_keeps_its_figures() {
        for (old, new) in [
            ("At most 255 characters.", "A name in one line of up to 255 characters."),
            ("0 to 250.", "A page has 0 to 250 items."),
            ("At least 1 item, at most 2 items.", "At most 2 items, and at least 1 item."),
        ] {
            assert_eq!(FigureChanges::between(Some(old), Some(new)), FigureChanges::default(), "{old} to {new}");
        }
    }
}
