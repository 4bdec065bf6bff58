//! The five formats of a portrait, detected by the first bytes and never by a name or header (specification, section 2.11).
//!
//! Signatures: WHATWG MIME Sniffing, section 6.1; HEIC: ISO/IEC 23008-12 on ISO/IEC 14496-12 (`ftyp`). A signature must be
//! at the very start.

/// The format of a portrait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhotoFormat {
    Jpeg,
    Png,
    Webp,
    Gif,
    Heic,
}

/// Brands of a HEIF file with HEVC images.
const HEVC_BRANDS: [&[u8; 4]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"];

/// Brands of any HEIF file. They do not tell the codec, so a compatible brand must.
const HEIF_BRANDS: [&[u8; 4]; 2] = [b"mif1", b"msf1"];

/// Longest list of brands that is read, in bytes. Real files have a few.
const FTYP_BYTES_MAX: usize = 1024;

impl PhotoFormat {
    /// The accepted formats.
    pub const ALL: [Self; 5] = [Self::Jpeg, Self::Png, Self::Webp, Self::Gif, Self::Heic];

    /// The format of these bytes; `None` if it is none of the five.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\xFF\xD8\xFF") {
            return Some(Self::Jpeg);
        }
        if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
            return Some(Self::Png);
        }
        if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            return Some(Self::Gif);
        }
        if bytes.starts_with(b"RIFF") && bytes.get(8..14) == Some(b"WEBPVP") {
            return Some(Self::Webp);
        }
        is_heic(bytes).then_some(Self::Heic)
    }

    /// The extension of a stored photo, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpeg",
            Self::Png => "png",
            Self::Webp => "webp",
            Self::Gif => "gif",
            Self::Heic => "heic",
        }
    }

    /// The content type of a photo.
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
            Self::Gif => "image/gif",
            Self::Heic => "image/heic",
        }
    }
}

/// Whether the file starts with an `ftyp` box that names HEVC: as its major brand, or as a compatible brand of a general
/// one.
fn is_heic(bytes: &[u8]) -> bool {
    // Box: size (4 bytes, big endian), "ftyp", major brand, minor version, compatible brands of 4 bytes each.
    let Some((size, _)) = bytes.split_first_chunk::<4>() else { return false };
    let size = u32::from_be_bytes(*size) as usize;
    if !(16..=FTYP_BYTES_MAX).contains(&size) || !size.is_multiple_of(4) || bytes.get(4..8) != Some(b"ftyp") {
        return false;
    }
    let Some(brands) = bytes.get(8..size) else { return false };
    let is_one_of = |brand: &[u8], brands: &[&[u8; 4]]| brands.iter().any(|known| *known == brand);
    let (major, compatible) = (&brands[..4], &brands[8..]);
    is_one_of(major, &HEVC_BRANDS)
        || (is_one_of(major, &HEIF_BRANDS) && compatible.chunks(4).any(|brand| is_one_of(brand, &HEVC_BRANDS)))
}

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

    fn ftyp(brands: &[&[u8; 4]]) -> Vec<u8> {
        let mut bytes = (12 + 4 * brands.len() as u32).to_be_bytes().to_vec();
        bytes.extend(b"ftyp");
        bytes.extend(brands[0]);
        bytes.extend([0; 4]);
        brands[1..].iter().for_each(|brand| bytes.extend(*brand));
        bytes
    }

    fn examples() -> Vec<(Vec<u8>, PhotoFormat)> {
        vec![
            (b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec(), PhotoFormat::Jpeg),
            (b"\xFF\xD8\xFF\xE1\0\x10Exif\0".to_vec(), PhotoFormat::Jpeg),
            (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR".to_vec(), PhotoFormat::Png),
            (b"GIF87a\x01\0\x01\0".to_vec(), PhotoFormat::Gif),
            (b"GIF89a\x01\0\x01\0".to_vec(), PhotoFormat::Gif),
            (b"RIFF\x24\0\0\0WEBPVP8 ".to_vec(), PhotoFormat::Webp),
            (b"RIFF\x24\0\0\0WEBPVP8L".to_vec(), PhotoFormat::Webp),
            (b"RIFF\x24\0\0\0WEBPVP8X".to_vec(), PhotoFormat::Webp),
            (ftyp(&[b"heic", b"mif1", b"heic"]), PhotoFormat::Heic),
            (ftyp(&[b"heix"]), PhotoFormat::Heic),
            (ftyp(&[b"hevc", b"msf1"]), PhotoFormat::Heic),
            (ftyp(&[b"mif1", b"miaf", b"heic"]), PhotoFormat::Heic),
            (ftyp(&[b"msf1", b"hevc"]), PhotoFormat::Heic),
        ]
    }

    #[test]
    fn each_format_is_detected_by_its_first_bytes() {
        for (bytes, format) in examples() {
            assert_eq!(PhotoFormat::sniff(&bytes), Some(format), "{bytes:?}");
        }
    }

    #[test]
    fn signature_that_is_cut_off_is_no_photo() {
        let signature_bytes = |format| match format {
            PhotoFormat::Jpeg => 3,
            PhotoFormat::Png => 8,
            PhotoFormat::Gif => 6,
            PhotoFormat::Webp => 14,
            PhotoFormat::Heic => usize::MAX,
        };
        for (bytes, format) in examples() {
            for length in 0..signature_bytes(format).min(bytes.len()) {
                assert_eq!(PhotoFormat::sniff(&bytes[..length]), None, "{format:?} cut to {length} bytes");
            }
        }
    }

    #[test]
    fn signature_behind_anything_else_is_no_photo() {
        for (bytes, format) in examples() {
            for before in [&b"\0"[..], b" ", b"<svg>", b"\xEF\xBB\xBF"] {
                let polyglot = [before, &bytes].concat();
                assert_eq!(PhotoFormat::sniff(&polyglot), None, "{format:?} behind {before:?}");
            }
        }
    }

    #[test]
    fn other_formats_are_no_photo() {
        let others = [
            &b""[..],
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"RIFF\x24\0\0\0WEBPxxxx",
            b"GIF90a\x01\0",
            b"\0\0\0\x0CJXL \r\n\x87\n",
        ];
        for bytes in others {
            assert_eq!(PhotoFormat::sniff(bytes), None, "{bytes:?}");
        }
        for brands in [
            &[b"avif", b"mif1", b"heic"][..],
            &[b"avis", b"msf1"],
            &[b"mif1", b"avif", b"miaf"],
            &[b"mif1"],
            &[b"isom", b"heic"],
            &[b"mp42", b"isom"],
            &[b"qt  "],
        ] {
            assert_eq!(PhotoFormat::sniff(&ftyp(brands)), None, "{brands:?}");
        }
    }

    #[test]
    fn ftyp_of_a_wrong_size_is_no_photo() {
        let mut bytes = ftyp(&[b"heic", b"mif1"]);
        bytes.extend([0; 4096]);
        for size in [0_u32, 1, 8, 12, 15, 17, 2048, 0xFFFF_FFFF] {
            bytes[..4].copy_from_slice(&size.to_be_bytes());
            assert_eq!(PhotoFormat::sniff(&bytes), None, "size {size}");
        }
    }

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
}
