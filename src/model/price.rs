//! The price of a card, in euros and including VAT (decisions S8).

use std::fmt;

use crate::base::limits::PRICE_CENTS_MAX;

/// A non-negative amount in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(i64);

impl Price {
    /// The price of a new partner.
    pub const DEFAULT: Price = Price(49_50);

    /// The highest price.
    pub const MAX: Price = Price(PRICE_CENTS_MAX);

    /// A stored amount; `None` if it is negative or above the maximum.
    pub fn from_cents(cents: i64) -> Option<Self> {
        (0..=PRICE_CENTS_MAX).contains(&cents).then_some(Self(cents))
    }

    pub fn cents(self) -> i64 {
        self.0
    }

    /// Parses what an operator types: `49,50`, `49.50` or `49`.
    pub fn parse(text: &str) -> Option<Self> {
        let (euros, cents) = match text.split_once([',', '.']) {
            Some((euros, cents)) if cents.len() == 2 => (euros, cents),
            None => (text, "00"),
            Some(_) => return None,
        };
        let digits = |part: &str| (1..=9).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(euros) || !digits(cents) {
            return None;
        }
        Self::from_cents(euros.parse::<i64>().ok()? * 100 + cents.parse::<i64>().ok()?)
    }
}

impl fmt::Display for Price {
    /// The Dutch format: `€ 49,50`, `€ 1.234,00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (euros, cents) = (self.0 / 100, self.0 % 100);
        match euros / 1000 {
            0 => write!(f, "€ {euros},{cents:02}"),
            thousands => write!(f, "€ {thousands}.{:03},{cents:02}", euros % 1000),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_is_written_in_dutch_and_read_with_comma_or_point() {
        let table = [
            ("49,50", Some("€ 49,50")),
            ("49.50", Some("€ 49,50")),
            ("0", Some("€ 0,00")),
            ("1234", Some("€ 1.234,00")),
            ("99999,99", Some("€ 99.999,99")),
            ("100000", None),
            ("49,5", None),
            ("-1", None),
            ("", None),
            (",50", None),
            ("4 9", None),
            ("49,505", None),
            ("999999999999999999999", None),
        ];
        for (typed, written) in table {
            assert_eq!(Price::parse(typed).map(|price| price.to_string()).as_deref(), written, "{typed:?}");
        }
    }
}
