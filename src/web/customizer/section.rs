//! The page of one section of the card: shows its fields and saves them.

use std::sync::Arc;

use http::StatusCode;
use http::header::SET_COOKIE;
use maud::{Markup, html};

use super::conflict::{self, Conflict};
use super::field::Inputs;
use super::portrait::{self, PLACED};
use super::preview::{self, Subject};
use super::question::{self, ASKED};
use super::values::{self, SEEN, Values};
use super::{PREVIEW, Step, onwards, overview_after};
use crate::base::Patch;
use crate::model::{
    Card, CardSection, PageRequest, PageStart, SectionVersion, Theme, UserError, messages as partner_text, path,
};
use crate::operation::card::{self, EditError};
use crate::request::RequestHead;
use crate::response::{self, ResponseExt as _};
use crate::text::customizer as text;
use crate::text::date;
use crate::web::context::PageContext;
use crate::web::error_pages;
use crate::web::field::Errors;
use crate::web::form::Form;
use crate::web::last_save::{self, SavedBy};
use crate::web::page::{self, Outcome};
use crate::web::session_guard::SessionUser;

/// The parameter of a step that was saved and has something to look at once more.
const SAVED: &str = "opgeslagen";

/// The buttons that save a step and lead back, in the place of links, which would lose what was typed.
const LEAVE: &str = "naar";
const TO_PREVIOUS: &str = "vorige";
const TO_OVERVIEW: &str = "overzicht";

/// Shows a section of the card.
pub(super) async fn show(
    context: &PageContext,
    head: &RequestHead<'_>,
    user: &SessionUser,
    section: CardSection,
) -> Outcome {
    let is_uploaded = section == CardSection::Person && head.parameter(SAVED).is_some();
    let notice = is_uploaded.then_some(text::PHOTO_SAVED);
    let seen = SectionVersion::compute(&user.card, &[section]);
    let values = Values::from_card(&user.card, section);
    let shown = Shown { form: None, values: &values, seen: &seen, errors: &Errors::default(), notice };
    section_page(context, user, section, shown).await
}

/// Saves a section, and redirects to the next step, or back. Redirects to the same step if its page has something to ask that the page of
/// the form did not: a question, or the focal point of a photo.
pub(super) async fn save(
    context: &PageContext,
    head: &RequestHead<'_>,
    user: &SessionUser,
    section: CardSection,
    mut form: Form,
) -> Outcome {
    let step = Step::Section(section);
    let leaves_to = form.text(LEAVE).to_owned();
    let sent = Values::sent(&form, section);
    let seen = SectionVersion::from_form(form.text(SEEN));
    let mut edit = sent.edit(section, seen.clone());
    let mut errors = Errors::default();
    let is_placed = form.has(PLACED);
    match section {
        CardSection::Person => {
            edit.photo = portrait::sent(context, user, &mut form, &mut errors).await?;
            // The point was chosen on the photo that the form showed.
            if matches!(edit.photo, Patch::Value(_)) && !is_placed {
                edit.focal_point = Patch::Absent;
            }
        }
        CardSection::Look if user.card.theme_id.is_none() && leaves_to.is_empty() => {
            if sent.get(values::THEME).is_empty() {
                errors.add(values::THEME, text::THEME_CHOOSE);
            }
            if edit.visibility.is_none() {
                errors.add(values::VISIBILITY, text::VISIBILITY_MISSING);
            }
        }
        _ => {}
    }
    if !errors.is_empty() {
        let shown = Shown { form: Some(&form), values: &sent, seen: &seen, errors: &errors, notice: None };
        return section_page(context, user, section, shown).await;
    }
    let mut edited = card::edit(&context.services, user.card.id, edit.clone()).await;
    let mut saved_by = SavedBy::SomebodyElse;
    if let Err(EditError::Conflict(now)) = &edited {
        let version = SectionVersion::compute(now, &[section]);
        saved_by = SavedBy::find(head, &form, version.as_str());
        if saved_by == SavedBy::ThisForm {
            edit.seen = version;
            edited = card::edit(&context.services, user.card.id, edit.clone()).await;
        }
    }
    match edited {
        Ok(card) => {
            portrait::discard_replaced(context, &user.card, &card).await;
            let same = context.path(&step.path(card.id));
            let questions = question::about(context, &card, section).concat();
            let asks = !questions.is_empty() && questions != form.text(ASKED);
            let next = match (leaves_to.as_str(), step.previous()) {
                (TO_PREVIOUS, Some(previous)) => context.path(&previous.path(card.id)),
                (TO_PREVIOUS | TO_OVERVIEW, _) => overview_after(context, &card, step),
                _ if asks || (matches!(edit.photo, Patch::Value(_)) && !is_placed) => format!("{same}?{SAVED}"),
                _ => onwards(context, &card, step),
            };
            let version = SectionVersion::compute(&card, &[section]);
            Ok(response::see_other(&next).with(SET_COOKIE, last_save::cookie(context, &same, &form, version.as_str())))
        }
        Err(EditError::Refused(found)) => {
            let errors = assign_errors(found, &sent);
            let shown = Shown { form: Some(&form), values: &sent, seen: &seen, errors: &errors, notice: None };
            section_page(context, user, section, shown).await
        }
        Err(EditError::Conflict(now)) => {
            let themes = &themes(context, &now, section).await?;
            let conflict = Conflict { now: &now, form: &form, sent: &sent, edit: &edit, saved_by, themes };
            Ok(conflict::show(context, user, &conflict))
        }
        Err(EditError::NotFound) => Ok(error_pages::not_found(context)),
        Err(EditError::Failed(failure)) => Err(failure.into()),
    }
}

