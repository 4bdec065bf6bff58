//! The page of one section of the card: shows its fields, saves them, and shows an edit conflict, in which another user has changed the
//! section since the form was made: both sides, and a button for each.

use http::StatusCode;
use maud::{Markup, html};

use super::field::{Errors, Inputs};
use super::portrait::{self, KEPT};
use super::preview::{self, Subject};
use super::values::{self, SEEN, Values};
use super::{Step, onwards};
use crate::base::Patch;
use crate::model::{
    Card, CardSection, PageRequest, PageStart, PhotoKey, SectionVersion, Theme, UserError, path, text as partner_text,
};
use crate::operation::card::{self, CardEdit, EditError};
use crate::request::RequestHead;
use crate::response::{self, Response};
use crate::web::context::PageContext;
use crate::web::error_pages;
use crate::web::form::Form;
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;
use crate::web::text::customizer as text;

/// The parameter of the step after an upload.
const UPLOADED: &str = "opgeslagen";

/// Shows a section of the card.
pub(super) async fn show(
    context: &PageContext,
    head: &RequestHead<'_>,
    user: &SessionUser,
    section: CardSection,
) -> Outcome {
    let is_uploaded = section == CardSection::Portrait && head.parameter(UPLOADED).is_some();
    let notice = is_uploaded.then_some(text::PHOTO_SAVED);
    let seen = SectionVersion::of(&user.card, &[section]);
    section_page(context, user, section, &Values::of(&user.card, section), &seen, &Errors::default(), notice).await
}

/// Saves a section, and redirects to the next step; after an upload to the same step, where the focal point is chosen.
pub(super) async fn save(context: &PageContext, user: &SessionUser, section: CardSection, mut form: Form) -> Outcome {
    let step = Step::Section(section);
    let sent = Values::sent(&form, section);
    let seen = SectionVersion::sent(form.text(SEEN));
    let mut edit = sent.edit(section, seen.clone());
    let mut errors = Errors::default();
    match section {
        CardSection::Portrait => edit.photo = portrait::sent(context, user, &mut form, &mut errors).await?,
        // A theme is required, and cannot be removed.
        CardSection::Theme if sent.get(values::THEME).is_empty() => {
            if user.card.theme_id.is_some() || !user.card.status.theme_is_open() {
                return Ok(response::see_other(&onwards(context, &user.card, step)));
            }
            errors.add(values::THEME, text::THEME_CHOOSE);
        }
        _ => {}
    }
    if !errors.is_empty() {
        return section_page(context, user, section, &sent, &seen, &errors, None).await;
    }
    match card::edit(&context.services, user.card.id, edit.clone()).await {
        Ok(card) => {
            portrait::discard_replaced(context, &user.card, &card).await;
            let next = match &edit.photo {
                Patch::Value(_) => format!("{}?{UPLOADED}", context.path(&step.path(card.id))),
                Patch::Absent | Patch::Null => onwards(context, &card, step),
            };
            Ok(response::see_other(&next))
        }
        Err(EditError::Refused(found)) => {
            let errors = assign_errors(found, &sent);
            section_page(context, user, section, &sent, &seen, &errors, None).await
        }
        // Another photo has another point: there is nothing to choose between.
        Err(EditError::Conflict(now)) if section == CardSection::Portrait && edit.photo == Patch::Absent => {
            let user = user.looking_at(*now);
            let (now, seen) = (Values::of(&user.card, section), SectionVersion::of(&user.card, &[section]));
            errors.add(values::FOCAL_POINT, text::PHOTO_CHANGED);
            section_page(context, &user, section, &now, &seen, &errors, None).await
        }
        Err(EditError::Conflict(now)) => conflict_page(context, user, &now, &sent, &edit).await,
        Err(EditError::NotFound) => Ok(error_pages::not_found(context)),
        Err(EditError::Failed(failure)) => Err(failure.into()),
    }
}

/// Shows the portrait again, for a form that was too large to read.
pub(super) async fn photo_too_large(context: &PageContext, user: &SessionUser) -> Outcome {
    let section = CardSection::Portrait;
    let mut errors = Errors::default();
    errors.add(values::PHOTO, text::PHOTO_TOO_LARGE);
    let seen = SectionVersion::of(&user.card, &[section]);
    let mut response =
        section_page(context, user, section, &Values::of(&user.card, section), &seen, &errors, None).await?;
    *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
    Ok(response)
}

