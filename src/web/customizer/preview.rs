//! The card as the family sees it in the customizer (decisions S5).
//!
//! - The preview: the page that invitees will see, below a notice with links.
//! - `/bewerken/<card>/<step>/kaart`: the card beside the form of a step, on wide screens. A GET shows the card as it is stored. A POST
//!   takes the form of the step and shows the card as the form would make it; it stores nothing. The script of the pages sends it while
//!   the user types.
//! - The card as a small picture: the cover of a theme, with the name and the portrait of the deceased.

use http::StatusCode;
use maud::{Markup, html};

use super::overview::name_of;
use super::section::{back, frame};
use super::values::{SEEN, Values};
use super::{Step, portrait};
use crate::base::limits;
use crate::model::{Card, CardSection, Rendition, SectionVersion, ThemeImage, path};
use crate::operation::card;
use crate::response;
use crate::web::card::{CardView, Frame, render, round_classes};
use crate::web::context::PageContext;
use crate::web::date;
use crate::web::form::Form;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;
use crate::web::text::error_pages::read_only;
use crate::web::text::{card as words, customizer as text};

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
    Ok(render(context, &view, &Frame { notice: Some(notice), calendar, bar, ..Frame::default() }))
}

/// The last segment of the path.
const CARD: &str = "kaart";

/// Returns the section whose step has the card at this path below the customizer.
pub(super) fn section_beside(rest: &str) -> Option<CardSection> {
    match Step::of(rest.strip_suffix(CARD)?.strip_suffix('/')?)? {
        Step::Section(section) => Some(section),
        Step::Preview | Step::Order => None,
    }
}

/// Shows a card.
pub(super) async fn show_beside(context: &PageContext, user: &SessionUser, card: &Card) -> Outcome {
    let view = CardView::read(context, card, Some(user.partner.clone())).await?;
    let calendar = Some(context.path(&path::customizer(card.id, path::CALENDAR)));
    Ok(render(context, &view, &Frame { calendar, is_inert: true, ..Frame::default() }))
}

/// Shows the card as a form would make it; nothing if the form would be refused.
pub(super) async fn show_edited_beside(
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
        Some(edited) => show_beside(context, user, &edited).await,
        None => Ok(response::empty(StatusCode::NO_CONTENT)),
    }
}

/// The panel with the card, for the page of a section. It is a picture: nothing in it can be pressed or reached by keyboard, but it
/// can be scrolled.
pub(super) fn beside_panel(context: &PageContext, user: &SessionUser, section: CardSection) -> Markup {
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

/// What every small card of a page shows.
pub(super) struct Subject {
    name: String,
    years: Option<String>,
    /// The address of the portrait, once it can be shown, and the classes of its crop.
    portrait: Option<(String, String)>,
}

impl Subject {
    /// Reads what the small cards of a card show.
    pub(super) async fn of(context: &PageContext, card: &Card) -> Outcome<Self> {
        let portrait = match &card.deceased.photo {
            Some(key) => context.services.store.portrait(key).await?,
            None => None,
        };
        let years = date::years(card.deceased.date_of_birth, card.deceased.date_of_death);
        Ok(Self {
            name: name_of(card).unwrap_or_else(|| words::UNNAMED.to_owned()),
            years: (!years.is_empty()).then(|| years.join(" – ")),
            portrait: portrait.map(|portrait| {
                let address = context.local(&context.services.rendition_address(Rendition::Preview, &portrait.photo));
                let point = card.deceased.focal_point.unwrap_or_default();
                (address, round_classes(point, portrait.screen))
            }),
        })
    }

    /// Draws the small card on a picture of its theme.
    pub(super) fn draw(&self, context: &PageContext, cover: Option<&ThemeImage>) -> Markup {
        html! {
            span.mini {
                @if let Some(cover) = cover {
                    img.cover src=(context.local(&context.services.theme_image_address(&cover.key)))
                        alt=(cover.alt_text.as_deref().unwrap_or_default()) width="600" height="400" loading="lazy";
                }
                span.sheet aria-hidden="true" {
                    @if let Some((portrait, crop)) = &self.portrait { img class={ "face " (crop) } src=(portrait) alt="" loading="lazy"; }
                    span.who dir="auto" { (self.name) }
                    @if let Some(years) = &self.years { span.years { (years) } }
                }
            }
        }
    }
}
