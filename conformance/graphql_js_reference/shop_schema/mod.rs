//! Resolvers of the published schema over one card in memory; `shop_schema.mjs` has the same for graphql-js
//! (the engine's instructions are counted over them too).

pub mod model;
mod mutation;

use std::borrow::Cow;
use std::sync::Arc;

use card_service::base::{GlobalId, HttpUrl, Kind, Timestamp};
use card_service::graphql::{FieldError, RequestContext, code};
use uuid::Uuid;

use super::v2026_10::{
    Card, CardStatus, Deceased, FamilyContact, Image, Node, PageInfo, Query, Theme, ThemeConnection, ThemeEdge, Video,
    WebhookHttpEndpoint, WebhookSubscription, WebhookSubscriptionConnection, WebhookSubscriptionEdge,
    WebhookSubscriptionEndpoint, WebhookSubscriptionFormat, WebhookSubscriptionTopic,
};

type Resolved<T> = Result<T, FieldError>;

/// The context of a request to the shop schema.
pub struct Context {
    card: model::Card,
}

impl Default for Context {
    fn default() -> Self {
        Self { card: model::Card::new(false) }
    }
}

impl RequestContext for Context {
    fn request_id(&self) -> &str {
        "req_shop_schema"
    }
}

fn failure(what: &str) -> FieldError {
    FieldError::new(code::INTERNAL_SERVER_ERROR, what)
}

fn text(text: &Option<String>) -> Option<Cow<'_, str>> {
    text.as_deref().map(Cow::Borrowed)
}

fn address(text: &'static str) -> Cow<'static, HttpUrl> {
    Cow::Owned(HttpUrl::trusted(text))
}

fn gid(kind: Kind, last: u128) -> GlobalId {
    GlobalId::new(kind, Uuid::from_u128(last))
}

impl Card for model::Card {
    fn id(&self, _: &Context) -> GlobalId {
        gid(Kind::Card, 7)
    }
    async fn theme(&self, _: &Context) -> Resolved<Option<model::Theme>> {
        if self.gone { Err(failure("the theme is gone")) } else { Ok(Some(model::Theme)) }
    }
    fn external_dossier_id<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        text(&self.external_dossier_id)
    }
    fn external_funeral_director_id<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, str>> {
        text(&self.external_funeral_director_id)
    }
    fn deceased<'a>(&'a self, _: &'a Context) -> Deceased<'a> {
        Deceased {
            first_name: text(&self.first_name),
            last_name: text(&self.last_name),
            date_of_birth: self.date_of_birth,
            date_of_death: self.date_of_death,
            photo_url: self.photo_url.as_ref().map(Cow::Borrowed),
        }
    }
    fn livestream_url<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        self.livestream_url.as_ref().map(Cow::Borrowed)
    }
    fn family_contact<'a>(&'a self, _: &'a Context) -> FamilyContact<'a> {
        FamilyContact { name: text(&self.contact_name), email: text(&self.contact_email) }
    }
    fn status(&self, _: &Context) -> CardStatus {
        CardStatus::Active
    }
    fn card_url<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        self.card_url.as_ref().map(Cow::Borrowed)
    }
    fn test(&self, _: &Context) -> bool {
        true
    }
    fn created_at(&self, _: &Context) -> Timestamp {
        self.created_at
    }
    fn updated_at(&self, _: &Context) -> Timestamp {
        self.updated_at
    }
}

