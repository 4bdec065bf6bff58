//! The card as it will be, before it is ordered.

use http::StatusCode;
use maud::html;

use super::part::{back, frame};
use super::step::Step;
use crate::model::CardPart;
use crate::web::admission::Visitor;
use crate::web::answer::WebAnswer;
use crate::web::interruption::Outcome;
use crate::web::layout;
use crate::web::site::Site;
use crate::web::text::customizer as text;

/// Shows the card, and the way on to the order.
pub(super) async fn show(site: &Site, visitor: &Visitor) -> Outcome {
    let card = &visitor.card;
    let is_draft = card.status.theme_is_open();
    let content = html! {
        @if card.theme_id.is_none() {
            p { (text::PREVIEW_NEEDS_THEME) }
            p { a.button href=(site.path(&Step::Part(CardPart::Theme).path(card.id))) {
                (text::part(CardPart::Theme).title)
            } }
        } @else {
            p.intro { (text::PREVIEW) }
            div.actions {
                @if is_draft { a.button href=(site.path(&Step::Order.path(card.id))) { (text::GO_ON) } }
                (back(site, card, Step::Preview))
            }
        }
    };
    let main = frame(site, card, Step::Preview, content);
    Ok(WebAnswer::page(StatusCode::OK, layout::page(site, Step::Preview.title(), main)))
}
