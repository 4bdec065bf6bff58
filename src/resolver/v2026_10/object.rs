//! `Card` and its inputs (specification, sections 2.3 to 2.5 and 2.10).

use std::borrow::Cow;

use engine::FieldError;

use crate::base::{GlobalId, HttpUrl, Kind, Timestamp};
use crate::generated::v2026_10;
use crate::generated::v2026_10::{
    CardCreateInput, CardStatus, CardUpdateInput, Deceased, DeceasedInput, FamilyContact, FamilyContactInput, Image,
    Video, WebhookHttpEndpoint, WebhookSubscriptionEndpoint, WebhookSubscriptionFormat, WebhookSubscriptionTopic,
};
use crate::model::{Card, Theme, WebhookSubscription};
use crate::operation::card;
use crate::resolver::Context;
use crate::resolver::context::report_failure;

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Card, self.id)
    }

    async fn theme(&self, cx: &Context) -> Result<Option<Theme>, FieldError> {
        let Some(id) = self.theme_id else { return Ok(None) };
        cx.services.store.theme(id).await.map_err(report_failure)
    }

    fn external_dossier_id<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        Some(Cow::from(&self.external_dossier_id))
    }

    fn external_funeral_director_id<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        self.external_funeral_director_id.as_deref().map(Cow::from)
    }

    fn deceased<'a>(&'a self, cx: &'a Context) -> Deceased<'a> {
        let deceased = &self.deceased;
        Deceased {
            first_name: deceased.first_name.as_deref().map(Cow::from),
            last_name: deceased.last_name.as_deref().map(Cow::from),
            date_of_birth: deceased.date_of_birth,
            date_of_death: deceased.date_of_death,
            photo_url: deceased.photo.as_ref().map(|key| Cow::Owned(cx.services.photo_address(key))),
        }
    }

    fn livestream_url<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        self.livestream_url.as_ref().map(Cow::Borrowed)
    }

    fn family_contact<'a>(&'a self, _: &'a Context) -> FamilyContact<'a> {
        let contact = &self.family_contact;
        FamilyContact { name: contact.name.as_deref().map(Cow::from), email: contact.email.as_deref().map(Cow::from) }
    }

    fn status(&self, _: &Context) -> CardStatus {
        self.status.into()
    }

    fn card_url<'a>(&'a self, cx: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        self.slug.as_deref().map(|slug| Cow::Owned(cx.services.card_address(slug)))
    }

    fn test(&self, _: &Context) -> bool {
        self.test
    }

    fn created_at(&self, _: &Context) -> Timestamp {
        self.created_at
    }

    fn updated_at(&self, _: &Context) -> Timestamp {
        self.updated_at
    }
}

#[allow(clippy::needless_update)] // a later version adds fields, which this one does not send
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
                ..card::CardInput::default()
            },
        }
    }
}

#[allow(clippy::needless_update)] // likewise
impl From<CardUpdateInput> for card::CardInput {
    fn from(input: CardUpdateInput) -> Self {
        Self {
            theme_id: input.theme_id,
            external_funeral_director_id: input.external_funeral_director_id,
            deceased: input.deceased.map(Into::into),
            livestream_url: input.livestream_url,
            family_contact: input.family_contact.map(Into::into),
            ..Self::default()
        }
    }
}

#[allow(clippy::needless_update)] // likewise
impl From<DeceasedInput> for card::DeceasedInput {
    fn from(input: DeceasedInput) -> Self {
        Self {
            first_name: input.first_name,
            last_name: input.last_name,
            date_of_birth: input.date_of_birth,
            date_of_death: input.date_of_death,
            photo_url: input.photo_url,
            ..Self::default()
        }
    }
}

#[allow(clippy::needless_update)] // likewise
impl From<FamilyContactInput> for card::FamilyContactInput {
    fn from(input: FamilyContactInput) -> Self {
        Self { name: input.name, email: input.email, ..Self::default() }
    }
}

impl v2026_10::Theme for Theme {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Theme, self.id)
    }

    fn legacy_resource_id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        self.number.to_string().into()
    }

    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::from(&self.title)
    }

    fn handle<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::from(&self.handle)
    }

    fn description<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::from(&self.description)
    }

    fn images<'a>(&'a self, cx: &'a Context) -> Vec<Image<'a>> {
        let image = |image: &'a crate::model::ThemeImage| Image {
            url: Cow::Owned(cx.services.theme_image_address(&image.key)),
            alt_text: image.alt_text.as_deref().map(Cow::from),
        };
        self.images.iter().map(image).collect()
    }

    fn videos<'a>(&'a self, _: &'a Context) -> Vec<Video<'a>> {
        self.videos.iter().map(|url| Video { url: Cow::Borrowed(url) }).collect()
    }

    fn demo_url<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        self.demo_url.as_ref().map(Cow::Borrowed)
    }
}

impl v2026_10::WebhookSubscription for WebhookSubscription {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::WebhookSubscription, self.id)
    }

    fn topic(&self, _: &Context) -> WebhookSubscriptionTopic {
        self.topic.into()
    }

    fn endpoint<'a>(&'a self, _: &'a Context) -> WebhookSubscriptionEndpoint<'a> {
        let callback_url = Cow::Borrowed(&self.callback_url);
        WebhookSubscriptionEndpoint::WebhookHttpEndpoint(WebhookHttpEndpoint { callback_url })
    }

    fn format(&self, _: &Context) -> WebhookSubscriptionFormat {
        WebhookSubscriptionFormat::Json
    }

    fn created_at(&self, _: &Context) -> Timestamp {
        self.created_at
    }

    fn updated_at(&self, _: &Context) -> Timestamp {
        self.updated_at
    }
}
