//! A QR code as a drawing in the page (ISO/IEC 18004): the address of a card, for the camera of a phone.

use maud::{Markup, html};
use qrcode::{Color, EcLevel, QrCode};

/// The white margin around the code, in modules, which readers need.
const QUIET_ZONE: usize = 4;

/// Draws a code of `text`; nothing if it is too long for one. `label` is what a screen reader says.
pub(super) fn draw(text: &str, label: &str) -> Markup {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::M) else { return html! {} };
    let (width, side) = (code.width(), code.width() + 2 * QUIET_ZONE);
    let dark = code.to_colors().into_iter().enumerate().filter(|(_, color)| *color == Color::Dark);
    let path: String = dark
        .map(|(index, _)| format!("M{} {}h1v1h-1z", index % width + QUIET_ZONE, index / width + QUIET_ZONE))
        .collect();
    html! {
        svg.qr viewBox={ "0 0 " (side) " " (side) } role="img" aria-label=(label) shape-rendering="crispEdges" {
            rect width=(side) height=(side) fill="#ffffff" {}
            path d=(path) fill="#000000" {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_has_its_quiet_zone_and_finder_patterns() {
        let drawing = draw("https://kaarten.example/kaart/abcdefghijklmnopqrstuv", "een code").into_string();
        let path = drawing.split("<path d=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a path");
        let modules: Vec<(usize, usize)> = path
            .split('M')
            .skip(1)
            .map(|piece| {
                let (x, y) = piece.trim_end_matches("h1v1h-1z").split_once(' ').expect("a place");
                (x.parse().expect("a number"), y.parse().expect("a number"))
            })
            .collect();
        let side = modules.iter().map(|(x, y)| *x.max(y)).max().expect("modules") + 1 + QUIET_ZONE;
        assert!(
            drawing.contains(&format!("viewBox=\"0 0 {side} {side}\"")) && drawing.contains("aria-label=\"een code\"")
        );
        assert!(modules.iter().all(|(x, y)| *x >= QUIET_ZONE && *y >= QUIET_ZONE));
        let other = side - QUIET_ZONE - 7;
        for (left, top) in [(QUIET_ZONE, QUIET_ZONE), (other, QUIET_ZONE), (QUIET_ZONE, other)] {
            for step in 0..7 {
                for place in [(left + step, top), (left + step, top + 6), (left, top + step), (left + 6, top + step)] {
                    assert!(modules.contains(&place), "{place:?}");
                }
            }
            assert!(!modules.contains(&(left + 1, top + 1)) && modules.contains(&(left + 3, top + 3)));
        }
        assert_eq!(draw(&"x".repeat(5_000), "te lang").into_string(), "");
    }
}
