//! Orders and who placed them (specification, section 3; decisions S8).

use std::fmt;

use uuid::Uuid;

use super::{Actor, Price};
use crate::base::{Entropy, Timestamp};

/// What a family and the operator call an order: `7K3F-92QM-XD`. No two look alike, and none tells how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderNumber(String);

/// Digits and letters that nobody takes for another (Crockford's base 32).
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

impl OrderNumber {
    /// A new number of 50 random bits.
    pub fn generate(entropy: &Entropy) -> Self {
        let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte % 32)]);
        let letters: Vec<char> = entropy.bytes::<10>().iter().map(letter).collect();
        Self(letters.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-"))
    }

    /// A number that the service itself made.
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

/// An order that a change of a card brings about; the store takes the rest from the card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    pub id: Uuid,
    pub number: OrderNumber,
    /// As it was agreed to.
    pub price: Price,
    pub actor: Actor,
    pub customer: NewCustomer,
}

/// Who orders. The same address of the same partner is the same customer, test and live apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCustomer {
    pub id: Uuid,
    /// For a test card the partner's registered test address (specification, section 5).
    pub email: String,
    pub name: Option<String>,
}

/// An order as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: Uuid,
    pub card_id: Uuid,
    pub partner_id: Uuid,
    /// Absent once its card is deleted, and where an older release let the operator order a card without an address.
    pub customer: Option<Customer>,
    pub number: OrderNumber,
    pub price: Price,
    pub actor: Actor,
    pub test: bool,
    pub ordered_at: Timestamp,
}

/// An order as an invoice counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderLine {
    pub partner_id: Uuid,
    pub ordered_at: Timestamp,
    pub price: Price,
}

/// A customer as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Customer {
    pub id: Uuid,
    pub email: String,
    pub name: Option<String>,
}

/// Who activates an ordered card (decisions S9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CardActivation {
    Automatic,
    Operator,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_number_is_ten_letters_in_groups() {
        let number = OrderNumber::generate(&Entropy::seeded(1)).to_string();
        let groups: Vec<usize> = number.split('-').map(str::len).collect();
        assert_eq!(groups, [4, 4, 2], "{number}");
        assert!(number.bytes().all(|b| b == b'-' || ALPHABET.contains(&b)), "{number}");
        assert_ne!(OrderNumber::generate(&Entropy::seeded(2)).to_string(), number);
    }
}