async fn conflict_page(
    context: &PageContext,
    user: &SessionUser,
    now: &Card,
    sent: &Values,
    edit: &CardEdit,
) -> Outcome {
    let themes = themes(context, now, edit.section).await?;
    Ok(show_conflict(context, user, now, sent, edit, &themes))
}

/// Assigns the errors of an edit to the fields of the page.
fn assign_errors(found: Vec<UserError>, sent: &Values) -> Errors {
    let mut errors = Errors::default();
    for error in found {
        let field = match error.field.last().copied().unwrap_or_default() {
            "date" => values::FAREWELL,
            "time" => values::FAREWELL_TIME,
            "place" => values::FAREWELL_PLACE,
            "address" => values::FAREWELL_ADDRESS,
            "note" => values::FAREWELL_NOTE,
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
        // The message of the API is about a date as one string; the page has three fields.
        let is_date = error.message == partner_text::DATE_INVALID;
        let message = match is_date {
            true if sent.date(field)[2].is_empty() => text::YEAR_MISSING.to_owned(),
            true => text::DATE_INVALID.to_owned(),
            false => error.message,
        };
        errors.add(field, message);
    }
    errors
}

/// Returns the themes to choose from, in the order of the operator: all offered themes, and the theme of the card even if it
/// is retired. Empty for other sections.
async fn themes(context: &PageContext, card: &Card, section: CardSection) -> Outcome<Vec<Theme>> {
    if section != CardSection::Theme {
        return Ok(Vec::new());
    }
    let all =
        PageRequest { start: PageStart::First, size: engine::Limits::DEFAULT.page_size_max, after: None, before: None };
    let mut themes = context.services.store.themes_page(&all).await?.items;
    if let Some(own) = card.theme_id
        && !themes.iter().any(|theme| theme.id == own)
        && let Some(theme) = context.services.store.theme(own).await?
    {
        let place = themes.partition_point(|other| (other.position, other.number) < (theme.position, theme.number));
        themes.insert(place, theme);
    }
    Ok(themes)
}

async fn section_page(
    context: &PageContext,
    user: &SessionUser,
    section: CardSection,
    values: &Values,
    seen: &SectionVersion,
    errors: &Errors,
    notice: Option<&str>,
) -> Outcome {
    let themes = themes(context, &user.card, section).await?;
    let fields = match section {
        CardSection::Portrait => portrait::fields(context, &user.card, errors).await?,
        CardSection::Theme if !user.card.status.theme_is_open() => {
            let theme = match user.card.theme_id {
                Some(id) => context.services.store.theme(id).await?, // not in `themes` if it is retired
                None => None,
            };
            return Ok(fixed_theme(context, user, theme.as_ref()));
        }
        _ => {
            let subject = Subject::of(context, &user.card).await?;
            Inputs { context, values, errors, themes: &themes, subject: &subject }.show(section)
        }
    };
    let step = Step::Section(section);
    let card = &user.card;
    let is_draft = card.status.theme_is_open();
    let form = html! {
        form method="post" action=(context.path(&step.path(card.id))) novalidate
            enctype=[(section == CardSection::Portrait).then_some("multipart/form-data")] {
            (user.token_field())
            input type="hidden" name=(SEEN) value=(seen.as_str());
            (fields)
            div.actions {
                @if user.may_change() {
                    button { @if is_draft { (text::SAVE_AND_GO_ON) } @else { (text::SAVE) } }
                }
                (back(context, card, step))
            }
        }
    };
    let main = frame(
        context,
        user,
        step,
        html! {
            (errors.summary())
            @match notice {
                Some(notice) => p.saved role="status" { (notice) },
                None => p.intro { (text::section(section).intro) },
            }
            (form)
        },
    );
    let status = if errors.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let title = match errors.is_empty() {
        true => step.title(card).to_owned(),
        false => format!("{}{}", text::ERROR_TITLE, step.title(card)),
    };
    Ok(page::show(context, &user.partner, status, &title, main))
}

/// The page of the theme once the card is ordered, without a choice.
fn fixed_theme(context: &PageContext, user: &SessionUser, chosen: Option<&Theme>) -> Response {
    let step = Step::Section(CardSection::Theme);
    let main = frame(
        context,
        user,
        step,
        html! {
            p { (text::THEME_FIXED) }
            @if let Some(theme) = chosen { p { (text::THEME_NOW) ": " strong { (theme.title) } } }
            div.actions { (back(context, &user.card, step)) }
        },
    );
    page::show(context, &user.partner, StatusCode::OK, step.title(&user.card), main)
}

/// Puts the number, the title and the link to the overview around the content of a step, and next to it the card.
pub(super) fn frame(context: &PageContext, user: &SessionUser, step: Step, content: Markup) -> Markup {
    let card = &user.card;
    html! {
        div.filled-in {
            (user.notice())
            @if card.status.theme_is_open() {
                p.step {
                    span {
                        (text::step_of(step.number(), Step::ALL.len())) " · "
                        a href=(context.path(&path::customizer(card.id, ""))) { (text::ALL_STEPS) }
                    }
                    @if let Some(name) = card.deceased.full_name() { span.whose { (name) } }
                }
                progress.steps max=(Step::ALL.len()) value=(step.number()) aria-hidden="true" {}
            }
            h1 { (step.title(card)) }
            (content)
        }
        @if let Step::Section(section) = step { (preview::beside_panel(context, user, section)) }
    }
}

/// The link to the previous step, or to the overview once the card is ordered.
pub(super) fn back(context: &PageContext, card: &Card, step: Step) -> Markup {
    let before = step.previous().filter(|_| card.status.theme_is_open());
    html! {
        @match before {
            Some(before) => a.button.quiet href=(context.path(&before.path(card.id))) { (text::BACK) },
            None => a.button.quiet href=(context.path(&path::customizer(card.id, ""))) { (text::TO_OVERVIEW) },
        }
    }
}

/// Makes the page with the sent values and the values of the card `now`, and a button for each.
fn show_conflict(
    context: &PageContext,
    user: &SessionUser,
    now: &Card,
    sent: &Values,
    edit: &CardEdit,
    themes: &[Theme],
) -> Response {
    let section = edit.section;
    let step = Step::Section(section);
    let held = Values::of(now, section);
    let their_photo = now.deceased.photo.as_ref();
    let our_photo = match &edit.photo {
        Patch::Value(key) => Some(key),
        Patch::Absent | Patch::Null => None,
    };
    let seen = SectionVersion::of(now, &[section]);
    let main = html! {
        h1 { (text::OVERTAKEN_TITLE) }
        p.intro { (text::OVERTAKEN) }
        div.both {
            section aria-labelledby="yours" {
                h2 #yours { (text::YOURS) }
                (conflict_side(context, section, sent, our_photo, themes))
                form method="post" action=(context.path(&step.path(now.id)))
                    enctype=[(section == CardSection::Portrait).then_some("multipart/form-data")] {
                    (user.token_field())
                    input type="hidden" name=(SEEN) value=(seen.as_str());
                    @for (name, value) in sent.iter() { input type="hidden" name=(name) value=(value); }
                    @match (section, our_photo) {
                        (CardSection::Portrait, Some(key)) => input type="hidden" name=(KEPT) value=(key.as_str());,
                        (CardSection::Portrait, None) => input type="hidden" name="photo_remove" value="ja";,
                        _ => {}
                    }
                    button { (text::TAKE_YOURS) }
                }
            }
            section aria-labelledby="theirs" {
                h2 #theirs { (text::THEIRS) }
                (conflict_side(context, section, &held, their_photo, themes))
                p { a.button.quiet href=(onwards(context, now, step)) { (text::LEAVE_THEIRS) } }
            }
        }
    };
    page::show(context, &user.partner, StatusCode::CONFLICT, text::OVERTAKEN_TITLE, main)
}

/// One of the two sides.
fn conflict_side(
    context: &PageContext,
    section: CardSection,
    values: &Values,
    photo: Option<&PhotoKey>,
    themes: &[Theme],
) -> Markup {
    if section == CardSection::Portrait {
        return html! {
            @match photo {
                Some(key) => p { img.portrait src=(context.local(&context.services.photo_address(key))) alt=(text::PHOTO); },
                None => p { (text::NO_PHOTO) },
            }
        };
    }
    let rows = values.in_words(section, themes);
    html! {
        dl {
            @for (label, value) in &rows {
                dt { (label) }
                dd { @if value.is_empty() { em { (text::NOTHING) } } @else { (value) } }
            }
        }
    }
}
