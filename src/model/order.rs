//! Orders and customers (specification, section 3; decisions S8).

use std::fmt;

use uuid::Uuid;

use super::event::CROCKFORD;
use super::{Actor, Card};
use crate::base::limits::PRICE_CENTS_MAX;
use crate::base::{Entropy, Timestamp};

/// The number of an order, such as `7K3F-92QM-XD`. Numbers are random, so they do not reveal how many orders exist.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderNumber(String);

impl OrderNumber {
    /// A new number of 50 random bits.
    pub fn generate(entropy: &Entropy) -> Self {
        let letter = |byte: &u8| char::from(CROCKFORD[usize::from(byte % 32)]);
        let letters: Vec<char> = entropy.bytes::<10>().iter().map(letter).collect();
        Self(letters.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-"))
    }

    /// A number from the database.
    pub fn trusted(number: impl Into<String>) -> Self {
        Self(number.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for OrderNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A new order. The store takes the other fields from the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    pub id: Uuid,
    pub number: OrderNumber,
    /// The price that the customer agreed to.
    pub price: Price,
    pub actor: Actor,
    pub customer: NewCustomer,
}

/// A new customer. One address is one customer for each partner, with test and live apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCustomer {
    pub id: Uuid,
    /// For a test card, the test address of the partner (specification, section 5).
    pub email: String,
    pub name: Option<String>,
}

/// An order as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: Uuid,
    pub card_id: Uuid,
    pub partner_id: Uuid,
    /// `None` after the card is deleted.
    pub customer: Option<Customer>,
    pub number: OrderNumber,
    pub price: Price,
    pub actor: Actor,
    pub test: bool,
    pub ordered_at: Timestamp,
}

impl Order {
    /// The address of the order's mails: the contact's as it is, or the one at the time of the order if the contact has none. For a test
    /// card the test address at that time.
    pub fn address<'a>(&'a self, card: &'a Card) -> Option<&'a str> {
        let contact = card.family_contact.email.as_deref().filter(|_| !card.test);
        contact.or(self.customer.as_ref().map(|customer| customer.email.as_str()))
    }
}

/// An order as a line of an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    pub partner_id: Uuid,
    pub ordered_at: Timestamp,
    pub price: Price,
    /// The order number.
    pub number: String,
    /// The partner's number of the case; `None` if the card was deleted.
    pub external_dossier_id: Option<String>,
}

/// A customer as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
}

/// Who activates an ordered card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardActivation {
    /// The activation worker, right after the order.
    Automatic,
    /// `card activate`.
    Operator,
}

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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&euros(self.0))
    }
}

/// An amount in the Dutch format: `€ 49,50`, `€ 1.234,00`.
pub fn euros(cents: i64) -> String {
    let mut whole = (cents / 100).to_string();
    for at in (1..whole.len()).rev().filter(|at| (whole.len() - at).is_multiple_of(3)).collect::<Vec<_>>() {
        whole.insert(at, '.');
    }
    format!("€ {whole},{:02}", cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_number_is_ten_letters_in_groups() {
        let number = OrderNumber::generate(&Entropy::seeded(1)).to_string();
        let groups: Vec<usize> = number.split('-').map(str::len).collect();
        assert_eq!(groups, [4, 4, 2], "{number}");
        assert!(number.bytes().all(|b| b == b'-' || CROCKFORD.contains(&b)), "{number}");
        assert_ne!(OrderNumber::generate(&Entropy::seeded(2)).to_string(), number);
    }

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
