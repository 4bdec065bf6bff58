//! Writes JSON strings, and finds the bytes to escape sixteen at a time.
//!
//! serde_json looks at each byte.

/// For each byte: 0 if it is not escaped, `u` if it is written as a number, else the letter of its escape.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 32 {
        table[control] = b'u';
        control += 1;
    }
    table[8] = b'b';
    table[9] = b't';
    table[10] = b'n';
    table[12] = b'f';
    table[13] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// Writes a JSON string with its escapes (RFC 8259, section 7).
pub(super) fn write_string(out: &mut Vec<u8>, text: &str) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let (plain, escaped) = rest.split_at(plain_length(rest));
        out.extend_from_slice(plain);
        let Some((&byte, after)) = escaped.split_first() else { break };
        match ESCAPES[usize::from(byte)] {
            b'u' => {
                let (high, low) = (HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
            letter => out.extend_from_slice(&[b'\\', letter]),
        }
        rest = after;
    }
    out.push(b'"');
}

/// Returns the number of bytes before the first that is escaped.
fn plain_length(bytes: &[u8]) -> usize {
    let (sixteens, rest) = bytes.as_chunks::<16>();
    let plain = sixteens.iter().take_while(|sixteen| !has_escaped(sixteen)).count();
    if plain == sixteens.len() && is_end_plain(bytes, rest) {
        return bytes.len();
    }
    let at = plain * 16;
    at + bytes[at..].iter().position(|byte| ESCAPES[usize::from(*byte)] != 0).unwrap_or(bytes.len() - at)
}

/// Returns true if chunks cover `rest`, fewer than sixteen bytes at the end of `bytes`, and none of their bytes is escaped. Chunks may
/// overlap the bytes before.
fn is_end_plain(bytes: &[u8], rest: &[u8]) -> bool {
    match (bytes.last_chunk::<16>(), rest.first_chunk::<8>(), rest.last_chunk::<8>()) {
        (Some(last), _, _) => !has_escaped(last),
        (None, Some(first), Some(last)) => !has_escaped(first) && !has_escaped(last),
        _ => rest.is_empty(),
    }
}

/// Looks at all bytes without a branch, so that the compiler compares them at once.
fn has_escaped<const N: usize>(bytes: &[u8; N]) -> bool {
    bytes.iter().fold(false, |found, byte| found | (*byte < b' ') | (*byte == b'"') | (*byte == b'\\'))
}

#[cfg(test)]
mod tests {
    use super::{ESCAPES, plain_length, write_string};

    #[test]
    fn bytes_that_are_escaped_are_found_wherever_they_are() {
        for length in 0..40 {
            let plain = vec![b'a'; length];
            assert_eq!(plain_length(&plain), length);
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut bytes = plain.clone();
                    bytes[at] = byte;
                    let expected = if ESCAPES[usize::from(byte)] == 0 { length } else { at };
                    assert_eq!(plain_length(&bytes), expected, "{byte} at {at} of {length}");
                }
            }
        }
    }

    #[test]
    fn strings_are_what_serde_json_writes() {
        let every: String = (0..0x300).filter_map(char::from_u32).collect();
        for text in ["", "a", "12345678", "\"", "\\\\\\", "plain, and then some \n more", "🕯\u{0}é", &every] {
            let mut written = Vec::new();
            write_string(&mut written, text);
            assert_eq!(String::from_utf8(written).ok(), serde_json::to_string(text).ok());
        }
    }
}
