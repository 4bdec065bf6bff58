//! The first page of the customizer: every section with its value, and what is still to do.

use http::StatusCode;
use maud::{Markup, html};

use super::order::ordered_path;
use super::{PREVIEW, Step};
use crate::model::{Card, CardSection, CardStatus, Farewell, Rendition, Theme, Visibility, path};
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
    let rows = rows(context, card, CardSection::ALL, VALUE_CHARS).await?;
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
        (rows)
        p {
            a href=(context.path(&path::customizer(card.id, PREVIEW))) { (text::LOOK) }
            @if is_draft { " · " a href=(context.path(&Step::Order.path(card.id))) { (Step::Order.title(card)) } }
        }
    };
    Ok(page::show(context, &user.partner, StatusCode::OK, &title, main))
}

/// Shows sections with their values, of so many characters at most, and the links that change them.
pub(super) async fn rows(
    context: &PageContext,
    card: &Card,
    sections: impl IntoIterator<Item = CardSection>,
    chars_max: usize,
) -> Outcome<Markup> {
    let theme = context.services.store.theme_of(card).await?;
    let portrait = context.services.store.portrait_of(card).await?;
    let photo = portrait.map(|portrait| context.services.rendition_address(Rendition::Preview, &portrait.photo));
    let photo = photo.map(|address| context.local(&address));
    Ok(html! {
        dl.summary {
            @for section in sections {
                @let value = shorten(lines_of(card, section, theme.as_deref()).join("\n"), chars_max);
                (row(context, card, section, &value, photo.as_deref()))
            }
        }
    })
}

/// A section with its value and the link that changes it.
fn row(context: &PageContext, card: &Card, section: CardSection, value: &str, photo: Option<&str>) -> Markup {
    let step = Step::Section(section);
    let name = text::noun(section);
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
        CardSection::Look | CardSection::Person | CardSection::Contact => text::OPEN,
        _ => text::OPTIONAL,
    }
}

/// The value of a section in lines; none if it has no value.
fn lines_of(card: &Card, section: CardSection, theme: Option<&Theme>) -> Vec<String> {
    let lines = match section {
        CardSection::Look => theme.map_or_else(Vec::new, |theme| {
            let [layout, seen_by] = [text::layout(card.layout).0, text::visibility(card.visibility).0];
            vec![Some(theme.title.clone()), Some(layout.to_owned()), Some(seen_by.to_owned())]
        }),
        CardSection::Person => {
            vec![card.deceased.full_name(), date::lifetime(card.deceased.date_of_birth, card.deceased.date_of_death)]
        }
        CardSection::Text => {
            vec![card.text.as_ref().map(|_| text::lead_in(card.lead_in).to_owned()), card.text.clone()]
        }
        CardSection::Farewell => {
            let Farewell { place, address, note, .. } = &card.farewell;
            let broadcast = card.livestream_url.as_ref().map(|url| url.as_str().to_owned());
            vec![date::when(&card.farewell), place.clone(), address.clone(), note.clone(), broadcast]
        }
        CardSection::Contact => vec![card.family_contact.name.clone(), card.family_contact.email.clone()],
    };
    lines.into_iter().flatten().filter(|line| !line.is_empty()).collect()
}

/// The beginning of a value.
fn shorten(value: String, chars_max: usize) -> String {
    match value.char_indices().nth(chars_max) {
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
