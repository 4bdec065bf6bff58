//! Breaks the name on the picture of a card into lines.

use crate::text::name::split_name;

/// The longest line of text, and the height of all lines of a name, in pixels.
const LINE_PIXELS: f32 = 600.0;
const NAME_PIXELS: f32 = 250.0;
/// The sizes of a name, in pixels: the first one that fits.
const NAME_SIZES: [f32; 7] = [84.0, 72.0, 62.0, 54.0, 46.0, 38.0, 32.0];
pub(super) const LINE_HEIGHT: f32 = 1.16;
/// Returns the name without signs that no font of the renderer has, such as emoji; `None` if it lacks the letters.
pub(super) fn drawable(name: &str) -> Option<String> {
    let has_font = |c: char| {
        matches!(u32::from(c),
            0x20..=0x7e | 0xa0..=0x17f | 0x218..=0x21b | 0x300..=0x304 | 0x306..=0x30c | 0x323 | 0x326..=0x328
            | 0x370..=0x3ff | 0x400..=0x52f | 0x590..=0x6ff | 0x750..=0x77f | 0x1e00..=0x1fff | 0x2010..=0x2015
            | 0x2018..=0x201e | 0x2026)
    };
    if name.chars().any(|c| c.is_alphabetic() && !has_font(c)) {
        return None;
    }
    let drawn: String = name.chars().filter(|c| has_font(*c) || c.is_whitespace()).collect();
    Some(drawn).filter(|drawn| drawn.chars().any(char::is_alphabetic))
}

/// Breaks a name into lines, and returns the size at which they fit: between parts, otherwise between all words and after hyphens,
/// otherwise between letters. A name that is too long ends in dots.
pub(super) fn fit_name(name: &str) -> (f32, Vec<String>) {
    let parts = split_name(name);
    let words: Vec<String> =
        parts.iter().flat_map(|part| part.split_inclusive([' ', '-'])).map(str::to_owned).collect();
    for parts in [&parts, &words] {
        for size in NAME_SIZES {
            let lines = wrap(parts, size);
            let is_narrow = lines.iter().all(|line| text_width(line) * size <= LINE_PIXELS);
            if is_narrow && lines.len() as f32 * size * LINE_HEIGHT <= NAME_PIXELS {
                return (size, lines);
            }
        }
    }
    let size = NAME_SIZES[NAME_SIZES.len() - 1];
    let pieces: Vec<String> = words.iter().flat_map(|word| break_part(word, size)).collect();
    let mut lines = wrap(&pieces, size);
    let lines_max = (NAME_PIXELS / size / LINE_HEIGHT) as usize;
    if lines.len() > lines_max {
        lines.truncate(lines_max);
        if let Some(last) = lines.last_mut() {
            last.push('\u{2026}');
        }
    }
    (size, lines)
}

/// Fills lines with parts. The lines are about as long as each other.
fn wrap(parts: &[String], size: f32) -> Vec<String> {
    let all = text_width(&parts.concat()) * size;
    let line_max = (all / (all / LINE_PIXELS).ceil() * 1.15).min(LINE_PIXELS);
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut().filter(|line| text_width(&format!("{line}{}", part.trim_end())) * size <= line_max) {
            Some(line) => line.push_str(part),
            None => lines.push(part.clone()),
        }
    }
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect()
}

/// Breaks a part into pieces that fit on a line.
fn break_part(part: &str, size: f32) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in part.chars() {
        let last = pieces.len() - 1;
        if text_width(&format!("{}{letter}", pieces[last])) * size > LINE_PIXELS * 0.95 {
            pieces.push(String::new());
        }
        pieces.last_mut().expect("there is one").push(letter);
    }
    pieces
}

/// The width of a text of size 1: an upper bound for the fonts of the themes.
fn text_width(text: &str) -> f32 {
    let of = |c: char| match c {
        'W' | 'M' | '\u{2014}' => 1.0,
        'm' | 'w' | '\u{2026}' => 0.88,
        'i' | 'j' | 'l' | 'f' | 't' | 'r' | ' ' | '.' | ',' | '\'' | '-' => 0.38,
        c if c.is_uppercase() => 0.76,
        c if u32::from(c) < 0x250 => 0.55,
        _ => 0.68,
    };
    text.chars().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_any_length_fits_its_lines() {
        for name in [
            "Jo".to_owned(),
            "Johanna van der Meer".to_owned(),
            "Wilhelmina Catharina Elisabeth Anna Maria van Oldenbarnevelt-Schimmelpenninck".to_owned(),
            "W".repeat(255),
            "Wm ".repeat(200),
        ] {
            let (size, lines) = fit_name(&name);
            assert!(
                !lines.is_empty() && lines.iter().all(|line| text_width(line) * size <= LINE_PIXELS * 1.05),
                "{lines:?}"
            );
            assert!(lines.len() as f32 * size * LINE_HEIGHT <= NAME_PIXELS, "{lines:?}");
        }
        assert_eq!(fit_name("Johanna van der Meer").1, ["Johanna", "van der Meer"]);
        for (name, expected) in [
            ("Johanna van der Meer-de Wit", &["Johanna", "van der Meer-", "de Wit"][..]),
            ("Jan van \u{2019}t Hof-van der Heijden", &["Jan van \u{2019}t Hof-", "van der Heijden"]),
        ] {
            assert_eq!(fit_name(name).1, expected, "{name}");
        }
        let lines = fit_name("Anna van Oldenbarnevelt-Schimmelpenninckvanderoye").1;
        assert!(lines.iter().any(|line| line == "Schimmelpenninckvanderoye"), "{lines:?}");
    }

    #[test]
    fn name_without_letters_of_a_font_is_not_drawn() {
        assert_eq!(drawable("Jo \u{1f337}").as_deref(), Some("Jo "));
        for name in ["\u{1f475}", "", "\u{738b}\u{82b3}", "Jo \u{738b}"] {
            assert_eq!(drawable(name), None, "{name}");
        }
    }
}
