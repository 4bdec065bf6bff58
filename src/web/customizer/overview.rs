//! The first page of the customizer: all steps, and which are done.

use http::StatusCode;
use maud::html;

use super::ordered::ordered_path;
use super::step::Step;
use crate::model::{Card, CardSection, CardStatus, Visibility};
use crate::web::context::PageContext;
use crate::web::layout;
use crate::web::page_error::Outcome;
use crate::web::request_head::RequestHead;
use crate::web::response;
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;

/// Shows the overview; redirects to the first step if the card has no theme (specification, section 2.10).
pub(super) fn show(context: &PageContext, head: &RequestHead<'_>, user: &SessionUser) -> Outcome {
    let card = &user.card;
    let is_draft = card.status == CardStatus::Draft;
    if is_draft && card.theme_id.is_none() && head.parts.uri.query().is_none() {
        return Ok(response::see_other(&context.path(&Step::Section(CardSection::Theme).path(card.id))));
    }
    let saved = head.parameter("opgeslagen").is_some();
    let title = name_of(card).map_or_else(|| text::OVERVIEW_TITLE.to_owned(), |name| text::card_of(&name));
    let first_open = Step::ALL.into_iter().find(|step| !step.is_done(card)).unwrap_or(Step::Preview);
    let is_begun = Step::ALL.into_iter().skip(3).any(|step| step.is_done(card));
    let main = html! {
        (user.notice())
        @if saved { p.saved role="status" { (text::SAVED) } }
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
        h2 #steps { (text::STEPS) }
        ol.steps aria-labelledby="steps" {
            @for step in Step::ALL.into_iter().filter(|step| is_draft || *step != Step::Order) {
                li {
                    a href=(context.path(&step.path(card.id))) { (step.title(card)) }
                    @if let Step::Section(_) = step {
                        span.state.done[step.is_done(card)] {
                            @if step.is_done(card) { (text::DONE) } @else { (text::OPEN) }
                        }
                    }
                }
            }
        }
    };
    Ok(response::page(StatusCode::OK, layout::page(context, &user.partner, &title, main)))
}

/// Where the family sees its card: the card itself if everybody can open it, otherwise the preview.
fn address_of(context: &PageContext, card: &Card) -> String {
    match card.online_slug() {
        Some(slug) if card.visibility == Visibility::Open && card.offline_since.is_none() => {
            context.local(&context.services.card_address(slug))
        }
        _ => context.path(&Step::Preview.path(card.id)),
    }
}

/// The name of the deceased, as far as it is known.
pub(super) fn name_of(card: &Card) -> Option<String> {
    let names = [&card.deceased.first_name, &card.deceased.last_name];
    let name = names.into_iter().flatten().map(|name| name.trim()).collect::<Vec<_>>().join(" ");
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}
