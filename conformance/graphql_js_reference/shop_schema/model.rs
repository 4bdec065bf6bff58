//! The entities of the shop schema: one card, one theme, and a subscription for each id.

use card_service::base::{HttpUrl, Timestamp};
use chrono::NaiveDate;

use crate::graphql_js_reference::v2026_10::WebhookSubscriptionTopic;

#[derive(Clone, Debug)]
pub struct Card {
    /// Its theme cannot be fetched.
    pub gone: bool,
    pub external_dossier_id: Option<String>,
    pub external_funeral_director_id: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub date_of_birth: Option<NaiveDate>,
    pub date_of_death: Option<NaiveDate>,
    pub photo_url: Option<HttpUrl>,
    pub livestream_url: Option<HttpUrl>,
    pub contact_name: Option<String>,
    pub contact_email: Option<String>,
    pub card_url: Option<HttpUrl>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct Theme;

#[derive(Clone, Debug)]
pub struct WebhookSubscription {
    pub topic: WebhookSubscriptionTopic,
    pub callback_url: HttpUrl,
}

pub fn moment(text: &str) -> Timestamp {
    chrono::DateTime::parse_from_rfc3339(text).expect("a moment").to_utc().into()
}

impl Card {
    pub fn new(gone: bool) -> Self {
        let some = |text: &str| Some(text.to_owned());
        let address = |text: &str| Some(HttpUrl::trusted(text));
        Self {
            gone,
            external_dossier_id: some("2026-001234"),
            external_funeral_director_id: some("UV-88"),
            first_name: some("Johanna"),
            last_name: some("van den \"Berg\""),
            date_of_birth: NaiveDate::from_ymd_opt(1941, 3, 9),
            date_of_death: NaiveDate::from_ymd_opt(2026, 10, 1),
            photo_url: address("https://cdn.test/photo.jpg"),
            livestream_url: address("https://live.test/abc"),
            contact_name: some("Pieter van den Berg"),
            contact_email: some("pieter@example.test"),
            card_url: address("https://cards.test/johanna"),
            created_at: moment("2026-10-02T08:15:30.123Z"),
            updated_at: moment("2026-10-03T09:16:31.456Z"),
        }
    }
}
