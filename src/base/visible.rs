//! Characters that nobody sees: control and format characters, blanks without a shape, and the white space around a value.

/// Whether a character is invisible: a control character, a line or paragraph separator, or a format character (Unicode
/// general categories Cc, Zl, Zp and Cf). The joiners U+200C and U+200D are allowed, because Persian, Hindi and composed
/// emoji need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || !c.is_ascii()
            && matches!(c,
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
        || is_variation_selector(c)
        || matches!(
            c,
            '\u{34f}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{200c}'
                | '\u{200d}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{ffa0}'
        )
}

/// Whether a character changes the shape of the one before it.
fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Returns a text without the white space and the invisible characters at its ends. A variation selector belongs to the
/// character before it and stays.
pub fn trim_invisible(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c) && !is_variation_selector(c))
}

/// Whether a text shows nothing.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}