/// Shows a form again whose photo was too large, with the fields before the photo if they were read.
pub(super) async fn photo_too_large(context: &PageContext, user: &SessionUser, form: Option<&Form>) -> Outcome {
    let section = CardSection::Person;
    let errors = Errors::of_field(values::PHOTO, text::PHOTO_TOO_LARGE.to_owned());
    let (values, seen) = match form {
        Some(form) => (Values::sent(form, section), SectionVersion::from_form(form.text(SEEN))),
        None => (Values::from_card(&user.card, section), SectionVersion::compute(&user.card, &[section])),
    };
    let shown = Shown { form, values: &values, seen: &seen, errors: &errors, notice: None };
    let mut response = section_page(context, user, section, shown).await?;
    *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
    Ok(response)
}

/// Assigns the errors of an edit to the fields of the page.
fn assign_errors(found: Vec<UserError>, sent: &Values) -> Errors {
    let mut errors = Errors::default();
    for error in found {
        let field = match error.field.last().copied().unwrap_or_default() {
            "date" => values::FAREWELL,
            "time" => values::FAREWELL_TIME,
            "until" => values::FAREWELL_UNTIL,
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
            "text" => values::TEXT,
            other => {
                tracing::error!(field = other, "a user error is of no field of the page; it is shown at the text");
                values::TEXT
            }
        };
        // The message of the API is about a date as one string; the page has three fields.
        if error.message == partner_text::DATE_INVALID {
            let (part, message) = explain_date(field, sent.date(field));
            errors.add_to_part(field, values::field_of_part(field, part), message);
        } else {
            errors.add(field, error.message);
        }
    }
    errors
}

/// Says what is wrong with a date, and with which part of it first.
fn explain_date(field: &str, [day, month, year]: [&str; 3]) -> (&'static str, String) {
    let (label, example) = match field {
        values::BIRTH => (text::BIRTH, text::BIRTH_HINT),
        values::DEATH => (text::DEATH, text::DEATH_HINT),
        _ => (text::FAREWELL_DATE, text::FAREWELL_HINT),
    };
    let number = month.parse().ok().or_else(|| date::month(month).map(|number| number as usize));
    let is_day = (1..=31).contains(&day.parse().unwrap_or(0_u8));
    let named = number.and_then(|month| date::day_of_month(day, month));
    let is_year = year.len() == 4 && year.bytes().all(|digit| digit.is_ascii_digit());
    match named {
        _ if year.is_empty() => ("year", text::year_missing(label)),
        Some(named) if is_day && is_year => ("day", text::no_such_day(label, &named)),
        _ if !is_day => ("day", text::date_invalid(label, example)),
        None => ("month", text::date_invalid(label, example)),
        Some(_) => ("year", text::date_invalid(label, example)),
    }
}

