//! The states of a card and the only ways from one to the next (specification, section 3).

/// Where a card is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardStatus {
    Draft,
    Ordered,
    Active,
}

/// A transition that the table does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a card that is {} cannot become {}", from.as_str(), to.as_str())]
pub struct TransitionError {
    pub from: CardStatus,
    pub to: CardStatus,
}

impl CardStatus {
    pub const ALL: [CardStatus; 3] = [CardStatus::Draft, CardStatus::Ordered, CardStatus::Active];

    /// As it stands in rows and in the schema.
    pub const fn as_str(self) -> &'static str {
        match self {
            CardStatus::Draft => "DRAFT",
            CardStatus::Ordered => "ORDERED",
            CardStatus::Active => "ACTIVE",
        }
    }

    /// Reads what [`CardStatus::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// The transition table: DRAFT to ORDERED, ORDERED to ACTIVE, nothing else.
    pub fn advance_to(self, to: CardStatus) -> Result<CardStatus, TransitionError> {
        match (self, to) {
            (CardStatus::Draft, CardStatus::Ordered) | (CardStatus::Ordered, CardStatus::Active) => Ok(to),
            (from, to) => Err(TransitionError { from, to }),
        }
    }

    /// Whether the theme can still be chosen: not once the card is ordered (section 3, rule 2).
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
