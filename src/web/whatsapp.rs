//! Addresses that open WhatsApp with a message about a card, which the family sends itself.

use url::form_urlencoded;

use super::text::card::in_memory_of;

/// Returns the address for a message with the name on the card, if there is one, and `link`.
pub(super) fn address(name: Option<&str>, link: &str) -> String {
    let message = name.map_or_else(String::new, |name| in_memory_of(name) + "\n") + link;
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("text", &message).finish();
    // WhatsApp documents `%20`; a plus sign of the message is `%2B`.
    format!("https://wa.me/?{}", query.replace('+', "%20"))
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn message_keeps_its_blanks_line_breaks_and_plus_signs() {
        assert_eq!(
            address(Some("A + B"), "https://x/y?z"),
            "https://wa.me/?text=In%20herinnering%20aan%20A%20%2B%20B%0Ahttps%3A%2F%2Fx%2Fy%3Fz"
        );
        assert_eq!(address(None, "a"), "https://wa.me/?text=a");
    }
}