impl Theme for model::Theme {
    fn id(&self, _: &Context) -> GlobalId {
        gid(Kind::Theme, 1)
    }
    fn legacy_resource_id<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed("42")
    }
    fn title<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed("Herfst")
    }
    fn handle<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed("herfst")
    }
    fn description<'a>(&'a self, _: &'a Context) -> Cow<'a, str> {
        Cow::Borrowed("Warme kleuren")
    }
    fn images<'a>(&'a self, _: &'a Context) -> Vec<Image<'a>> {
        vec![
            Image { url: address("https://cdn.test/1.jpg"), alt_text: Some(Cow::Borrowed("blad")) },
            Image { url: address("https://cdn.test/2.jpg"), alt_text: None },
        ]
    }
    fn videos<'a>(&'a self, _: &'a Context) -> Vec<Video<'a>> {
        vec![Video { url: address("https://cdn.test/1.mp4") }]
    }
    fn demo_url<'a>(&'a self, _: &'a Context) -> Option<Cow<'a, HttpUrl>> {
        None
    }
}

impl WebhookSubscription for model::WebhookSubscription {
    fn id(&self, _: &Context) -> GlobalId {
        gid(Kind::WebhookSubscription, 9)
    }
    fn topic(&self, _: &Context) -> WebhookSubscriptionTopic {
        self.topic
    }
    fn endpoint<'a>(&'a self, _: &'a Context) -> WebhookSubscriptionEndpoint<'a> {
        let endpoint = WebhookHttpEndpoint { callback_url: Cow::Borrowed(&self.callback_url) };
        WebhookSubscriptionEndpoint::WebhookHttpEndpoint(endpoint)
    }
    fn format(&self, _: &Context) -> WebhookSubscriptionFormat {
        WebhookSubscriptionFormat::Json
    }
    fn created_at(&self, _: &Context) -> Timestamp {
        model::moment("2026-10-02T08:15:30.123Z")
    }
    fn updated_at(&self, _: &Context) -> Timestamp {
        model::moment("2026-10-03T09:16:31.456Z")
    }
}

const PAGE: PageInfo =
    PageInfo { has_next_page: false, has_previous_page: false, start_cursor: None, end_cursor: None };

impl Query for Context {
    async fn node(&self, id: String) -> Resolved<Option<Node>> {
        Ok(match id.split('/').nth(3) {
            Some("Card") => Some(Node::Card(self.card.clone())),
            Some("Theme") => Some(Node::Theme(model::Theme)),
            _ => None,
        })
    }
    async fn themes(
        &self,
        first: Option<i32>,
        _: Option<String>,
        _: Option<i32>,
        _: Option<String>,
    ) -> Resolved<ThemeConnection> {
        if first.is_some_and(|first| first < 0) {
            return Err(failure("first is negative"));
        }
        let node = Arc::new(model::Theme);
        let edge = ThemeEdge { cursor: Cow::Borrowed("c"), node: Arc::clone(&node) };
        Ok(ThemeConnection { edges: vec![edge], nodes: vec![node], page_info: PAGE })
    }
    async fn theme(&self, id: String) -> Resolved<Option<model::Theme>> {
        Ok((id == "42").then_some(model::Theme))
    }
    async fn card(&self, id: String) -> Resolved<Option<model::Card>> {
        match &*id {
            "boom" => Err(failure("boom")),
            "none" => Ok(None),
            "gone" => Ok(Some(model::Card::new(true))),
            _ => Ok(Some(self.card.clone())),
        }
    }
    async fn webhook_subscriptions(
        &self,
        _: Option<i32>,
        _: Option<String>,
        _: Option<i32>,
        _: Option<String>,
        topics: Option<Vec<WebhookSubscriptionTopic>>,
    ) -> Resolved<WebhookSubscriptionConnection> {
        let callback_url = HttpUrl::trusted("https://a.test/hook");
        let node = |topic| Arc::new(model::WebhookSubscription { topic, callback_url: callback_url.clone() });
        let nodes: Vec<_> = topics.unwrap_or_default().into_iter().map(node).collect();
        let edge = |node: &Arc<model::WebhookSubscription>| WebhookSubscriptionEdge {
            cursor: Cow::Borrowed("c"),
            node: Arc::clone(node),
        };
        Ok(WebhookSubscriptionConnection { edges: nodes.iter().map(edge).collect(), nodes, page_info: PAGE })
    }
}
