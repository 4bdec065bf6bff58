//! Hostile request heads over HTTP/1.1: long, many, malformed, and asked for again and again on one connection.

use super::Input;
use super::random::Random;

const PATHS: [&str; 8] = [
    "/health/live",
    "/docs/2026-10",
    "/docs/2027-01",
    "/partner/api/versions",
    "/partner/api/2026-10/schema.graphql",
    "/media/photo/geen",
    "/kaart/geen",
    "/s/geen",
];

/// A head, or many of them in a row.
pub fn draw(random: &mut Random) -> Input {
    let path = *random.pick(&PATHS);
    let size = random.size(64, 48 * 1024);
    let (name, text) = match random.below(7) {
        0 => ("many headers", format!("GET {path} HTTP/1.1\r\nHost: x\r\n{}\r\n", "a: b\r\n".repeat(size / 6))),
        1 => ("a long header", format!("GET {path} HTTP/1.1\r\nHost: x\r\na: {}\r\n\r\n", "x".repeat(size))),
        2 => ("a long path", format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "../%2e".repeat(size / 6))),
        3 => (
            "a long cookie",
            format!("GET /bewerken/x HTTP/1.1\r\nHost: x\r\ncookie: {}\r\n\r\n", "a=b; ".repeat(size / 5)),
        ),
        4 => (
            "a long Accept",
            format!("GET {path} HTTP/1.1\r\nHost: x\r\naccept: {}*/*\r\n\r\n", "a/b;q=0.1,".repeat(size / 10)),
        ),
        5 => ("noise", (0..size).map(|_| char::from(random.below(127) as u8)).collect()),
        // Sent without a pause, as a client may that does not wait for answers.
        _ => {
            let count = random.size(1, 64);
            let gets = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").repeat(count);
            ("pipelined", gets)
        }
    };
    let name = format!("{name}, {path}, {} bytes", text.len());
    let reads = random.below(4) > 0;
    let connections = if reads { 1 } else { random.size(1, 40) };
    Input { family: "head", name, bytes: text.into_bytes(), connections, reads }
}
