//! A body as receivers change it before they check it: parsed and written again, trimmed, decoded as something else.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// How what was signed differs from the body at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum BodyDifference {
    #[error("The body at hand ends in a line break that was not signed.")]
    LineBreakAdded,
    #[error("What was signed ends in a line break, which the body at hand lacks.")]
    LineBreakMissing,
    #[error("The body at hand has white space around it that was not signed.")]
    SpaceAround,
    #[error("The body at hand begins with a byte order mark that was not signed.")]
    ByteOrderMark,
    #[error("Line ends were turned from LF to CRLF, or back.")]
    LineEnds,
    #[error("The JSON was parsed and written again: only the white space between its parts differs.")]
    Spacing,
    #[error("The JSON was parsed and written again: its fields are in another order.")]
    Order,
    #[error("The JSON was parsed and written again: characters are escaped in another way, as in \\/ or \\u00e9.")]
    Escapes,
    #[error("An empty body was signed: something had read the request before, and nothing was left of it.")]
    Empty,
    #[error("The body was decoded as Latin-1 where it is UTF-8, or back.")]
    Charset,
}

/// The fields of a body in their order (decisions W1), of the envelope and the card together.
const FIELDS: [&str; 17] = [
    "id",
    "type",
    "topic",
    "apiVersion",
    "timestamp",
    "externalDossierId",
    "externalFuneralDirectorId",
    "status",
    "cardUrl",
    "test",
    "sequence",
    "actor",
    "changedFields",
    "data",
    "card",
    "createdAt",
    "updatedAt",
];

/// Every other body that might have been signed, the likeliest first.
pub(super) fn rewritten(body: &[u8]) -> Vec<(Vec<u8>, BodyDifference)> {
    let mut all = Vec::new();
    let mut seen = HashSet::from([body.to_vec()]);
    let mut add = |bytes: Vec<u8>, difference| {
        if seen.insert(bytes.clone()) {
            all.push((bytes, difference));
        }
    };
    let trimmed = body.trim_ascii_end();
    for end in ["", "\n", "\r\n"] {
        let is_added = trimmed.len() + end.len() < body.len();
        let difference = if is_added { BodyDifference::LineBreakAdded } else { BodyDifference::LineBreakMissing };
        add([trimmed, end.as_bytes()].concat(), difference);
    }
    add(body.trim_ascii().to_vec(), BodyDifference::SpaceAround);
    let unmarked = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    add(unmarked.to_vec(), BodyDifference::ByteOrderMark);
    if let Ok(text) = std::str::from_utf8(unmarked) {
        let unix = text.replace("\r\n", "\n");
        add(unix.replace('\n', "\r\n").into_bytes(), BodyDifference::LineEnds);
        add(unix.into_bytes(), BodyDifference::LineEnds);
        add(text.chars().flat_map(latin_1).collect(), BodyDifference::Charset);
    }
    add(unmarked.iter().map(|byte| char::from(*byte)).collect::<String>().into_bytes(), BodyDifference::Charset);
    if let Ok(node) = serde_json::from_slice::<Node>(unmarked) {
        let squeezed = squeezed(trimmed);
        for (text, difference) in written_again(&node) {
            let difference =
                if squeezed == self::squeezed(text.as_bytes()) { BodyDifference::Spacing } else { difference };
            add(format!("{text}\n").into_bytes(), difference);
            add(text.into_bytes(), difference);
        }
    }
    add(Vec::new(), BodyDifference::Empty);
    all
}

/// The id that a body gives itself.
pub(super) fn id_in(body: &[u8]) -> Option<String> {
    let value: serde_json::Value = serde_json::from_slice(body).ok()?;
    Some(value.get("id")?.as_str()?.to_owned())
}

/// A character as one byte of Latin-1, or as it is where it has none.
fn latin_1(c: char) -> Vec<u8> {
    u8::try_from(u32::from(c)).map_or_else(|_| c.to_string().into_bytes(), |byte| vec![byte])
}

/// JSON without the white space between its parts.
fn squeezed(json: &[u8]) -> Vec<u8> {
    let (mut inside, mut escaped) = (false, false);
    let kept = json.iter().copied().filter(|byte| {
        let is_kept = inside || !byte.is_ascii_whitespace();
        match byte {
            b'"' if !escaped => inside = !inside,
            _ => {}
        }
        escaped = inside && *byte == b'\\' && !escaped;
        is_kept
    });
    kept.collect()
}

