//! Where a name may break into lines.

/// Words that belong to the word after them.
const PARTICLES: [&str; 32] = [
    "'s", "'t", "af", "al", "bij", "bin", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "het", "ibn", "in",
    "la", "le", "op", "over", "te", "ten", "ter", "van", "ver", "von", "voor", "zu", "zum", "zur",
];

/// Returns the parts between which a line may break: "van der Meer" is one.
pub(crate) fn split_name(name: &str) -> Vec<String> {
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
    use super::*;

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
            assert_eq!(split_name(name), expected, "{name}");
        }
    }
}
