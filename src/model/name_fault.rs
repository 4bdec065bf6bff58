//! The rules of a name: of the deceased person, the family contact and invitees.
//!
//! Names get into the subject, addresses and text of mails that this service sends. So a name is one line of visible text
//! without characters that change the reading order, and without a web address. All inputs use this check: the partner API,
//! the customizer and the invitee list.

use super::text;

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameFault {
    /// A line break, a tab, another control character or an invisible character.
    Character,
    HttpUrl,
}

impl NameFault {
    /// The fault of a name, if any.
    pub fn of(name: &str) -> Option<Self> {
        if name.chars().any(is_hidden) {
            return Some(NameFault::Character);
        }
        let name = name.to_ascii_lowercase();
        (name.contains("://") || name.contains("www.")).then_some(NameFault::HttpUrl)
    }

    /// The message for partners and families.
    pub const fn message(self) -> &'static str {
        match self {
            NameFault::Character => text::NAME_CHARACTER,
            NameFault::HttpUrl => text::NAME_WEB_ADDRESS,
        }
    }
}

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

/// A name as it is written into a mail, because a name that an older release stored may break the rules of today.
pub fn in_one_line(name: &str) -> String {
    let blank = |c: char| if is_hidden(c) { ' ' } else { c };
    name.chars().map(blank).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_any_language_is_one() {
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
            "Www de Wit",
            "Jansen & Zn. / erven",
            "山田 太郎",
        ] {
            assert_eq!(NameFault::of(name), None, "{name:?}");
            assert_eq!(in_one_line(name), name);
        }
    }

    #[test]
    fn hidden_characters_and_web_addresses_are_refused() {
        for hidden in [
            '\0',
            '\t',
            '\n',
            '\r',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            assert_eq!(NameFault::of(&format!("An{hidden}na")), Some(NameFault::Character), "{hidden:?}");
            assert_eq!(in_one_line(&format!("{hidden}An{hidden}na")), "An na", "{hidden:?}");
        }
        for address in ["https://betaal.example", "Betaal via HTTPS://x", "zie www.betaal.example", "WWW.x.nl", "a://b"]
        {
            assert_eq!(NameFault::of(address), Some(NameFault::HttpUrl), "{address}");
        }
    }
}
