//! Hostile HTTP/2: floods of frames, and answers that are asked for and not taken (RFC 9113).

use super::Input;
use super::random::Random;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const PRIORITY: u8 = 2;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

const SETTINGS_INITIAL_WINDOW_SIZE: u16 = 4;

/// One flood, over one connection or many.
pub fn draw(random: &mut Random) -> Input {
    let count = random.size(8, 4_000);
    let path = *random.pick(&["/docs/2026-10", "/docs/2027-01", "/partner/api/2026-10/schema.graphql", "/health/live"]);
    let mut bytes = PREFACE.to_vec();
    let (name, reads) = match random.below(8) {
        0 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]));
            bytes.extend(frame(PING, 0, 0, b"12345678").repeat(count));
            ("pings".to_owned(), true)
        }
        1 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]).repeat(count));
            ("settings".to_owned(), true)
        }
        2 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]));
            for stream in streams(count) {
                bytes.extend(get(stream, path));
                bytes.extend(frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()));
            }
            (format!("streams that are reset, {path}"), true)
        }
        3 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]));
            bytes.extend(frame(HEADERS, 0, 1, &fields(path)));
            bytes.extend(frame(CONTINUATION, 0, 1, &field("a", &"b".repeat(100))).repeat(count));
            ("continuations".to_owned(), true)
        }
        4 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]));
            bytes.extend(frame(WINDOW_UPDATE, 0, 0, &1_u32.to_be_bytes()).repeat(count));
            bytes.extend(frame(PRIORITY, 0, 3, &[0, 0, 0, 0, 1]).repeat(count));
            ("window updates and priorities".to_owned(), true)
        }
        5 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]));
            // One entry of the dynamic table, and then one byte for each time that it is named (HPACK bomb).
            let mut block = fields(path);
            block.extend([0x40, 1, b'a', 0x7f, 0x81, 0x1e]);
            block.extend("b".repeat(4_000).bytes());
            block.extend(vec![0xbe; count]);
            bytes.extend(frame(HEADERS, END_HEADERS | END_STREAM, 1, &block[..block.len().min(16_384)]));
            ("a field that is repeated by its index".to_owned(), true)
        }
        6 => {
            bytes.extend(frame(SETTINGS, 0, 0, &[]));
            bytes.extend((0..count).flat_map(|_| {
                let noise: Vec<u8> = (0..random.below(64)).map(|_| random.next() as u8).collect();
                frame(random.next() as u8 % 12, random.next() as u8, random.next() as u32 & 0xff, &noise)
            }));
            ("noise".to_owned(), true)
        }
        _ => {
            // No answer can be sent: each stays in the server as long as the server lets it.
            let window = [&SETTINGS_INITIAL_WINDOW_SIZE.to_be_bytes()[..], &0_u32.to_be_bytes()].concat();
            bytes.extend(frame(SETTINGS, 0, 0, &window));
            for stream in streams(64) {
                bytes.extend(get(stream, path));
            }
            (format!("answers that are not taken, {path}"), false)
        }
    };
    let connections = if reads { 1 } else { random.size(1, 50) };
    let name = format!("{name}, {} bytes on {connections} connections", bytes.len());
    Input { family: if reads { "frames" } else { "answers not taken" }, name, bytes, connections, reads }
}

/// The numbers of streams that a client opens: odd ones.
fn streams(count: usize) -> impl Iterator<Item = u32> {
    (0..count as u32).map(|n| 2 * n + 1)
}

fn get(stream: u32, path: &str) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, &fields(path))
}

/// The header fields of a GET, each written out (RFC 7541, section 6.2.2), without compression.
fn fields(path: &str) -> Vec<u8> {
    [field(":method", "GET"), field(":scheme", "http"), field(":path", path), field(":authority", "x")].concat()
}

fn field(name: &str, value: &str) -> Vec<u8> {
    let length = |text: &str| u8::try_from(text.len()).ok().filter(|length| *length < 127).expect("a short text");
    [&[0, length(name)], name.as_bytes(), &[length(value)], value.as_bytes()].concat()
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short frame").to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A body that arrives in many small frames.
pub fn dripped_body(random: &mut Random) -> Input {
    let mut bytes = PREFACE.to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, &[]));
    let mut head = [field(":method", "POST"), field(":scheme", "http")].concat();
    head.extend([field(":path", "/bewerken/x/overledene"), field(":authority", "x")].concat());
    head.extend(field("content-type", "application/x-www-form-urlencoded"));
    let count = random.size(8, 4_000);
    for stream in streams(16) {
        bytes.extend(frame(HEADERS, END_HEADERS, stream, &head));
        bytes.extend(frame(DATA, 0, stream, b"a=b&").repeat(count / 16));
    }
    let name = format!("forms of strangers that never end, {} bytes", bytes.len());
    Input { family: "frames", name, bytes, connections: random.size(1, 20), reads: false }
}
