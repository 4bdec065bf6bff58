//! The page of one part: its fields, what is wrong with them, and the way on.

use http::StatusCode;
use maud::{Markup, html};

use super::inputs::Inputs;
use super::portrait;
use super::step::Step;
use super::values::{self, Values};
use super::{conflict, onwards, see};
use crate::base::limits;
use crate::model::text as partner_text;
use crate::model::{Card, CardSection, PageRequest, PageStart, SectionVersion, Theme, UserError};
use crate::operation::card::{self, CardEdit, EditError};
use crate::web::answer::WebAnswer;
use crate::web::field::Errors;
use crate::web::form::Form;
use crate::web::page_error::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::{customizer as text, field as field_text};
use crate::web::{error_pages, layout};

/// The field of a form that says what the part held when the page was made.
pub(super) const SEEN: &str = "seen";

/// Shows a part as the card holds it.
pub(super) async fn show(site: &Site, visitor: &SessionUser, part: CardSection) -> Outcome {
    let seen = SectionVersion::of(&visitor.card, &[part]);
    page(site, visitor, part, &Values::of(&visitor.card, part), &seen, &Errors::default()).await
}

/// Saves a part, and leads on.
pub(super) async fn save(site: &Site, visitor: &SessionUser, part: CardSection, mut form: Form) -> Outcome {
    let step = Step::Part(part);
    let sent = Values::sent(&form, part);
    let seen = SectionVersion::sent(form.text(SEEN));
    let mut edit = sent.edit(part, seen.clone());
    let mut errors = Errors::default();
    match part {
        CardSection::Portrait => edit.photo = portrait::sent(site, visitor, &mut form, &mut errors).await?,
        // Without a theme the wizard does not go on; one that was chosen before is not taken away.
        CardSection::Theme if sent.get(values::THEME).is_empty() => {
            if visitor.card.theme_id.is_some() || !visitor.card.status.theme_is_open() {
                return Ok(see(&onwards(site, &visitor.card, step)));
            }
            errors.add(values::THEME, text::THEME_CHOOSE);
        }
        _ => {}
    }
    if !errors.is_empty() {
        return page(site, visitor, part, &sent, &seen, &errors).await;
    }
    match card::edit(&site.services, visitor.card.id, edit.clone()).await {
        Ok(card) => {
            portrait::discard_replaced(site, &visitor.card, &card).await;
            Ok(see(&onwards(site, &card, step)))
        }
        Err(EditError::Refused(found)) => {
            let errors = beside_fields(found);
            page(site, visitor, part, &sent, &seen, &errors).await
        }
        Err(EditError::Overtaken(now)) => overtaken(site, visitor, &now, &sent, &edit).await,
        Err(EditError::NotFound) => Ok(error_pages::not_found(site)),
        Err(EditError::Failed(failure)) => Err(failure.into()),
    }
}

async fn overtaken(site: &Site, visitor: &SessionUser, now: &Card, sent: &Values, edit: &CardEdit) -> Outcome {
    let themes = themes(site, now, edit.part).await?;
    Ok(conflict::page(site, visitor, now, sent, edit, &themes))
}

/// The errors of an edit, each beside the field of the page that it is about.
fn beside_fields(found: Vec<UserError>) -> Errors {
    let mut errors = Errors::default();
    for error in found {
        let field = match error.field.last().copied().unwrap_or_default() {
            "themeId" => values::THEME,
            "firstName" => values::FIRST_NAME,
            "lastName" => values::LAST_NAME,
            "dateOfBirth" => values::BIRTH,
            "dateOfDeath" => values::DEATH,
            "photoUrl" => values::PHOTO,
            "livestreamUrl" => values::LIVESTREAM,
            "name" => values::CONTACT_NAME,
            "email" => values::EMAIL,
            _ => values::TEXT,
        };
        // A partner writes a date as one text; the family fills in three fields.
        let is_date = error.message == partner_text::DATE_INVALID;
        errors.add(field, if is_date { field_text::DATE_INVALID.to_owned() } else { error.message });
    }
    errors
}