/// A JSON document in every way in which the usual libraries write it.
fn written_again(node: &Node) -> Vec<(String, BodyDifference)> {
    let mut all = Vec::new();
    for (order, sorting) in [(None, 0), (Some(BodyDifference::Order), 1), (Some(BodyDifference::Order), 2)] {
        let sorted = match sorting {
            0 => node.clone(),
            1 => node.sorted(&|name: &str| FIELDS.iter().position(|field| *field == name)),
            _ => node.sorted(&|name: &str| name.to_owned()),
        };
        for (escape, escapes) in [
            (Escape::Plain, None),
            (Escape::Ascii, Some(BodyDifference::Escapes)),
            (Escape::AsciiAndSlash, Some(BodyDifference::Escapes)),
            (Escape::DotNet, Some(BodyDifference::Escapes)),
        ] {
            for spacing in [Spacing::None, Spacing::AfterEach, Spacing::Lines("  "), Spacing::Lines("    ")] {
                let mut text = String::new();
                sorted.write(&mut text, escape, spacing, 0);
                all.push((text, order.or(escapes).unwrap_or(BodyDifference::Escapes)));
            }
        }
    }
    all
}

/// Which characters a library escapes.
#[derive(Clone, Copy)]
enum Escape {
    /// None but those that have to be: Rust, JavaScript.
    Plain,
    /// All beyond ASCII: Python.
    Ascii,
    /// And the slash: PHP.
    AsciiAndSlash,
    /// In capitals, and what HTML would take: System.Text.Json.
    DotNet,
}

/// The white space that a library writes.
#[derive(Clone, Copy)]
enum Spacing {
    None,
    /// Python's default.
    AfterEach,
    /// Each on a line, indented by this.
    Lines(&'static str),
}

/// JSON whose fields keep their order.
#[derive(Clone)]
enum Node {
    Plain(serde_json::Value),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl Node {
    fn sorted<K: Ord>(&self, key: &impl Fn(&str) -> K) -> Node {
        match self {
            Node::Plain(value) => Node::Plain(value.clone()),
            Node::List(items) => Node::List(items.iter().map(|item| item.sorted(key)).collect()),
            Node::Object(fields) => {
                let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name.clone(), value.sorted(key))).collect();
                fields.sort_by_key(|(name, _)| key(name));
                Node::Object(fields)
            }
        }
    }

    fn write(&self, out: &mut String, escape: Escape, spacing: Spacing, depth: usize) {
        let (open, close) = match self {
            Node::Plain(serde_json::Value::String(text)) => return write_text(out, text, escape),
            Node::Plain(value) => return out.push_str(&value.to_string()),
            Node::List(_) => ('[', ']'),
            Node::Object(_) => ('{', '}'),
        };
        let parts: Vec<(Option<&str>, &Node)> = match self {
            Node::List(items) => items.iter().map(|item| (None, item)).collect(),
            Node::Object(fields) => fields.iter().map(|(name, value)| (Some(name.as_str()), value)).collect(),
            Node::Plain(_) => Vec::new(),
        };
        out.push(open);
        for (index, (name, value)) in parts.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            match spacing {
                Spacing::Lines(indent) => {
                    out.push('\n');
                    out.push_str(&indent.repeat(depth + 1));
                }
                Spacing::AfterEach if index > 0 => out.push(' '),
                _ => {}
            }
            if let Some(name) = name {
                write_text(out, name, escape);
                out.push_str(if matches!(spacing, Spacing::None) { ":" } else { ": " });
            }
            value.write(out, escape, spacing, depth + 1);
        }
        if let (Spacing::Lines(indent), false) = (spacing, parts.is_empty()) {
            out.push('\n');
            out.push_str(&indent.repeat(depth));
        }
        out.push(close);
    }
}

fn write_text(out: &mut String, text: &str, escape: Escape) {
    out.push('"');
    for c in text.chars() {
        let html = matches!(c, '"' | '&' | '\'' | '+' | '<' | '>' | '`');
        match escape {
            Escape::DotNet if html => push_unit(out, u16::try_from(u32::from(c)).unwrap_or_default(), true),
            Escape::AsciiAndSlash if c == '/' => out.push_str("\\/"),
            Escape::Ascii | Escape::AsciiAndSlash | Escape::DotNet if !c.is_ascii() => {
                let upper = matches!(escape, Escape::DotNet);
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| push_unit(out, *unit, upper));
            }
            _ => {
                let quoted = serde_json::Value::from(c.to_string()).to_string();
                out.push_str(&quoted[1..quoted.len() - 1]);
            }
        }
    }
    out.push('"');
}

fn push_unit(out: &mut String, unit: u16, upper: bool) {
    out.push_str(&if upper { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") });
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

macro_rules! plain {
    ($($visit:ident: $ty:ty),*) => {$(
        fn $visit<E>(self, value: $ty) -> Result<Node, E> {
            Ok(Node::Plain(value.into()))
        }
    )*};
}

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    plain!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str, visit_string: String);

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Plain(serde_json::Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Node, A::Error> {
        let mut object = Vec::new();
        while let Some(field) = fields.next_entry()? {
            object.push(field);
        }
        Ok(Node::Object(object))
    }
}
