//! What the family is asked about input that is allowed, but often a mistake.

use chrono::{NaiveTime, TimeDelta};

use crate::base::email_address;
use crate::model::{Card, CardSection};
use crate::text::{customizer as text, date};
use crate::web::context::PageContext;

/// A farewell that begins before this time was rather meant for the afternoon.
const EARLIEST: NaiveTime = NaiveTime::from_hms_opt(7, 0, 0).expect("a time");

/// The form field with the questions that the page of the form asks.
pub(super) const ASKED: &str = "asked";

/// Returns the questions about a section.
pub(super) fn about(context: &PageContext, card: &Card, section: CardSection) -> Vec<String> {
    let mut questions = Vec::new();
    match section {
        CardSection::Farewell => {
            let is_past = card.farewell.date.is_some_and(|date| date < context.services.clock.today());
            if is_past && card.slug.is_none() {
                questions.push(text::FAREWELL_PAST.to_owned());
            }
            if let Some(early) = card.farewell.time.filter(|time| *time < EARLIEST) {
                questions.push(text::farewell_early(&date::clock(early), &date::clock(early + TimeDelta::hours(12))));
            }
        }
        CardSection::Contact => {
            let email = card.family_contact.email.as_deref().unwrap_or_default();
            questions.extend(email_address::likely(email).map(|likely| text::email_unlikely(email, &likely)));
        }
        CardSection::Look | CardSection::Person | CardSection::Text => {}
    }
    questions
}
