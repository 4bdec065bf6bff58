//! Where a name may break into lines.

/// Words that belong to the word after them: the parts of the prefixes of Dutch names (RvIG, national table 36), except those that are
/// first names, and a few of other languages.
const PARTICLES: [&str; 58] = [
    "'s", "'t", "aan", "af", "al", "am", "auf", "aus", "bij", "bin", "d'", "da", "dal", "dalla", "das", "de", "degli",
    "dei", "del", "della", "den", "der", "des", "di", "dos", "du", "el", "gen", "het", "ibn", "im", "in", "la", "las",
    "le", "les", "lo", "los", "onder", "op", "over", "te", "ten", "ter", "tho", "toe", "tot", "uijt", "uit", "van",
    "ver", "vom", "von", "voor", "vor", "zu", "zum", "zur",
];

/// The hyphens after which a line may break (Unicode line breaking algorithm, classes HY and BA).
const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{2013}'];

/// Returns the parts of a name, each with the space after it; a line may break between two of them only. `van der Meer-de Wit` is
/// `van der Meer-` and `de Wit`.
pub(crate) fn split_name(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in name.split_whitespace() {
        if let Some(last) = parts.last_mut() {
            last.push(' ');
        }
        for piece in word.split_inclusive(HYPHENS) {
            let bare = piece.trim_end_matches(HYPHENS);
            match parts.last_mut().filter(|_| is_open || bare.is_empty()) {
                Some(part) => part.push_str(piece),
                None => parts.push(piece.to_owned()),
            }
            is_open = PARTICLES.contains(&bare.to_lowercase().replace('\u{2019}', "'").as_str());
        }
    }
    parts
}

/// Returns whether a browser could break a line within the part.
pub(crate) fn can_break(part: &str) -> bool {
    part.trim_end().trim_end_matches(HYPHENS).contains(|c| c == ' ' || HYPHENS.contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_stay_with_the_word_after_them_and_hyphens_with_the_word_before() {
        for (name, expected) in [
            ("Johanna van der Meer", &["Johanna ", "van der Meer"][..]),
            ("Johanna van der Meer-de Wit", &["Johanna ", "van der Meer-", "de Wit"]),
            ("Jan van 't Hof-van der Heijden", &["Jan ", "van 't Hof-", "van der Heijden"]),
            ("J. A. de Vries-van den Berg", &["J. ", "A. ", "de Vries-", "van den Berg"]),
            ("Maria  van \u{2019}t Hof", &["Maria ", "van \u{2019}t Hof"]),
            ("Piet Van Damme", &["Piet ", "Van Damme"]),
            ("Els op den Camp", &["Els ", "op den Camp"]),
            ("Ben uit het Broek", &["Ben ", "uit het Broek"]),
            ("Anne-Marie de Jong", &["Anne-", "Marie ", "de Jong"]),
            ("Samira El-Amrani", &["Samira ", "El-Amrani"]),
            ("Jansen - de Wit", &["Jansen - ", "de Wit"]),
            ("Jansen\u{2013}de Wit", &["Jansen\u{2013}", "de Wit"]),
            ("de Wit", &["de Wit"]),
            ("Ali ibn", &["Ali ", "ibn"]),
            ("", &[]),
        ] {
            assert_eq!(split_name(name), expected, "{name}");
        }
    }

    #[test]
    fn part_can_break_at_a_space_or_hyphen_inside() {
        for (part, expected) in
            [("Johanna ", false), ("Meer-", false), ("van der Meer-", true), ("El-Amrani", true), ("Jansen - ", true)]
        {
            assert_eq!(can_break(part), expected, "{part}");
        }
    }
}
