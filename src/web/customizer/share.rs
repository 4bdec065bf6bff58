//! The part of the page after the order that shows the card and leads on: its address to share, or to the invitee list.

use http::header::SET_COOKIE;
use maud::{Markup, html};

use super::mini::Subject;
use super::ordered::ordered_path;
use crate::model::{CardStatus, SessionTarget, Theme, Visibility, path};
use crate::operation::invitee;
use crate::response::{self, ResponseExt as _};
use crate::web::context::PageContext;
use crate::web::page::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;
use crate::web::{browser_session, qr, whatsapp};

/// The segment of the form that opens the invitee list.
pub(super) const LIST: &str = "genodigden";

/// Shows the card that is online under `slug`.
pub(super) async fn show(context: &PageContext, user: &SessionUser, slug: &str) -> Outcome<Markup> {
    let card = &user.card;
    let theme = match card.theme_id {
        Some(id) => context.services.store.theme(id).await?,
        None => None,
    };
    let small = Subject::of(context, card).await?.draw(context, theme.as_ref().and_then(Theme::cover));
    let address = context.services.card_address(slug).to_string();
    let own = context.local(&context.services.card_address(slug));
    let is_open = card.visibility == Visibility::Open;
    Ok(html! {
        p { (text::ORDERED_ACTIVE) }
        div.shown { (small) }
        @if is_open {
            p { a.button href=(own) { (text::OPEN_CARD) } }
            h2 { (text::SHARE_TITLE) }
            p { (text::SHARE) }
            p { code.address data-copy=(text::COPY) data-copied=(text::COPIED) { (address) } }
            div.actions {
                a.button.quiet href=(whatsapp::address(card.deceased.full_name().as_deref(), &address)) rel="noopener noreferrer" { (text::WHATSAPP) }
                span data-share=(text::SHARE_BUTTON) data-url=(address) {}
            }
            details { summary { (text::QR) } p { (text::QR_ABOUT) } (qr::draw(&address, text::QR_LABEL)) }
            (list_form(context, user, text::LIST_OPEN, true))
        } @else {
            h2 { (text::INVITE_TITLE) }
            p { (text::INVITE_FIRST) }
            (list_form(context, user, text::LIST_INVITE, false))
            p { a href=(own) { (text::OPEN_CARD) } }
        }
    })
}

/// The button that opens the invitee list.
fn list_form(context: &PageContext, user: &SessionUser, label: &str, quiet: bool) -> Markup {
    html! {
        @if user.may_change() {
            form method="post" action=(context.path(&path::customizer(user.card.id, LIST))) {
                (user.token_field())
                p { button.quiet[quiet] { (label) } }
            }
        }
    }
}

/// Opens the invitee list of an ordered card in this browser.
pub(super) async fn open_list(context: &PageContext, user: &SessionUser) -> Outcome {
    if user.card.status == CardStatus::Draft {
        return Ok(response::see_other(&ordered_path(context, &user.card)));
    }
    let target = SessionTarget::InviteeList;
    let list = response::see_other(&context.path(&path::environment(user.card.id, target)));
    let opened = invitee::open_list(&context.services, &user.session).await?;
    Ok(match opened {
        Some(cookie) => list.with(SET_COOKIE, browser_session::set_cookie(context, user.card.id, target, &cookie)),
        None => list,
    })
}
