//! Lower-case hexadecimal digits.

use std::fmt::Write as _;

/// Returns the bytes as lower-case hexadecimal digits.
pub fn lower_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}"); // a String accepts every write
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_are_two_lower_case_digits_each() {
        assert_eq!(super::lower_hex(&[0, 10, 255]), "000aff");
    }
}
