//! Names of the deceased, the family contact and invitees.
//!
//! Names get into the subject, addresses and text of mails that this service sends. So a name is one line of visible text
//! without characters that change the reading order: [`clean_name`] makes it so. It also holds no web address
//! ([`has_web_address`]). The partner API, the customizer and the invitee list all clean and check names this way.

mod web_address;

pub use web_address::has_web_address;

/// Whether a character is invisible: a control character, a line or paragraph separator, or a format character (Unicode
/// general categories Cc, Zl, Zp and Cf). The joiners U+200C and U+200D are allowed, because Persian, Hindi and composed
/// emoji need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' // soft hyphen
            | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{180e}'
            | '\u{200b}' // zero width space
            | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // reading order
            | '\u{2028}' | '\u{2029}' // line and paragraph separator
            | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character is hidden, or has no shape: a joiner, a variation selector or a filler.
pub fn is_invisible(c: char) -> bool {
    is_hidden(c)
        || matches!(c, '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200c}'
            | '\u{200d}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns a name as one line (decisions V4): a line break or a tab is a space, white space at the ends and doubled inside is left out,
/// and so are hidden characters. A joiner stays between two characters of a word only. The flags of England, Scotland and Wales
/// lose their tag characters, which can hide a text, and are black flags.
pub fn clean_name(name: &str) -> String {
    let mut clean = String::with_capacity(name.len());
    // The blank or joiner after the last character, which is added if another one follows.
    let mut between = None;
    for c in name.chars() {
        if c.is_whitespace() {
            let is_first = !between.is_some_and(char::is_whitespace);
            between = Some(if is_first && !is_hidden(c) { c } else { ' ' });
        } else if matches!(c, '\u{200c}' | '\u{200d}') {
            between = between.filter(|c| c.is_whitespace()).or(Some(c));
        } else if !is_hidden(c) {
            clean.extend(between.take().filter(|_| !clean.is_empty()));
            clean.push(c);
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_any_language_stays_as_it_is() {
        for name in [
            "",
            "O'Brien",
            "van der Berg-Müller",
            "Anna-Liese 🌷 d'Été",
            "e\u{301}e\u{301}n",
            "محمد عبد الله",
            "יעקב כהן",
            "می\u{200c}نا", // Persian, with its joiner
            "👩\u{200d}👧 Zoë",
            "J.W. (Jan) de Vries, sr.",
            "山田\u{3000}太郎",
        ] {
            assert_eq!(clean_name(name), name);
        }
    }

    #[test]
    fn hidden_characters_are_dropped_and_blanks_are_single_spaces() {
        for hidden in [
            '\0',
            '\u{1b}',
            '\u{7f}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200e}',
            '\u{200f}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            assert_eq!(clean_name(&format!("{hidden}An{hidden}na{hidden}")), "Anna", "{hidden:?}");
        }
        for blank in ["\t", "\n", "\r\n", "\u{b}", "\u{85}", "\u{2028}", "\u{2029}", " \u{a0}", "\u{200b} \u{200d} "] {
            assert_eq!(clean_name(&format!("{blank}An{blank}na{blank}")), "An na", "{blank:?}");
        }
        assert_eq!(clean_name("\u{200d}An\u{200c} \u{200d}na\u{200d}\u{200c}"), "An na");
    }
}
