//! How names are spelled.

/// `WebhookSubscription`, `URL`
pub(super) fn is_pascal(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `externalDossierId`
pub(super) fn is_camel(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// `CARDS_CREATE`
pub(super) fn is_screaming(name: &str) -> bool {
    let known = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let tidy = !name.ends_with('_') && !name.contains("__");
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(known) && tidy
}

/// `CardCreate` of `cardCreate`
pub(super) fn pascal(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_is_told_apart() {
        assert!(is_pascal("URL") && is_pascal("CardCreateInput") && !is_pascal("card") && !is_pascal("Card_Input"));
        assert!(is_camel("id") && is_camel("photoUrl") && !is_camel("PhotoUrl") && !is_camel("photo_url"));
        assert!(is_screaming("JSON") && is_screaming("A_1") && !is_screaming("Json") && !is_screaming("A__B"));
        assert_eq!(pascal("cardCreate"), "CardCreate");
    }
}
