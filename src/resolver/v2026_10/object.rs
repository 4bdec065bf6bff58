//! The objects, inputs and enums of the schema, and the types of the model that they show (specification, section 2).

use std::borrow::Cow;
use std::sync::Arc;

use dated_graphql::FieldError;

use crate::base::{GlobalId, HttpUrl, Kind, Timestamp};
use crate::generated::v2026_10::{
    self, CardCreateInput, CardSessionTarget, CardStatus, CardUpdateInput, CardUserError, CardUserErrorCode, Deceased,
    DeceasedInput, FamilyContact, FamilyContactInput, Image, PageInfo, ThemeConnection, ThemeEdge, Video,
    WebhookHttpEndpoint, WebhookSubscriptionConnection, WebhookSubscriptionEdge, WebhookSubscriptionEndpoint,
    WebhookSubscriptionFormat, WebhookSubscriptionTopic, WebhookSubscriptionUserError,
    WebhookSubscriptionUserErrorCode,
};
use crate::model::{self, Card, Page, Theme, UserError, UserErrorCode, WebhookSubscription};
use crate::operation::card;
use crate::resolver::page::CursorKey;
use crate::resolver::{Context, report_failure};

impl v2026_10::Card for Card {
    fn id(&self, _: &Context) -> GlobalId {
        GlobalId::new(Kind::Card, self.id)
    }

    async fn theme(&self, cx: &Context) -> Result<Option<Arc<Theme>>, FieldError> {
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
        let image = |image: &'a model::ThemeImage| Image {
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

/// Converts an enum to one whose variants have the same names.
macro_rules! same_variants {
    ($from:ty => $to:ty { $($variant:ident),+ }) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value {
                    $(<$from>::$variant => Self::$variant),+
                }
            }
        }
    };
}
pub(in crate::resolver) use same_variants;

same_variants!(model::CardStatus => CardStatus { Draft, Ordered, Active });
same_variants!(model::SessionTarget => CardSessionTarget { Customizer, InviteeList });
same_variants!(CardSessionTarget => model::SessionTarget { Customizer, InviteeList });
same_variants!(model::Topic => WebhookSubscriptionTopic { CardsCreate, CardsUpdate, CardsOrdered, CardsActivated });
same_variants!(WebhookSubscriptionTopic => model::Topic { CardsCreate, CardsUpdate, CardsOrdered, CardsActivated });

impl From<UserError> for CardUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Blank => CardUserErrorCode::Blank,
            UserErrorCode::Invalid => CardUserErrorCode::Invalid,
            UserErrorCode::Taken => CardUserErrorCode::Taken,
            UserErrorCode::NotFound => CardUserErrorCode::NotFound,
            UserErrorCode::Immutable => CardUserErrorCode::Immutable,
            UserErrorCode::Unprocessable => CardUserErrorCode::Unprocessable,
        };
        Self { code: Some(code), field: field(error.field), message: error.message.into() }
    }
}

impl From<UserError> for WebhookSubscriptionUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Blank => Some(WebhookSubscriptionUserErrorCode::Blank),
            UserErrorCode::Invalid => Some(WebhookSubscriptionUserErrorCode::Invalid),
            UserErrorCode::Taken => Some(WebhookSubscriptionUserErrorCode::Taken),
            UserErrorCode::NotFound => Some(WebhookSubscriptionUserErrorCode::NotFound),
            // Reasons without a code in this schema version; `code` is nullable.
            UserErrorCode::Immutable | UserErrorCode::Unprocessable => None,
        };
        Self { code, field: field(error.field), message: error.message.into() }
    }
}

/// The path of an error; `None` if it is about no field.
pub(in crate::resolver) fn field(path: Vec<&'static str>) -> Option<Vec<Cow<'static, str>>> {
    (!path.is_empty()).then(|| path.into_iter().map(Cow::Borrowed).collect())
}

/// The errors of a payload.
pub(in crate::resolver) fn user_errors<E: From<UserError>>(errors: Vec<UserError>) -> Vec<E> {
    errors.into_iter().map(E::from).collect()
}

impl From<Page<Arc<Theme>>> for ThemeConnection {
    fn from(page: Page<Arc<Theme>>) -> Self {
        let cursor = |theme: &Theme| (theme.position, theme.number).to_cursor();
        let (edges, nodes, page_info) = parts(page, cursor, |cursor, node| ThemeEdge { cursor, node });
        Self { edges, nodes, page_info }
    }
}

impl From<Page<WebhookSubscription>> for WebhookSubscriptionConnection {
    fn from(page: Page<WebhookSubscription>) -> Self {
        let cursor = |subscription: &WebhookSubscription| subscription.id.to_cursor();
        let (edges, nodes, page_info) = parts(page, cursor, |cursor, node| WebhookSubscriptionEdge { cursor, node });
        Self { edges, nodes, page_info }
    }
}

/// Returns the edges, the nodes and the `PageInfo` of a page.
pub(in crate::resolver) fn parts<T, E>(
    page: Page<impl Into<Arc<T>>>,
    cursor: impl Fn(&T) -> String,
    edge: impl Fn(Cow<'static, str>, Arc<T>) -> E,
) -> (Vec<E>, Vec<Arc<T>>, PageInfo) {
    let cursor = |item: &Arc<T>| Cow::from(cursor(item));
    let nodes: Vec<Arc<T>> = page.items.into_iter().map(Into::into).collect();
    let page_info = PageInfo {
        has_next_page: page.has_next,
        has_previous_page: page.has_previous,
        start_cursor: nodes.first().map(cursor),
        end_cursor: nodes.last().map(cursor),
    };
    let edges = nodes.iter().map(|node| edge(cursor(node), Arc::clone(node))).collect();
    (edges, nodes, page_info)
}
