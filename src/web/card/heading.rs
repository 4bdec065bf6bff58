//! The name on a card: broken where a person would break it, and smaller the longer it is.

use maud::{Markup, html};

use crate::web::text::card as words;

/// A name is set smaller if it has more than so many characters, or a word with more than so many.
const LONG_CHARS: (usize, usize) = (40, 15);
const LONGEST_CHARS: (usize, usize) = (80, 22);

/// Words that belong to the word after them.
const PARTICLES: [&str; 32] = [
    "'s", "'t", "af", "al", "bij", "bin", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "het", "ibn", "in",
    "la", "le", "op", "over", "te", "ten", "ter", "van", "ver", "von", "voor", "zu", "zum", "zur",
];

/// Renders the name as the title of the card.
pub(super) fn heading(name: Option<&str>) -> Markup {
    let Some(name) = name else { return html! { h1 { (words::UNNAMED) } } };
    // Names can be written from right to left, which must not affect the page around them.
    html! {
        h1 class=[size(name)] dir="auto" {
            @for (index, part) in parts(name).into_iter().enumerate() {
                @if index > 0 { " " }
                @if part.contains(' ') { span.whole { (part) } } @else { (part) }
            }
        }
    }
}

/// Returns the class of the size, which the longest word and the whole name decide.
fn size(name: &str) -> Option<&'static str> {
    let chars = name.chars().count();
    let longest = name.split([' ', '-']).map(|word| word.chars().count()).max().unwrap_or_default();
    let exceeds = |(all, word): (usize, usize)| chars > all || longest > word;
    match () {
        () if exceeds(LONGEST_CHARS) => Some("longest"),
        () if exceeds(LONG_CHARS) => Some("long"),
        () => None,
    }
}

/// Returns the parts between which a line may break: "van der Meer" is one.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in name.split_whitespace() {
        match parts.last_mut().filter(|_| is_open) {
            Some(part) => *part = format!("{part} {word}"),
            None => parts.push(word.to_owned()),
        }
        is_open = PARTICLES.contains(&word.to_lowercase().replace('\u{2019}', "'").as_str());
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::{parts, size};

    #[test]
    fn particles_stay_with_the_word_after_them() {
        for (name, expected) in [
            ("Johanna van der Meer", &["Johanna", "van der Meer"][..]),
            ("J. A. de Vries-van den Berg", &["J.", "A.", "de Vries-van", "den Berg"]),
            ("Maria  van \u{2019}t Hof", &["Maria", "van \u{2019}t Hof"]),
            ("Piet Van Damme", &["Piet", "Van Damme"]),
            ("Ali ibn", &["Ali", "ibn"]),
            ("", &[]),
        ] {
            assert_eq!(parts(name), expected, "{name}");
        }
    }

    #[test]
    fn long_name_or_word_is_set_smaller() {
        for (name, expected) in [
            ("Johanna van der Meer", None),
            ("Jo Oldenbarnevelt", None),
            ("Jo Schimmelpenninck", Some("long")),
            ("Wilhelmina Catharina Elisabeth van der Meer", Some("long")),
            (&"A".repeat(54), Some("longest")),
        ] {
            assert_eq!(size(name), expected, "{name}");
        }
    }
}
