//! `/bewerken/<card>/<step>/kaart`: the card next to the form of a step, on wide screens (decisions S5).
//!
//! A GET shows the card as it is stored. A POST takes the form of the step and shows the card as the form would make it; it stores
//! nothing. The script of the pages sends it while the user types.

use http::StatusCode;
use maud::{Markup, html};

use super::portrait;
use super::step::Step;
use super::values::{SEEN, Values};
use crate::base::limits;
use crate::model::{Card, CardSection, SectionVersion, path};
use crate::operation::card;
use crate::response;
use crate::web::card::{CardView, Frame, render};
use crate::web::context::PageContext;
use crate::web::form::Form;
use crate::web::page::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;

/// The last segment of the path.
const CARD: &str = "kaart";

/// Returns the section whose step has the card at this path below the customizer.
pub(super) fn section_of(rest: &str) -> Option<CardSection> {
    match Step::of(rest.strip_suffix(CARD)?.strip_suffix('/')?)? {
        Step::Section(section) => Some(section),
        Step::Preview | Step::Order => None,
    }
}

/// Shows a card.
pub(super) async fn show(context: &PageContext, user: &SessionUser, card: &Card) -> Outcome {
    let view = CardView::read(context, card, Some(user.partner.clone())).await?;
    let calendar = Some(context.path(&path::customizer(card.id, path::CALENDAR)));
    Ok(render(context, &view, &Frame { calendar, is_inert: true, ..Frame::default() }))
}

/// Shows the card as a form would make it; nothing if the form would be refused.
pub(super) async fn show_edited(
    context: &PageContext,
    user: &SessionUser,
    section: CardSection,
    form: &Form,
) -> Outcome {
    let mut edit = Values::sent(form, section).edit(section, SectionVersion::sent(form.text(SEEN)));
    if section == CardSection::Portrait {
        edit.photo = portrait::removed(form);
    }
    match card::try_edit(&context.services, &user.card, &edit).await? {
        Some(edited) => show(context, user, &edited).await,
        None => Ok(response::empty(StatusCode::NO_CONTENT)),
    }
}

/// The panel with the card, for the page of a section. It is a picture: nothing in it can be pressed or reached by keyboard, but it
/// can be scrolled.
pub(super) fn panel(context: &PageContext, user: &SessionUser, section: CardSection) -> Markup {
    let address = context.path(&[&Step::Section(section).path(user.card.id), "/", CARD].concat());
    // Only on a wide screen do the layouts differ.
    let is_wide = section == CardSection::Layout;
    let label = if is_wide { text::LIVE_WIDE } else { text::LIVE };
    let is_on_card = !matches!(section, CardSection::Visibility | CardSection::Contact);
    let pause = (is_on_card && user.may_change()).then_some(limits::LIVE_CARD_PAUSE.as_millis());
    html! {
        div.live.wide[is_wide] aria-hidden="true" {
            p { (label) }
            div {
                iframe src=(address) title=(label) tabindex="-1" loading="lazy" data-pause=[pause] data-part=[part(section)] {}
            }
        }
    }
}

/// The part of the card that a section fills in, as a selector.
fn part(section: CardSection) -> Option<&'static str> {
    match section {
        CardSection::Portrait => Some(".portrait"),
        CardSection::Text => Some(".words"),
        CardSection::Farewell => Some(".farewell"),
        CardSection::Broadcast => Some(".broadcast"),
        _ => None,
    }
}
