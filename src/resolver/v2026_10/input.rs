//! The inputs of mutations, as the operations take them (specification, section 2.10).

use crate::generated::v2026_10::{
    CardCreateInput, CardUpdateInput, DeceasedInput, FamilyContactInput, WebhookSubscriptionInput,
    WebhookSubscriptionTopic,
};
use crate::operation::{card, webhook};

impl From<CardCreateInput> for card::CreateCard {
    fn from(input: CardCreateInput) -> Self {
        Self {
            external_dossier_id: input.external_dossier_id,
            fields: card::CardInput {
                theme_id: input.theme_id,
                external_funeral_director_id: input.external_funeral_director_id,
                deceased: input.deceased.map(Into::into),
                livestream_url: input.livestream_url,
                family_contact: input.family_contact.map(Into::into),
            },
        }
    }
}

impl From<CardUpdateInput> for card::CardInput {
    fn from(input: CardUpdateInput) -> Self {
        Self {
            theme_id: input.theme_id,
            external_funeral_director_id: input.external_funeral_director_id,
            deceased: input.deceased.map(Into::into),
            livestream_url: input.livestream_url,
            family_contact: input.family_contact.map(Into::into),
        }
    }
}

impl From<DeceasedInput> for card::DeceasedInput {
    fn from(input: DeceasedInput) -> Self {
        Self {
            first_name: input.first_name,
            last_name: input.last_name,
            date_of_birth: input.date_of_birth,
            date_of_death: input.date_of_death,
            photo_url: input.photo_url,
        }
    }
}

impl From<FamilyContactInput> for card::FamilyContactInput {
    fn from(input: FamilyContactInput) -> Self {
        Self { name: input.name, email: input.email }
    }
}

/// The format is left behind: JSON is the only one there is.
pub(super) fn subscribe(topic: WebhookSubscriptionTopic, input: WebhookSubscriptionInput) -> webhook::Subscribe {
    webhook::Subscribe { topic: topic.into(), callback_url: input.callback_url }
}
