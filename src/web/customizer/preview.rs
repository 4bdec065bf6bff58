//! The preview: the page that invitees will see, below a notice with links.

use http::StatusCode;
use maud::html;

use super::section::{back, frame};
use super::step::Step;
use crate::model::{CardSection, path};
use crate::web::card::{self, CardView, Frame};
use crate::web::context::PageContext;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;
use crate::web::text::error_pages::read_only;

/// Shows the preview, with links to the previous step and to the order.
pub(super) async fn show(context: &PageContext, user: &SessionUser) -> Outcome {
    let card = &user.card;
    if card.theme_id.is_none() {
        let theme = Step::Section(CardSection::Theme);
        let content = html! {
            p { (text::PREVIEW_NEEDS_THEME) }
            div.actions {
                a.button href=(context.path(&theme.path(card.id))) { (theme.title(card)) }
                (back(context, card, Step::Preview))
            }
        };
        let main = frame(context, user, Step::Preview, content);
        return Ok(page::show(context, &user.partner, StatusCode::OK, Step::Preview.title(card), main));
    }
    let is_draft = card.status.theme_is_open();
    let notice = html! {
        @if !user.may_change() { (read_only(user.partner.shown_name())) " " }
        (Step::Preview.title(card)) ". " (text::PREVIEW) " "
        @if !is_draft { a href=(context.path(&path::customizer(card.id, ""))) { (text::TO_OVERVIEW) } }
    };
    let bar = is_draft.then(|| {
        html! {
            nav.bar aria-label=(text::PREVIEW_BAR) {
                a.button.quiet href=(context.path(&path::customizer(card.id, ""))) { (text::CHANGE_SOMETHING) }
                a.button href=(context.path(&Step::Order.path(card.id))) { (text::TO_ORDER) }
            }
        }
    });
    let calendar = Some(context.path(&path::customizer(card.id, path::CALENDAR)));
    let view = CardView::read(context, card, Some(user.partner.clone())).await?;
    Ok(card::render(context, &view, &Frame { notice: Some(notice), calendar, bar, ..Frame::default() }))
}
