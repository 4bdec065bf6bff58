//! Reads a card of an address book (vCard 2.1, 3.0 and 4.0; RFC 6350): its name and its address.

use super::Found;

pub(super) fn begins(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("BEGIN:VCARD")
}

pub(super) fn ends(line: &str) -> bool {
    line.trim().eq_ignore_ascii_case("END:VCARD")
}

/// Reads the lines between the first and the last of a card. Of several addresses the preferred one is taken, or the first.
pub(super) fn read(lines: &[&str]) -> Found {
    let (mut name, mut parts, mut emails) = (String::new(), String::new(), Vec::new());
    for line in unfold(lines) {
        let Some((property, value)) = line.split_once(':') else { continue };
        let mut parameters = property.split(';');
        // A group precedes the name of a property: `item1.EMAIL`.
        let key = parameters.next().unwrap_or_default().rsplit('.').next().unwrap_or_default().to_ascii_uppercase();
        let parameters = parameters.map(str::to_ascii_uppercase).collect::<Vec<_>>().join(";");
        let value = if parameters.contains("QUOTED-PRINTABLE") { decode_quoted(value) } else { value.to_owned() };
        match key.as_str() {
            "FN" => name = unescape(&value),
            // Family name; given name; additional names; prefixes; suffixes.
            "N" => {
                let part = |n| value.split(';').nth(n).map(unescape).unwrap_or_default();
                parts = [part(1), part(2), part(0)].join(" ");
            }
            "EMAIL" if parameters.contains("PREF") => emails.insert(0, unescape(&value)),
            "EMAIL" => emails.push(unescape(&value)),
            _ => {}
        }
    }
    emails.truncate(1);
    Found { name: if name.trim().is_empty() { parts } else { name }, emails }
}

/// Joins the lines that continue: the next one begins with a blank (RFC 6350, section 3.2), or this one ends in `=` (vCard 2.1).
fn unfold(lines: &[&str]) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    for line in lines {
        match whole.last_mut() {
            Some(last) if line.starts_with([' ', '\t']) => last.push_str(&line[1..]),
            Some(last) if last.ends_with('=') && last.to_ascii_uppercase().contains("QUOTED-PRINTABLE") => {
                last.pop();
                last.push_str(line);
            }
            _ => whole.push((*line).to_owned()),
        }
    }
    whole
}

fn unescape(value: &str) -> String {
    value
        .replace("\\n", " ")
        .replace("\\N", " ")
        .replace("\\,", ",")
        .replace("\\;", ";")
        .replace("\\\\", "\\")
        .trim()
        .to_owned()
}

/// Decodes quoted-printable text (RFC 2045, section 6.7), which is in UTF-8 or Latin-1.
fn decode_quoted(value: &str) -> String {
    let bytes = value.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let code = value.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code.filter(|_| byte == b'=') {
            Some(code) => {
                out.push(code);
                at += 3;
            }
            None => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|error| error.as_bytes().iter().map(|byte| char::from(*byte)).collect())
}
