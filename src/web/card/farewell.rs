//! The farewell on the page of a card: when, where, and links to a calendar and a route.

use maud::{Markup, html};
use url::form_urlencoded;

use crate::model::Farewell;
use crate::web::date;
use crate::web::text::card as words;

/// Shows the farewell; `calendar` is the path of its file for calendars.
pub(super) fn show(farewell: &Farewell, calendar: Option<&str>) -> Markup {
    if farewell.is_empty() {
        return html! {};
    }
    html! {
        section.farewell aria-labelledby="afscheid" {
            h2 #afscheid { (words::FAREWELL) }
            @if let Some(day) = farewell.date {
                p.when {
                    time datetime=(moment(farewell)) {
                        (date::with_weekday(day))
                        @if let Some(time) = farewell.time { " " (words::at_time(&date::clock(time))) }
                    }
                }
            }
            @if let Some(place) = &farewell.place { p.where dir="auto" { strong { (place) } } }
            @if let Some(address) = &farewell.address { (lines(address)) }
            @if let Some(note) = &farewell.note { (lines(note)) }
            @if farewell.date.is_some() || farewell.location().is_some() {
                p.ways {
                    @if let Some(path) = calendar.filter(|_| farewell.date.is_some()) {
                        a href=(path) { (words::CALENDAR) } " "
                    }
                    @if let Some(location) = farewell.location() {
                        a href=(route(&location)) rel="noopener noreferrer" { (words::ROUTE) }
                    }
                }
            }
        }
    }
}

fn lines(text: &str) -> Markup {
    html! {
        p dir="auto" { @for (index, line) in text.lines().enumerate() { @if index > 0 { br; } (line) } }
    }
}

/// The date, with its time if that is known, as HTML writes it.
fn moment(farewell: &Farewell) -> String {
    let date = farewell.date.map(|date| date.to_string()).unwrap_or_default();
    match farewell.time {
        Some(time) => format!("{date}T{}", crate::model::time_text(time)),
        None => date,
    }
}

/// A link that opens the map of a phone or of a browser. Nothing is asked there before a person follows it.
fn route(location: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([("api", "1"), ("destination", location)])
        .finish();
    format!("https://www.google.com/maps/dir/?{query}")
}
