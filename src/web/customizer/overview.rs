//! The first page of the customizer: every section with its value, and what is still to do.

use http::StatusCode;
use maud::{Markup, html};

use super::order::ordered_path;
use super::{PREVIEW, Step};
use crate::model::{Card, CardSection, CardStatus, Rendition, Theme, Visibility, path};
use crate::request::RequestHead;
use crate::response;
use crate::text::customizer as text;
use crate::text::date;
use crate::web::context::PageContext;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;

/// The most characters of a value.
const VALUE_CHARS: usize = 100;

/// Shows the overview; redirects to the first step if the card has no theme (specification, section 2.10).
pub(super) async fn show(context: &PageContext, head: &RequestHead<'_>, user: &SessionUser) -> Outcome {
    let card = &user.card;
    let is_draft = card.status == CardStatus::Draft;
    if is_draft && card.theme_id.is_none() && head.parts.uri.query().is_none() {
        return Ok(response::see_other(&context.path(&Step::Section(CardSection::Look).path(card.id))));
    }
    let theme = context.services.store.theme_of(card).await?;
    let portrait = context.services.store.portrait_of(card).await?;
    let photo = portrait.map(|portrait| context.services.rendition_address(Rendition::Preview, &portrait.photo));
    let photo = photo.map(|address| context.local(&address));
    let saved = head.parameter("opgeslagen").is_some();
    let title = card.deceased.full_name().map_or_else(|| text::OVERVIEW_TITLE.to_owned(), |name| text::card_of(&name));
    let first_open = Step::ALL.into_iter().find(|step| !step.is_done(card)).unwrap_or(Step::Order);
    let is_begun = Step::ALL.into_iter().skip(1).any(|step| step.is_done(card));
    let main = html! {
        (user.notice())
        @if saved { p.said role="status" { (text::SAVED) } }
        h1 { (title) }
        @if is_draft {
            p.intro { (text::OVERVIEW_DRAFT) }
            p { a.button href=(context.path(&first_open.path(card.id))) {
                @if is_begun { (text::CONTINUE) } @else { (text::BEGIN) }
            } }
        } @else {
            p.intro { (text::OVERVIEW_ORDERED) }
            p { a.button href=(address_of(context, card)) { (text::OPEN_CARD) } }
            p { a href=(ordered_path(context, card)) { (text::YOUR_ORDER) } }
        }
        h2 { (text::STEPS) }
        dl.summary {
            @for section in CardSection::ALL { (row(context, card, section, theme.as_deref(), photo.as_deref())) }
        }
        p {
            a href=(context.path(&path::customizer(card.id, PREVIEW))) { (text::LOOK) }
            @if is_draft { " · " a href=(context.path(&Step::Order.path(card.id))) { (Step::Order.title(card)) } }
        }
    };
    Ok(page::show(context, &user.partner, StatusCode::OK, &title, main))
}

/// A section with its value and the link that changes it.
fn row(context: &PageContext, card: &Card, section: CardSection, theme: Option<&Theme>, photo: Option<&str>) -> Markup {
    let step = Step::Section(section);
    let name = text::noun(section);
    let value = value_of(card, section, theme);
    let change = match step.is_done(card) {
        true => text::CHANGE,
        false => text::FILL_IN,
    };
    html! {
        div {
            dt { (name) }
            dd {
                @if let Some(address) = photo.filter(|_| section == CardSection::Person) {
                    img.thumb src=(address) alt=(text::PHOTO_NOW);
                }
                @if value.is_empty() { span.state { (empty(section)) } } @else { span dir="auto" { (value) } }
            }
            dd.act { a href=(context.path(&step.path(card.id))) { (change) span.unseen { ": " (name) } } }
        }
    }
}

/// What an empty section says: whether an order needs it.
fn empty(section: CardSection) -> &'static str {
    match section {
        CardSection::Look | CardSection::Person | CardSection::Guests => text::OPEN,
        _ => text::OPTIONAL,
    }
}

/// The value of a section in a line; empty if it has none.
fn value_of(card: &Card, section: CardSection, theme: Option<&Theme>) -> String {
    let dates = |dates: &[Option<chrono::NaiveDate>]| {
        let mut days: Vec<_> = dates.iter().flatten().map(|day| date::in_full(*day)).collect();
        days.dedup();
        days.join(" – ")
    };
    let visibility = Some(text::visibility(card.visibility).0.to_owned()).filter(|_| card.theme_id.is_some());
    let parts = match section {
        CardSection::Look => theme
            .map_or([None, None], |theme| [Some(theme.title.clone()), Some(text::layout(card.layout).0.to_owned())]),
        CardSection::Person => {
            let days = dates(&[card.deceased.date_of_birth, card.deceased.date_of_death]);
            [card.deceased.full_name(), Some(days)]
        }
        CardSection::Text => [card.text.clone(), None],
        CardSection::Farewell => [Some(dates(&[card.farewell.date])), card.farewell.location()],
        CardSection::Guests => [visibility, card.family_contact.email.clone()],
    };
    let value = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    match value.char_indices().nth(VALUE_CHARS) {
        Some((end, _)) => format!("{}…", value[..end].trim_end()),
        None => value,
    }
}

/// Where the family sees its card: the card itself if everybody can open it, otherwise the preview.
fn address_of(context: &PageContext, card: &Card) -> String {
    match card.online_slug() {
        Some(slug) if card.visibility == Visibility::Open && card.offline_since.is_none() => {
            context.local(&context.services.card_address(slug))
        }
        _ => context.path(&path::customizer(card.id, PREVIEW)),
    }
}
