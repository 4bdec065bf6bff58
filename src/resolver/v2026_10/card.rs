//! The fields of `Card` (specification, sections 2.3 to 2.5).

use std::borrow::Cow;

use crate::base::{GlobalId, HttpUrl, Kind, Timestamp};
use crate::generated::v2026_10::{self, CardStatus, Deceased, FamilyContact};
use crate::graphql::FieldError;
use crate::model::{Card, Theme};
use crate::resolver::{Context, outcome::failed};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Card, self.id)
    }

    async fn theme(&self, cx: &Context) -> Result<Option<Theme>, FieldError> {
        let Some(id) = self.theme_id else { return Ok(None) };
        cx.services.store.theme(id).await.map_err(failed)
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
