//! Ways to pass on the address of a card: a QR code (ISO/IEC 18004) as a drawing in the page, and a message in WhatsApp, which the family
//! sends itself.

use maud::{Markup, html};
use qrcode::{Color, EcLevel, QrCode};
use url::form_urlencoded;

use crate::model::Card;
use crate::text::card::in_memory_of;

/// The white margin around the code, in modules, which readers need.
const QUIET_ZONE: usize = 4;

/// Draws a code of `text`; nothing if it is too long for one. `label` is what a screen reader says.
pub(super) fn draw_qr_code(text: &str, label: &str) -> Markup {
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

/// Returns the address for a message with the name on the card, if there is one, and `link`.
pub(super) fn whatsapp_address(card: &Card, link: &str) -> String {
    let name = card.deceased.full_name();
    let message = name.map_or_else(String::new, |name| in_memory_of(card.lead_in, &name) + "\n") + link;
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("text", &message).finish();
    // WhatsApp documents `%20`; a plus sign of the message is `%2B`.
    format!("https://wa.me/?{}", query.replace('+', "%20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_keeps_its_blanks_line_breaks_and_plus_signs() {
        let mut card = Card::default();
        assert_eq!(whatsapp_address(&card, "a"), "https://wa.me/?text=a");
        card.deceased.first_name = Some("A + B".to_owned());
        assert_eq!(
            whatsapp_address(&card, "https://x/y?z"),
            "https://wa.me/?text=In%20herinnering%20aan%20A%20%2B%20B%0Ahttps%3A%2F%2Fx%2Fy%3Fz"
        );
    }
}