/// Returns the themes to choose from, in the order of the operator: all offered themes, and the theme of the card even if it
/// is retired. Empty for other sections.
async fn themes(context: &PageContext, card: &Card, section: CardSection) -> Outcome<Vec<Arc<Theme>>> {
    if section != CardSection::Look || !card.status.theme_is_open() {
        return Ok(Vec::new());
    }
    let all = PageRequest {
        start: PageStart::First,
        size: dated_graphql::Limits::DEFAULT.page_size_max,
        after: None,
        before: None,
    };
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

/// What the page of a section shows.
struct Shown<'a> {
    /// The form that is shown again.
    form: Option<&'a Form>,
    values: &'a Values,
    seen: &'a SectionVersion,
    errors: &'a Errors,
    notice: Option<&'a str>,
}

async fn section_page(context: &PageContext, user: &SessionUser, section: CardSection, shown: Shown<'_>) -> Outcome {
    let Shown { form: sent, values, seen, errors, notice } = shown;
    let themes = themes(context, &user.card, section).await?;
    let own = context.services.store.theme_of(&user.card).await?; // not in `themes` if it is retired
    let subject = Subject::read(context, &user.card).await?;
    let portrait = match section {
        CardSection::Person => portrait::fields(context, &user.card, errors).await?,
        _ => html! {},
    };
    let fields = Inputs { context, values, errors, themes: &themes, own: own.as_deref(), subject: &subject, portrait }
        .show(section, &user.card);
    let step = Step::Section(section);
    let card = &user.card;
    let is_draft = card.status.theme_is_open();
    let questions = question::about(context, card, section);
    let overview = context.path(&path::customizer(card.id, ""));
    let form = html! {
        form method="post" action=(context.path(&step.path(card.id))) novalidate
            enctype=[(section == CardSection::Person).then_some("multipart/form-data")] {
            (user.token_field())
            (last_save::id_field(context, sent))
            input type="hidden" name=(SEEN) value=(seen.as_str()) autocomplete="off";
            input type="hidden" name=(ASKED) value=(questions.concat()) autocomplete="off";
            (fields)
            div.actions.bar {
                a.look href=(context.path(&path::customizer(card.id, PREVIEW))) {
                    (subject.draw(context, own.as_deref())) span { (text::LOOK) }
                }
                @if user.may_change() {
                    button { @if is_draft { (text::SAVE_AND_GO_ON) } @else { (text::SAVE) } }
                }
            }
            @if user.may_change() {
                p.back {
                    @if is_draft && step.previous().is_some() { button.link name=(LEAVE) value=(TO_PREVIOUS) { (text::BACK) } " " }
                    button.link name=(LEAVE) value=(TO_OVERVIEW) { @if is_draft { (text::ALL_STEPS) } @else { (text::TO_OVERVIEW) } }
                }
                @if !errors.is_empty() { p.back { a href=(overview) { (text::LEAVE_UNSAVED) } } }
            } @else {
                p.back { (back(context, card, step)) }
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
                Some(notice) => p.said role="status" { (notice) },
                None => p.intro { (text::section(section).intro) },
            }
            (ask(&questions))
            (form)
        },
    );
    Ok(page::show_in_columns(context, &user.partner, errors.status(), &errors.mark(&step.title(card)), main))
}

/// Shows the questions about a section.
pub(super) fn ask(questions: &[String]) -> Markup {
    html! { @for question in questions { p.said role="status" { (question) } } }
}

/// Puts the number and the title around the content of a step, and next to it the card.
pub(super) fn frame(context: &PageContext, user: &SessionUser, step: Step, content: Markup) -> Markup {
    let card = &user.card;
    html! {
        div.filled-in {
            (user.notice())
            @if card.status.theme_is_open() {
                p.step {
                    span { (text::step_of(step.number(), Step::ALL.len())) }
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
            Some(before) => a href=(context.path(&before.path(card.id))) { (text::BACK) },
            None => a href=(context.path(&path::customizer(card.id, ""))) { (text::TO_OVERVIEW) },
        }
    }
}
