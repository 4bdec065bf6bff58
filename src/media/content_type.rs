//! The content type of a stored picture or video, by the extension of its key.
//!
//! The service chose the extension when it stored the bytes, so it can be trusted.

use super::PhotoFormat;

/// The content type of a key.
pub fn content_type_of(key: &str) -> &'static str {
    let name = key.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    match extension.as_deref() {
        Some("svg") => "image/svg+xml",
        Some("jpeg" | "jpg") => PhotoFormat::Jpeg.content_type(),
        Some("png") => PhotoFormat::Png.content_type(),
        Some("webp") => PhotoFormat::Webp.content_type(),
        Some("gif") => PhotoFormat::Gif.content_type(),
        Some("heic") => PhotoFormat::Heic.content_type(),
        Some("mp4") => "video/mp4",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_type_follows_the_ending() {
        for (key, expected) in [
            ("photo/abc.jpeg", "image/jpeg"),
            ("photo/abc.heic", "image/heic"),
            ("theme/zee/1.SVG", "image/svg+xml"),
            ("theme/zee/1.jpg", "image/jpeg"),
            ("theme/zee/1.webp", "image/webp"),
            ("theme/zee/1.gif", "image/gif"),
            ("theme/zee/1.png", "image/png"),
            ("theme/zee/film.mp4", "video/mp4"),
            ("theme/zee/1.html", "application/octet-stream"),
            ("theme/zee.png/readme", "application/octet-stream"),
            ("", "application/octet-stream"),
        ] {
            assert_eq!(content_type_of(key), expected, "{key}");
        }
    }

    #[test]
    fn every_photo_format_is_served_as_what_it_is() {
        for format in PhotoFormat::ALL {
            assert_eq!(content_type_of(&format!("photo/abc.{}", format.extension())), format.content_type());
        }
    }
}
