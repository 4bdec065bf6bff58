//! The states of a card and the transitions between them (specification, section 3).

use crate::base::text_enum;

/// The status of a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CardStatus {
    /// Can be edited; not online.
    #[default]
    Draft,
    /// Ordered, and waiting for its activation.
    Ordered,
    /// Online.
    Active,
}

/// A transition that is not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card that is {} cannot become {}", from.as_str(), to.as_str())]
pub struct TransitionError {
    pub from: CardStatus,
    pub to: CardStatus,
}

text_enum!(CardStatus { Draft => "DRAFT", Ordered => "ORDERED", Active => "ACTIVE" });

impl CardStatus {
    /// The transition table: DRAFT to ORDERED and ORDERED to ACTIVE.
    pub fn advance_to(self, to: CardStatus) -> Result<CardStatus, TransitionError> {
        match (self, to) {
            (CardStatus::Draft, CardStatus::Ordered) | (CardStatus::Ordered, CardStatus::Active) => Ok(to),
            (from, to) => Err(TransitionError { from, to }),
        }
    }

    /// Whether the theme can be changed: only until the card is ordered (section 3, rule 2).
    pub fn theme_is_open(self) -> bool {
        self == CardStatus::Draft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_changes_only_along_the_table() {
        let allowed: Vec<_> = CardStatus::ALL
            .into_iter()
            .flat_map(|from| CardStatus::ALL.map(|to| (from, to)))
            .filter(|(from, to)| from.advance_to(*to).is_ok())
            .collect();
        assert_eq!(allowed, [(CardStatus::Draft, CardStatus::Ordered), (CardStatus::Ordered, CardStatus::Active)]);
    }
}
