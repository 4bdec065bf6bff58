//! The rules of theme pictures: file names and contents.

use crate::base::limits::THEME_IMAGE_BYTES_MAX;
use crate::media::PhotoFormat;

/// Elements that an SVG must not contain, because they run scripts or fetch resources in the browser.
const ACTIVE_SVG: &[&str] = &["<script", "<foreignobject", "<iframe", "javascript:", "<!entity", "@import"];

/// Whether a file name is valid in a URL and has the extension of a format that browsers show.
pub(super) fn check_name(file: &str) -> Result<(), String> {
    let plain = file.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    if !plain || file.starts_with(['.', '-']) {
        return Err(format!(
            "\"{file}\" is not a plain file name: use letters, digits, dots, hyphens and underscores, without a folder."
        ));
    }
    match extension(file) {
        "svg" | "png" | "jpeg" | "jpg" | "webp" | "gif" => Ok(()),
        _ => Err(format!("\"{file}\" does not end in .svg, .png, .jpeg, .jpg, .webp or .gif.")),
    }
}

/// Whether the content has the format of the extension.
pub(in crate::operation) fn check_content(file: &str, bytes: &[u8]) -> Result<(), String> {
    if bytes.len() > THEME_IMAGE_BYTES_MAX {
        let size = bytes.len();
        return Err(format!("\"{file}\" has {size} bytes; the most is {THEME_IMAGE_BYTES_MAX}."));
    }
    let promised = match extension(file) {
        "svg" => return check_svg(file, bytes),
        "png" => PhotoFormat::Png,
        "webp" => PhotoFormat::Webp,
        "gif" => PhotoFormat::Gif,
        _ => PhotoFormat::Jpeg,
    };
    if PhotoFormat::sniff(bytes) == Some(promised) {
        Ok(())
    } else {
        Err(format!("\"{file}\" is not a .{} picture inside.", promised.extension()))
    }
}

fn check_svg(file: &str, bytes: &[u8]) -> Result<(), String> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(format!("\"{file}\" is not an SVG drawing in UTF-8."));
    };
    let text = text.trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
    if !text.starts_with('<') || !text.contains("<svg") || !text.trim_end().ends_with("</svg>") {
        return Err(format!("\"{file}\" is not an SVG drawing."));
    }
    let active = ACTIVE_SVG.iter().copied().find(|part| text.contains(part));
    match active.or_else(|| has_handler(&text).then_some("an event handler")) {
        Some(part) => Err(format!("\"{file}\" holds {part}; a drawing may not run or fetch anything.")),
        None if fetches(&text) => {
            Err(format!("\"{file}\" refers to another address; a drawing must be self-contained."))
        }
        None => Ok(()),
    }
}

/// Whether the drawing has an event attribute such as `onload=`.
fn has_handler(text: &str) -> bool {
    text.match_indices("on").any(|(at, _)| {
        let begins = text[..at].ends_with([' ', '\n', '\t', '\r', '"', '\'', '/']);
        let rest = text[at + 2..].trim_start_matches(|c: char| c.is_ascii_lowercase());
        begins && rest.len() < text.len() - at - 2 && rest.trim_start().starts_with('=')
    })
}

/// Whether a reference leaves the drawing. `href` and `url()` may name a part of it, or contain a photo.
fn fetches(text: &str) -> bool {
    let inside = ["#", "data:image/png", "data:image/jpeg", "data:image/webp", "data:image/gif"];
    let out = |after: &str| {
        let address = after.trim_start_matches(['"', '\'', ' ']);
        !inside.iter().any(|begin| address.starts_with(begin))
    };
    let href = text
        .match_indices("href")
        .any(|(at, _)| text[at + 4..].trim_start().strip_prefix('=').is_some_and(|value| out(value.trim_start())));
    href || text.match_indices("url(").any(|(at, _)| out(&text[at + 4..]))
}

fn extension(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, extension)| extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(inside: &str) -> Result<(), String> {
        check_content("a.svg", format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{inside}</svg>\n").as_bytes())
    }

    #[test]
    fn self_contained_drawing_is_accepted() {
        assert_eq!(svg("<path fill=\"url(#a)\" d=\"M0 0\"/><use href=\"#b\"/><title>De zon op zee</title>"), Ok(()));
    }

    #[test]
    fn drawing_that_runs_or_fetches_something_is_refused() {
        for inside in [
            "<script>alert(1)</script>",
            "<SCRIPT/>",
            "<g onload=\"x()\"/>",
            "<g\nonclick = 'x()'/>",
            "<a href=\"https://example.org\"/>",
            "<a xlink:href='javascript:x()'/>",
            "<path fill=\"url(https://example.org/a)\"/>",
            "<foreignObject/>",
        ] {
            assert!(svg(inside).is_err(), "{inside}");
        }
    }

    #[test]
    fn name_with_a_folder_or_another_format_is_refused() {
        for file in ["../a.svg", "a/b.svg", ".a.svg", "a b.svg", "a.heic", "a", "a.svg.exe", "é.png"] {
            assert!(check_name(file).is_err(), "{file}");
        }
        for file in ["omslag.svg", "Foto_1-b.jpeg", "a.b.webp"] {
            assert_eq!(check_name(file), Ok(()), "{file}");
        }
    }

    #[test]
    fn content_that_differs_from_its_name_is_refused() {
        assert!(check_content("a.png", b"\xff\xd8\xff\xe0 a jpeg").is_err());
        assert!(check_content("a.svg", b"<html></html>").is_err());
        assert!(check_content("a.svg", &[0xff; 8]).is_err());
    }
}
