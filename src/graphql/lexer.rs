//! The tokens of a document, as far as brackets, names and the ends of strings and comments go (GraphQL specification,
//! section 2.1). It never fails and never recurses: it goes over texts that no parser has seen yet.

/// A token. What matters to nobody here is `Other`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `{`, `[` or `(`.
    Open(u8),
    /// `}`, `]` or `)`.
    Close(u8),
    Name(&'a str),
    Colon,
    /// `@`: a directive follows.
    At,
    /// A string with its quotes, of either form.
    String(&'a str),
    Other,
}

/// Goes over a text token by token; each token comes with the byte at which it begins.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    fn slice(&mut self, from: usize, to: usize) -> &'a str {
        self.at = to.min(self.text.len());
        &self.text[from..self.at]
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = (usize, Token<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b'#' => self.at = end_of_comment(bytes, self.at),
                // White space, and commas, which are white space too.
                b' ' | b'\t' | b'\n' | b'\r' | b',' => self.at += 1,
                _ => break,
            }
        }
        let from = self.at;
        let token = match *bytes.get(from)? {
            b'"' if bytes[from..].starts_with(b"\"\"\"") => {
                Token::String(self.slice(from, end_of_block_string(bytes, from + 3)))
            }
            b'"' => Token::String(self.slice(from, end_of_string(bytes, from + 1))),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let length = bytes[from..].iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
                Token::Name(self.slice(from, length.map_or(bytes.len(), |length| from + length)))
            }
            byte => {
                self.at += 1;
                match byte {
                    b'{' | b'[' | b'(' => Token::Open(byte),
                    b'}' | b']' | b')' => Token::Close(byte),
                    b':' => Token::Colon,
                    b'@' => Token::At,
                    _ => Token::Other,
                }
            }
        };
        Some((from, token))
    }
}

fn end_of_comment(bytes: &[u8], from: usize) -> usize {
    let length = bytes[from..].iter().position(|b| matches!(b, b'\n' | b'\r'));
    length.map_or(bytes.len(), |length| from + length)
}

/// Past the closing quote. A string ends with its line, where the parser refuses it: what follows counts again.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\n' | b'\r' => return at,
            // The byte after a backslash can be the first of several: only a quote and a backslash matter here.
            b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => at += 2,
            _ => at += 1,
        }
    }
    at
}

/// Past the three closing quotes of a block string, in which only `\"""` is escaped.
fn end_of_block_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() {
        if bytes[at..].starts_with(b"\\\"\"\"") {
            at += 4;
        } else if bytes[at..].starts_with(b"\"\"\"") {
            return at + 3;
        } else {
            at += 1;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Token};

    fn tokens(text: &str) -> Vec<Token<'_>> {
        Lexer::new(text).map(|(_, token)| token).collect()
    }

    #[test]
    fn brackets_in_strings_and_comments_are_none() {
        let text = "{a(b:\"[{\\\"(\" c:\"\"\"[\\\"\"\"{\"\"\")} # [[[\n}";
        let brackets: Vec<_> =
            tokens(text).into_iter().filter(|t| matches!(t, Token::Open(_) | Token::Close(_))).collect();
        assert_eq!(brackets.len(), 5);
    }

    #[test]
    fn an_unclosed_string_ends_with_its_line() {
        assert_eq!(tokens("\"abc\n{"), [Token::String("\"abc"), Token::Open(b'{')]);
        assert_eq!(tokens("\"abc\\"), [Token::String("\"abc\\")]);
        assert_eq!(tokens("\"\"\"abc"), [Token::String("\"\"\"abc")]);
        assert_eq!(tokens("\"é\\é\""), [Token::String("\"é\\é\"")]);
    }

    #[test]
    fn names_are_whole() {
        assert_eq!(tokens("ab_1:_c"), [Token::Name("ab_1"), Token::Colon, Token::Name("_c")]);
    }
}
