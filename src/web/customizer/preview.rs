//! The card as the family sees it in the customizer (decisions S5).
//!
//! - `/bewerken/<card>/voorbeeld`: the page that invitees will see, below a notice with links.
//! - `/bewerken/<card>/<step>/kaart`: the card for a frame of a step. A GET shows the card as it is stored. A POST
//!   takes the form of the step and shows the card as the form would make it; it stores nothing. The script of the pages sends it while
//!   the user types.
//! - The card as a small picture: the cover of a theme, with the name and the portrait of the deceased.

use http::StatusCode;
use maud::{Markup, html};

use super::values::{SEEN, Values};
use super::{Step, portrait};
use crate::base::limits;
use crate::drawing::look_of;
use crate::model::{Card, CardSection, Rendition, SectionVersion, Theme, path};
use crate::operation::card;
use crate::response::{self, Response};
use crate::text::date;
use crate::text::error_pages::read_only;
use crate::text::{card as words, customizer as text};
use crate::web::card::{CardView, Frame, render, render_parts, round_classes};
use crate::web::context::PageContext;
use crate::web::form::Form;
use crate::web::page::Outcome;
use crate::web::session_guard::SessionUser;

/// Shows the preview, with links to the overview and to the order.
pub(super) async fn show(context: &PageContext, user: &SessionUser) -> Outcome {
    let card = &user.card;
    let is_draft = card.status.theme_is_open();
    let notice = html! {
        @if !user.may_change() { (read_only(user.partner.shown_name())) " " }
        (if is_draft { text::PREVIEW_TITLE } else { text::PREVIEW_ORDERED_TITLE }) " "
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
    Ok(render(context, &view, &Frame { notice: Some(notice), calendar, bar, ..Frame::default() }))
}

/// The last segment of the path.
const CARD: &str = "kaart";

/// Returns the step that has the card at this path below the customizer.
pub(super) fn step_beside(rest: &str) -> Option<Step> {
    Step::from_slug(rest.strip_suffix(CARD)?.strip_suffix('/')?)
}

/// Shows a card.
pub(super) async fn show_beside(context: &PageContext, user: &SessionUser, card: &Card) -> Outcome {
    let view = CardView::read(context, card, Some(user.partner.clone())).await?;
    Ok(render_beside(context, card, &view))
}

fn render_beside(context: &PageContext, card: &Card, view: &CardView) -> Response {
    let calendar = Some(context.path(&path::customizer(card.id, path::CALENDAR)));
    render(context, view, &Frame { calendar, is_inert: true, ..Frame::default() })
}

/// Shows the card as a form would make it; nothing if the form would be refused.
pub(super) async fn show_edited_beside(
    context: &PageContext,
    user: &SessionUser,
    section: CardSection,
    form: &Form,
) -> Outcome {
    let mut edit = Values::sent(form, section).edit(section, SectionVersion::from_form(form.text(SEEN)));
    if section == CardSection::Person {
        edit.photo = portrait::removed(form);
    }
    match card::try_edit(&context.services, &user.card, &edit).await? {
        Some(edited) => {
            let mut view = CardView::read(context, &edited, Some(user.partner.clone())).await?;
            view.portrait = portrait::read_unsent(form).or(view.portrait);
            Ok(render_beside(context, &edited, &view))
        }
        None => Ok(response::empty(StatusCode::NO_CONTENT)),
    }
}

/// The card for the page of a section: beside the form, or on a narrow screen over it once its link is pressed. It is a picture:
/// nothing in it can be pressed or reached by keyboard, but it can be scrolled.
pub(super) fn beside_panel(context: &PageContext, user: &SessionUser, section: CardSection) -> Markup {
    // Only on a wide screen do the layouts differ.
    let is_wide = section == CardSection::Look;
    let label = if is_wide { text::LIVE_WIDE } else { text::LIVE };
    let pause = (section != CardSection::Contact && user.may_change()).then_some(limits::LIVE_CARD_PAUSE.as_millis());
    let part = match section {
        CardSection::Person => Some(".portrait"),
        CardSection::Text => Some(".words"),
        CardSection::Farewell => Some(".farewell"),
        CardSection::Look | CardSection::Contact => None,
    };
    html! {
        dialog.live.wide[is_wide] aria-label=(text::LOOK) {
            p { (label) }
            div aria-hidden="true" {
                iframe src=(address_beside(context, &user.card, Step::Section(section))) title=(label) tabindex="-1"
                    loading="lazy" data-pause=[pause] data-part=[part] {}
            }
            form method="dialog" { button.quiet { (text::LOOK_CLOSE) } }
        }
    }
}

/// The card in the page of the order.
pub(super) fn show_inside(context: &PageContext, card: &Card) -> Markup {
    html! {
        div.inside aria-hidden="true" {
            iframe src=(address_beside(context, card, Step::Order)) title=(text::LIVE) tabindex="-1" loading="lazy" {}
        }
    }
}

fn address_beside(context: &PageContext, card: &Card, step: Step) -> String {
    context.path(&[&step.path(card.id), "/", CARD].concat())
}

/// What every small card of a page shows.
pub(super) struct Subject {
    name: String,
    years: Option<String>,
    /// The address of the portrait, once it can be shown, and the classes of its crop.
    portrait: Option<(String, String)>,
}

impl Subject {
    /// Reads what the small cards of a card show.
    pub(super) async fn read(context: &PageContext, card: &Card) -> Outcome<Self> {
        let portrait = context.services.store.portrait_of(card).await?;
        let years = date::years(card.deceased.date_of_birth, card.deceased.date_of_death);
        Ok(Self {
            name: card.deceased.full_name().unwrap_or_else(|| words::UNNAMED.to_owned()),
            years: (!years.is_empty()).then(|| years.join(" – ")),
            portrait: portrait.map(|portrait| {
                let address = context.local(&context.services.rendition_address(Rendition::Preview, &portrait.photo));
                let point = card.deceased.focal_point.unwrap_or_default();
                (address, round_classes(point, portrait.screen))
            }),
        })
    }

    /// Draws the small card, in the colours and letters of a theme.
    pub(super) fn draw(&self, context: &PageContext, theme: Option<&Theme>) -> Markup {
        let look = look_of(theme.map(|theme| theme.handle.as_str())).style.name();
        html! {
            span.mini.(look) {
                @if let Some(cover) = theme.and_then(Theme::cover) {
                    // The name of the theme says what it is.
                    img.cover src=(context.local(&context.services.theme_image_address(&cover.key)))
                        alt="" width="600" height="400" loading="lazy";
                }
                span.sheet aria-hidden="true" {
                    @if let Some((portrait, crop)) = &self.portrait { img class={ "face " (crop) } src=(portrait) alt="" loading="lazy"; }
                    span.who dir="auto" { (render_parts(&self.name)) }
                    @if let Some(years) = &self.years { span.years { (years) } }
                }
            }
        }
    }
}
