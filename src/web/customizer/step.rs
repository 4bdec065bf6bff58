//! The steps of the customizer, from an empty card to an order (decisions S5).

use uuid::Uuid;

use crate::model::{Card, CardSection, CardStatus, path};
use crate::web::context::PageContext;
use crate::web::text::customizer as text;

/// A step of the customizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Fills in a section of the card.
    Section(CardSection),
    Preview,
    Order,
}

impl Step {
    /// In order.
    pub(super) const ALL: [Step; 12] = [
        Step::Section(CardSection::Theme),
        Step::Section(CardSection::Layout),
        Step::Section(CardSection::Visibility),
        Step::Section(CardSection::Names),
        Step::Section(CardSection::Dates),
        Step::Section(CardSection::Portrait),
        Step::Section(CardSection::Text),
        Step::Section(CardSection::Farewell),
        Step::Section(CardSection::Broadcast),
        Step::Section(CardSection::Contact),
        Step::Preview,
        Step::Order,
    ];

    /// Its segment in the path.
    pub(super) const fn slug(self) -> &'static str {
        match self {
            Step::Section(CardSection::Theme) => "thema",
            Step::Section(CardSection::Layout) => "indeling",
            Step::Section(CardSection::Visibility) => "zichtbaarheid",
            Step::Section(CardSection::Names) => "overledene",
            Step::Section(CardSection::Dates) => "datums",
            Step::Section(CardSection::Portrait) => "foto",
            Step::Section(CardSection::Text) => "tekst",
            Step::Section(CardSection::Farewell) => "afscheid",
            Step::Section(CardSection::Broadcast) => "uitzending",
            Step::Section(CardSection::Contact) => "contact",
            Step::Preview => "voorbeeld",
            Step::Order => "bestellen",
        }
    }

    /// Returns the step with this segment.
    pub(super) fn of(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.slug() == slug)
    }

    pub(super) fn title(self, card: &Card) -> &'static str {
        match self {
            Step::Section(CardSection::Theme) if !card.status.theme_is_open() => text::CHOSEN_THEME,
            Step::Preview if !card.status.theme_is_open() => text::PREVIEW_ORDERED_TITLE,
            Step::Section(section) => text::section(section).title,
            Step::Preview => text::PREVIEW_TITLE,
            Step::Order => text::ORDER_TITLE,
        }
    }

    /// Its position, from 1.
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
        path::customizer(card_id, self.slug())
    }

    /// Whether the step is done: an optional section is, once it has a value.
    pub(super) fn is_done(self, card: &Card) -> bool {
        let (deceased, contact) = (&card.deceased, &card.family_contact);
        match self {
            Step::Section(CardSection::Theme) => card.theme_id.is_some(),
            Step::Section(CardSection::Layout | CardSection::Visibility) => card.theme_id.is_some(),
            Step::Section(CardSection::Dates) => deceased.date_of_birth.is_some() && deceased.date_of_death.is_some(),
            Step::Section(CardSection::Contact) => contact.email.is_some(),
            Step::Section(section) => card.section_values(section).any(|value| value.is_some()),
            Step::Preview => false,
            Step::Order => card.status != CardStatus::Draft,
        }
    }
}

/// The page of a placed order.
pub(super) const ORDERED: &str = "besteld";

/// The path that a finished step leads to: the next step, or the overview once the card is ordered.
pub(super) fn onwards(context: &PageContext, card: &Card, step: Step) -> String {
    match step.next() {
        Some(next) if card.status.theme_is_open() => context.path(&next.path(card.id)),
        _ => format!("{}?opgeslagen={}", context.path(&path::customizer(card.id, "")), step.slug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_step_and_the_steps_lead_from_one_to_the_next() {
        for section in CardSection::ALL {
            assert!(Step::ALL.contains(&Step::Section(section)), "{section:?}");
        }
        for pair in Step::ALL.windows(2) {
            assert_eq!((pair[0].next(), pair[1].previous()), (Some(pair[1]), Some(pair[0])));
            assert_eq!(Step::of(pair[0].slug()), Some(pair[0]));
        }
        assert_eq!((Step::ALL[0].previous(), Step::Order.next()), (None, None));
    }
}
