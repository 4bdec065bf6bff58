//! Access tokens: format, checksum and stored form (decisions K1, K2).

use std::fmt;

use sha2::{Digest, Sha256};

use crate::base::{Entropy, text_enum};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARS: usize = 30;
const CHECKSUM_CHARS: usize = 6;

/// The mode of a key. A test key creates test cards and reaches test data only; a live key reaches the whole account
///.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyMode {
    /// Creates real cards, which are invoiced.
    Live,
    /// Creates test cards.
    Test,
}

text_enum!(KeyMode { Live => "live", Test => "test" });

impl KeyMode {
    /// The mode of the key that made a test card or subscription, or a live one.
    pub fn from_test(test: bool) -> Self {
        if test { KeyMode::Test } else { KeyMode::Live }
    }
}

/// A well-formed access token. `Debug` prints only the mode, so that no token gets into a log.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    text: String,
    mode: KeyMode,
}

impl AccessToken {
    /// A new token of 30 random characters.
    pub fn generate(mode: KeyMode, entropy: &Entropy) -> Self {
        let mut text = format!("pcs_{}_", mode.as_str());
        let end = text.len() + RANDOM_CHARS;
        while text.len() < end {
            // 248 is the largest multiple of 62 in a byte, so every character is equally likely.
            let fair = entropy.bytes::<32>().into_iter().filter(|b| *b < 248);
            let missing = end - text.len();
            text.extend(fair.take(missing).map(|b| char::from(ALPHABET[usize::from(b % 62)])));
        }
        text.extend(checksum(&text).map(char::from));
        Self { text, mode }
    }

    /// Parses a token. `None` for a wrong format or checksum, which saves a database query.
    pub fn parse(text: &str) -> Option<Self> {
        let (mode, rest) = text.strip_prefix("pcs_")?.split_once('_')?;
        let mode = KeyMode::parse(mode)?;
        let right = rest.len() == RANDOM_CHARS + CHECKSUM_CHARS && rest.bytes().all(|b| b.is_ascii_alphanumeric());
        if !right {
            return None;
        }
        let (body, sum) = text.split_at(text.len() - CHECKSUM_CHARS);
        (checksum(body) == *sum.as_bytes()).then(|| Self { text: text.to_owned(), mode })
    }

    /// Live or test.
    pub fn mode(&self) -> KeyMode {
        self.mode
    }

    /// The token as text, which is shown once, to the operator.
    pub fn reveal(&self) -> &str {
        &self.text
    }

    /// The SHA-256 of the token, which is stored instead of it.
    pub fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }

    /// The last four characters, which identify a key to an operator.
    pub fn last_four(&self) -> &str {
        &self.text[self.text.len() - 4..]
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AccessToken({})", self.mode.as_str())
    }
}

/// The checksum: six base62 characters of the CRC-32 (ISO-HDLC) of the rest of the token.
fn checksum(body: &str) -> [u8; CHECKSUM_CHARS] {
    let mut rest = crc32fast::hash(body.as_bytes());
    let mut sum = [b'0'; CHECKSUM_CHARS];
    for slot in sum.iter_mut().rev() {
        *slot = ALPHABET[(rest % 62) as usize];
        rest /= 62;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_of_the_decisions_vectors_is_accepted() {
        for (text, mode) in [
            ("pcs_live_00000000000000000000ABCDEFGHIJ3oqv3D", KeyMode::Live),
            ("pcs_test_00000000000000000000ABCDEFGHIJ13o6sa", KeyMode::Test),
        ] {
            assert_eq!(AccessToken::parse(text).expect("the vector is valid").mode(), mode);
        }
    }

    #[test]
    fn token_with_any_character_changed_is_refused() {
        let token = AccessToken::generate(KeyMode::Live, &Entropy::seeded(1));
        for i in 0..token.text.len() {
            let mut bytes = token.text.clone().into_bytes();
            bytes[i] = if bytes[i] == b'x' { b'y' } else { b'x' };
            assert_eq!(AccessToken::parse(std::str::from_utf8(&bytes).unwrap()), None, "changed at {i}");
        }
        assert_eq!(AccessToken::parse(&token.text).as_ref(), Some(&token));
    }
}