/// The themes that the family can choose for this card, in the operator's order: those on offer, and the card's own theme
/// even when it is retired. Empty for every other part.
async fn themes(site: &Site, card: &Card, part: CardSection) -> Outcome<Vec<Theme>> {
    if part != CardSection::Theme {
        return Ok(Vec::new());
    }
    let all = PageRequest { start: PageStart::First, size: limits::PAGE_SIZE_MAX, after: None, before: None };
    let mut themes = site.services.store.themes_page(&all).await?.items;
    if let Some(own) = card.theme_id
        && !themes.iter().any(|theme| theme.id == own)
        && let Some(theme) = site.services.store.theme(own).await?
    {
        let place = themes.partition_point(|other| (other.position, other.number) < (theme.position, theme.number));
        themes.insert(place, theme);
    }
    Ok(themes)
}

async fn page(
    site: &Site,
    visitor: &SessionUser,
    part: CardSection,
    values: &Values,
    seen: &SectionVersion,
    errors: &Errors,
) -> Outcome {
    let themes = themes(site, &visitor.card, part).await?;
    let fields = match part {
        CardSection::Portrait => portrait::fields(site, &visitor.card, errors).await?,
        CardSection::Theme if !visitor.card.status.theme_is_open() => {
            let theme = match visitor.card.theme_id {
                Some(id) => site.services.store.theme(id).await?, // it may be retired, and is not among the others then
                None => None,
            };
            return Ok(fixed_theme(site, visitor, theme.as_ref()));
        }
        _ => Inputs { site, values, errors, themes: &themes }.show(part),
    };
    let step = Step::Part(part);
    let card = &visitor.card;
    let is_draft = card.status.theme_is_open();
    let form = html! {
        form method="post" action=(site.path(&step.path(card.id))) novalidate
            enctype=[(part == CardSection::Portrait).then_some("multipart/form-data")] {
            (visitor.token_field())
            input type="hidden" name=(SEEN) value=(seen.as_str());
            (fields)
            div.actions {
                @if visitor.may_change() {
                    button { @if is_draft { (text::SAVE_AND_GO_ON) } @else { (text::SAVE) } }
                }
                (back(site, card, step))
            }
        }
    };
    let main = frame(
        site,
        visitor,
        step,
        html! {
            (errors.summary())
            p.intro { (text::part(part).intro) }
            (form)
        },
    );
    let status = if errors.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let title = match errors.is_empty() {
        true => step.title().to_owned(),
        false => format!("{}{}", text::ERROR_TITLE, step.title()),
    };
    Ok(WebAnswer::page(status, layout::page(site, &title, main)))
}

/// The theme's page once the card is ordered: nothing to choose any more.
fn fixed_theme(site: &Site, visitor: &SessionUser, chosen: Option<&Theme>) -> WebAnswer {
    let step = Step::Part(CardSection::Theme);
    let main = frame(
        site,
        visitor,
        step,
        html! {
            p { (text::THEME_FIXED) }
            @if let Some(theme) = chosen { p { (text::THEME_NOW) ": " strong { (theme.title) } } }
            div.actions { (back(site, &visitor.card, step)) }
        },
    );
    WebAnswer::page(StatusCode::OK, layout::page(site, step.title(), main))
}

/// What stands around every step: where in the row it is, its title, and the way to all of them.
pub(super) fn frame(site: &Site, visitor: &SessionUser, step: Step, content: Markup) -> Markup {
    let card = &visitor.card;
    html! {
        (visitor.notice())
        @if card.status.theme_is_open() {
            p.step {
                (text::step_of(step.number(), Step::ALL.len())) " · "
                a href=(site.path(&format!("/bewerken/{}", card.id))) { (text::ALL_STEPS) }
            }
        }
        h1 { (step.title()) }
        (content)
    }
}

/// The way back: to the step before, or to the overview once the card is ordered.
pub(super) fn back(site: &Site, card: &Card, step: Step) -> Markup {
    let before = step.previous().filter(|_| card.status.theme_is_open());
    html! {
        @match before {
            Some(before) => a.button.quiet href=(site.path(&before.path(card.id))) { (text::BACK) },
            None => a.button.quiet href=(site.path(&format!("/bewerken/{}", card.id))) { (text::TO_OVERVIEW) },
        }
    }
}
