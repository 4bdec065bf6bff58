//! Hostile documents, bodies and photos.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat};
use serde_json::{Value, json};

use super::{Input, Target};
use crate::app::picture::photo;

/// The bytes of a document, of which one may have 32 KiB, and of a body, of which one may have 256 KiB.
const DOCUMENT_BYTES: [usize; 2] = [4_000, 32_000];
const BODY_BYTES: usize = 250_000;

fn joined(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// `open` again and again, closed as often or not at all.
fn nested(bytes: usize, start: &str, [open, close]: [&str; 2], is_closed: bool) -> String {
    let levels = bytes / (open.len() + close.len());
    format!("{start}{}x{}", open.repeat(levels), close.repeat(if is_closed { levels } else { 0 }))
}

/// A chain or a ring of fragments, each of which spreads the next one so often.
fn fragments(bytes: usize, spreads: usize, is_ring: bool) -> String {
    let levels = bytes / (30 + 10 * spreads);
    let next = |n: usize| if is_ring { (n + 1) % levels } else { n + 1 };
    let fragment = |n| format!("fragment F{n} on Query{{{}}}", format!("...F{} ", next(n)).repeat(spreads));
    format!("{{...F0}}{}", joined(levels, fragment))
}

/// Levels, each of which doubles the fields that are merged below it.
fn merging(levels: usize) -> String {
    let level =
        |inner: String, n| format!("node(id:1){{...on Card{{x{n}:id}}...on Theme{{x{n}:id}}{inner}}}node(id:1){{id}}");
    format!("{{{}}}", (0..levels).fold("id".to_owned(), level))
}

fn documents(bytes: usize) -> Vec<String> {
    let braces = |text: String| format!("{{{text}}}");
    let mut documents = vec![
        merging(12),
        merging(bytes / 70),
        braces(joined(bytes / 16, |n| format!("a{n}:__typename "))),
        braces(format!("__typename{}", "@skip(if:false)".repeat(bytes / 15))),
        format!("query({}){{__typename}}", joined(bytes / 10, |n| format!("$v{n}:Int "))),
        joined(bytes / 24, |n| format!("query Q{n}{{__typename}}")),
        format!("{{__typename}}{}", joined(bytes / 28, |n| format!("fragment F{n} on Query{{x}}"))),
        format!("{{card(id:\"\"\"{}", "\\\"\"\"".repeat(bytes / 4)),
    ];
    documents.extend([1, 2, 40].map(|spreads| fragments(bytes, spreads, false)));
    documents.extend([1, 8].map(|spreads| fragments(bytes, spreads, true)));
    for is_closed in [true, false] {
        documents.extend([
            nested(bytes, "", ["{card(id:1)", "}"], is_closed),
            nested(bytes, "", ["{...", "}"], is_closed),
            nested(bytes, "", ["{...on Query", "}"], is_closed),
            nested(bytes, "{card(id:", ["[", "]"], is_closed),
            nested(bytes, "{card(id:", ["{a:", "}"], is_closed),
            nested(bytes, "query($a:", ["[", "]"], is_closed),
        ]);
    }
    documents.extend(["x", "_", "9", "\"", "#", "\u{feff}", "\\"].map(|word| braces(word.repeat(bytes))));
    documents
}

fn bodies(bytes: usize) -> Vec<String> {
    let with = |variables: Value| json!({ "query": "query($a:Int){__typename}", "variables": variables }).to_string();
    vec![
        "[".repeat(bytes),
        "{\"a\":".repeat(bytes / 5),
        format!("{{\"query\":\"{}\"}}", "\\u0041".repeat(bytes / 6)),
        format!("{{\"query\":\"{}\"}}", "\\ud83d".repeat(bytes / 6)),
        format!("{{{}\"query\":\"{{x}}\"}}", "\"query\":\"{__typename}\",".repeat(bytes / 23)),
        format!("{{\"query\":\"{{x}}\",\"variables\":{{\"a\":{}}}}}", "9".repeat(bytes)),
        with((0..bytes / 16).map(|n| (format!("v{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into()),
        with(json!({ "a": vec![json!({}); bytes / 4] })),
        with(json!({ "a": "x".repeat(bytes - 100) })),
        with((0..100).fold(json!(1), |inner, _| json!({ "a": inner }))),
    ]
}

/// Small photos of many pixels, and damaged ones.
fn photos() -> Vec<(String, Vec<u8>)> {
    let black = |format: ImageFormat, side| {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::ImageLuma8(GrayImage::new(side, side)).write_to(&mut bytes, format).expect("memory takes it");
        (format!("{format:?} of {side} x {side}"), bytes.into_inner())
    };
    let mut photos = Vec::from(
        [(ImageFormat::Png, 4_898), (ImageFormat::Png, 7_000), (ImageFormat::Jpeg, 7_000)]
            .map(|(format, side)| black(format, side)),
    );
    for format in ["jpeg", "png", "webp", "gif", "heic"] {
        let whole = photo(format);
        photos.push((format!("{format}, cut off"), whole[..whole.len() / 2].to_vec()));
        let damage = |(n, byte): (usize, &u8)| if n % 97 == 96 { !byte } else { *byte };
        photos.push((format!("{format}, damaged"), whole.iter().enumerate().map(damage).collect()));
    }
    photos
}

impl Target {
    pub(super) async fn hold_requests(&mut self) {
        let ends =
            DOCUMENT_BYTES.into_iter().flat_map(|bytes| ["", "query Wrong{unknownLeaf}"].map(|end| (bytes, end)));
        let ended = |(bytes, end): (usize, &'static str)| documents(bytes).into_iter().map(move |text| text + end);
        let documents = ends.flat_map(ended).map(|text| ("document", json!({ "query": text }).to_string()));
        let bodies = bodies(BODY_BYTES).into_iter().map(|body| ("body", body));
        for (family, body) in documents.chain(bodies) {
            let (name, bytes) = (body.chars().take(80).collect(), body.len());
            let request = self.post(body);
            self.hold(Input { family, name, request, bytes }).await;
        }
    }

    pub(super) async fn hold_photos(&mut self) {
        let document = "mutation($input: CardCreateInput!) { cardCreate(input: $input) { userErrors { code } } }";
        for (number, (name, photo)) in photos().into_iter().enumerate() {
            let (path, bytes) = (format!("/{number}"), photo.len());
            self.mock_server.photo(&path, "image/png", photo);
            let photo_url = format!("http://{}{path}", self.mock_server.http);
            let input = json!({ "externalDossierId": path, "deceased": { "firstName": "Jan", "photoUrl": photo_url } });
            let body = json!({ "query": document, "variables": { "input": input } }).to_string();
            let bytes = bytes + body.len();
            let request = self.post(body);
            self.hold(Input { family: "photo", name, request, bytes }).await;
        }
    }
}
