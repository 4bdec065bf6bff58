//! The keys of the object store: `photo/<name>`, `rendition/<name>`, `partner/<name>` and `theme/<handle>/<name>`.
//!
//! A key may come from the path of a request, so it is parsed strictly: it cannot leave the store's folder, nor name
//! temporary files there.

use object_store::path::Path;

/// Longest part of a key, in bytes; the key of a portrait has 48.
const PART_BYTES_MAX: usize = 128;

/// The path of a key; `None` if it is invalid.
pub(super) fn path_of(key: &str) -> Option<Path> {
    let shape = match key.split('/').collect::<Vec<_>>()[..] {
        ["photo" | "rendition" | "partner", name] => is_part(name),
        ["theme", handle, name] => is_part(handle) && is_part(name),
        _ => false,
    };
    shape.then(|| Path::parse(key).ok()).flatten()
}

fn is_part(part: &str) -> bool {
    let plain = part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    plain && (1..=PART_BYTES_MAX).contains(&part.len()) && !part.starts_with('.') && !part.ends_with('.')
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn key_of_a_photo_or_theme_is_read() {
        let photo = format!("photo/{}.jpeg", "-_aZ0".repeat(9));
        for key in [photo.as_str(), "photo/-a.heic", "theme/rust/voorbeeld.svg", "theme/zee-2/1.mp4", "partner/a-1.png"]
        {
            assert_eq!(path_of(key).map(|path| path.to_string()).as_deref(), Some(key));
        }
    }

    #[test]
    fn anything_else_is_no_key() {
        for key in [
            "",
            "/",
            "photo",
            "photo/",
            "/photo/a.png",
            "photo//a.png",
            "photo/a/b.png",
            "photo/.",
            "photo/..",
            "photo/../card-service.db",
            "photo/.hidden",
            "photo/a.png.",
            "photo/a.png#1",
            "photo/a\\b",
            "photo/a%2fb",
            "photo/a b",
            "photo/a\0b",
            "photo/é.png",
            "theme/a",
            "theme/../a.png",
            "theme/a/..",
            "theme/a/b/c.png",
            "other/a.png",
            "PHOTO/a.png",
        ] {
            assert_eq!(path_of(key), None, "{key:?}");
        }
        assert_eq!(path_of(&format!("photo/{}", "a".repeat(129))), None);
    }
}
