//! Writes JSON strings, and finds the bytes to escape eight at a time (SWAR).
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

/// Returns the number of bytes before the first that is escaped, testing eight at a time. The last eight overlap those before.
fn plain_length(bytes: &[u8]) -> usize {
    let Some(last) = bytes.len().checked_sub(8) else {
        return bytes.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0).unwrap_or(bytes.len());
    };
    let mut at = 0;
    loop {
        let eight = bytes[at..at + 8].try_into().expect("they are eight");
        let escaped = escaped_of_eight(u64::from_le_bytes(eight));
        if escaped != 0 {
            return at + escaped.trailing_zeros() as usize / 8;
        }
        if at == last {
            return bytes.len();
        }
        at = last.min(at + 8);
    }
}

/// Returns a word with the high bit of each escaped byte set; bits above the lowest one may be wrong.
fn escaped_of_eight(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let is = |byte: u8| {
        let zero_where_it_is = word ^ (ONES * u64::from(byte));
        zero_where_it_is.wrapping_sub(ONES) & !zero_where_it_is
    };
    (control | is(b'"') | is(b'\\')) & HIGHS
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
