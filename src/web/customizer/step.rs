//! The steps from an empty card to an order: each is a page with an address of its own (decisions S5).

use uuid::Uuid;

use crate::model::{Card, CardPart, CardStatus};
use crate::web::text::customizer as text;

/// A step of the customizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Fills in a part of the card.
    Part(CardPart),
    Preview,
    Order,
}

impl Step {
    /// In their order: first the short wizard, then what the card tells, then the order.
    pub(super) const ALL: [Step; 11] = [
        Step::Part(CardPart::Theme),
        Step::Part(CardPart::Layout),
        Step::Part(CardPart::Visibility),
        Step::Part(CardPart::Names),
        Step::Part(CardPart::Dates),
        Step::Part(CardPart::Portrait),
        Step::Part(CardPart::Text),
        Step::Part(CardPart::Broadcast),
        Step::Part(CardPart::Contact),
        Step::Preview,
        Step::Order,
    ];

    /// Its word in the address.
    pub(super) const fn slug(self) -> &'static str {
        match self {
            Step::Part(CardPart::Theme) => "thema",
            Step::Part(CardPart::Layout) => "indeling",
            Step::Part(CardPart::Visibility) => "zichtbaarheid",
            Step::Part(CardPart::Names) => "overledene",
            Step::Part(CardPart::Dates) => "datums",
            Step::Part(CardPart::Portrait) => "foto",
            Step::Part(CardPart::Text) => "tekst",
            Step::Part(CardPart::Broadcast) => "uitzending",
            Step::Part(CardPart::Contact) => "contact",
            Step::Preview => "voorbeeld",
            Step::Order => "bestellen",
        }
    }

    /// The step with this word in its address.
    pub(super) fn of(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.slug() == slug)
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Step::Part(part) => text::part(part).title,
            Step::Preview => text::PREVIEW_TITLE,
            Step::Order => text::ORDER_TITLE,
        }
    }

    /// Counted from 1.
    pub(super) fn number(self) -> usize {
        Self::ALL.iter().position(|step| *step == self).map_or(0, |index| index + 1)
    }

    pub(super) fn previous(self) -> Option<Step> {
        self.number().checked_sub(2).map(|index| Self::ALL[index])
    }

    pub(super) fn next(self) -> Option<Step> {
        Self::ALL.get(self.number()).copied()
    }

    pub(super) fn path(self, card_id: Uuid) -> String {
        format!("/bewerken/{card_id}/{}", self.slug())
    }

    /// Whether the family has seen to it: a part that may stay empty counts once it holds something.
    pub(super) fn is_done(self, card: &Card) -> bool {
        let (deceased, contact) = (&card.deceased, &card.family_contact);
        match self {
            Step::Part(CardPart::Theme) => card.theme_id.is_some(),
            Step::Part(CardPart::Layout | CardPart::Visibility) => card.theme_id.is_some(),
            Step::Part(CardPart::Names) => deceased.first_name.is_some() || deceased.last_name.is_some(),
            Step::Part(CardPart::Dates) => deceased.date_of_birth.is_some() && deceased.date_of_death.is_some(),
            Step::Part(CardPart::Portrait) => deceased.photo.is_some(),
            Step::Part(CardPart::Text) => card.text.is_some(),
            Step::Part(CardPart::Broadcast) => card.livestream_url.is_some(),
            Step::Part(CardPart::Contact) => contact.email.is_some(),
            Step::Preview => false,
            Step::Order => card.status != CardStatus::Draft,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_step_and_the_steps_lead_from_one_to_the_next() {
        for part in CardPart::ALL {
            assert!(Step::ALL.contains(&Step::Part(part)), "{part:?}");
        }
        for pair in Step::ALL.windows(2) {
            assert_eq!((pair[0].next(), pair[1].previous()), (Some(pair[1]), Some(pair[0])));
            assert_eq!(Step::of(pair[0].slug()), Some(pair[0]));
        }
        assert_eq!((Step::ALL[0].previous(), Step::Order.next()), (None, None));
    }
}
