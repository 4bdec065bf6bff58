//! The card as it will be, before it is ordered: the very page that its guests will see, below a line with the ways on.

use http::StatusCode;
use maud::html;

use super::part::{back, frame};
use super::step::Step;
use crate::model::CardSection;
use crate::web::answer::WebAnswer;
use crate::web::card::{self, CardView, Frame};
use crate::web::layout;
use crate::web::page_error::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::customizer as text;
use crate::web::text::error_pages::read_only;

/// Shows the card, and the way on to the order.
pub(super) async fn show(site: &Site, visitor: &SessionUser) -> Outcome {
    let card = &visitor.card;
    if card.theme_id.is_none() {
        let theme = Step::Part(CardSection::Theme);
        let content = html! {
            p { (text::PREVIEW_NEEDS_THEME) }
            div.actions {
                a.button href=(site.path(&theme.path(card.id))) { (theme.title()) }
                (back(site, card, Step::Preview))
            }
        };
        let main = frame(site, visitor, Step::Preview, content);
        return Ok(WebAnswer::page(StatusCode::OK, layout::page(site, Step::Preview.title(), main)));
    }
    let is_draft = card.status.theme_is_open();
    let before = Step::Part(CardSection::Contact);
    let notice = html! {
        @if !visitor.may_change() { (read_only(&visitor.partner.name)) " " }
        (text::PREVIEW_TITLE) ". " (text::PREVIEW) " "
        @if is_draft {
            a href=(site.path(&before.path(card.id))) { (text::BACK) } " · "
            a href=(site.path(&Step::Order.path(card.id))) { (text::GO_ON) }
        } @else {
            a href=(site.path(&format!("/bewerken/{}", card.id))) { (text::TO_OVERVIEW) }
        }
    };
    let view = CardView::of(site, card).await?;
    let page = card::render(site, &view, &Frame { notice: Some(notice), ..Frame::default() });
    Ok(WebAnswer::page(StatusCode::OK, page))
}
