//! Whether a JPEG is complete: follows its segments to the end-of-image marker (ITU-T T.81, annex B).

/// Whether the file reaches its end marker. Bytes after it are ignored: phones append videos.
pub(super) fn has_end(jpeg: &[u8]) -> bool {
    let mut rest = jpeg.get(2..).unwrap_or_default(); // after the start-of-image marker
    loop {
        // Any number of fill bytes may precede a marker.
        let Some(start) = rest.iter().position(|byte| *byte != 0xFF) else { return false };
        let marker = rest[start];
        rest = &rest[start + 1..];
        match marker {
            0xD9 => return true,
            0x01 | 0xD0..=0xD8 => {} // no length
            _ => {
                let Some(length) = rest.first_chunk::<2>().map(|bytes| usize::from(u16::from_be_bytes(*bytes))) else {
                    return false;
                };
                let Some(behind) = rest.get(length.max(2)..) else { return false };
                rest = behind;
            }
        }
        if marker == 0xDA {
            // Coded data continues to the next FF that is neither escaped (00) nor a restart marker (D0 to D7).
            let next =
                rest.windows(2).position(|pair| pair[0] == 0xFF && !matches!(pair[1], 0x00 | 0xD0..=0xD7 | 0xFF));
            let Some(next) = next else { return false };
            rest = &rest[next..];
        }
    }
}
