//! `/bewerken/<card>/…`: the customizer, where the family fills in, previews and orders the card (decisions S5, S8).
//!
//! Called by the router. Every step has a path of its own. A POST saves it and redirects to a GET, so that going back works
//! and nothing is sent twice.
//!
//! - `overview` shows all steps.
//! - `section` shows and saves the section of a step, with `values`, `field` and `portrait`; `conflict` shows two edits that met.
//! - `question` has the questions about input that is likely a mistake.
//! - `preview` shows the card: on a page, and beside a section as the form has it.
//! - `order` is the last step, and the page after it.

mod conflict;
mod field;
mod order;
mod overview;
mod portrait;
mod preview;
mod question;
mod section;
mod values;

use http::Method;
use uuid::Uuid;

use self::values::Values;
use super::context::PageContext;
use super::form::{Body, Form};
use super::page::{Outcome, PageError};
use super::{card, error_pages, session_guard};
use crate::model::{Card, CardSection, CardStatus, SessionTarget, path};
use crate::request::RequestHead;
use crate::response;
use crate::text::customizer as text;

/// Handles a request for the customizer of a card; `rest` is the path after the id of the card.
pub(super) async fn serve(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    rest: &str,
) -> Outcome {
    let target = SessionTarget::Customizer;
    if let Some(step) = preview::step_beside(rest) {
        return serve_live(context, head, body, card_id, step).await;
    }
    let step = Step::from_slug(rest);
    if step.is_none() && !["", PREVIEW, ORDERED, path::CALENDAR, order::LIST].contains(&rest) {
        return Ok(error_pages::not_found(context));
    }
    match *head.method() {
        Method::GET | Method::HEAD => {
            let user = session_guard::admit(context, head, card_id, target).await?;
            match step {
                None if rest.is_empty() => overview::show(context, head, &user).await,
                None if rest == path::CALENDAR => {
                    let address = user.card.online_slug().map(|slug| context.services.card_address(slug));
                    Ok(card::serve_calendar(context, &user.card, address))
                }
                None if rest == order::LIST => {
                    Ok(response::see_other(&context.path(&path::customizer(card_id, ORDERED))))
                }
                None if rest == PREVIEW => preview::show(context, &user).await,
                None => order::show_ordered(context, &user).await,
                Some(Step::Section(section)) => section::show(context, head, &user, section).await,
                Some(Step::Order) => order::show_form(context, &user).await,
            }
        }
        Method::POST => match step {
            Some(Step::Section(section)) => {
                let typed = |form: &Form| Values::sent(form, section).in_words(section, &[]);
                match session_guard::admit_form(context, head, body, card_id, target, typed).await {
                    Ok((user, form)) => section::save(context, head, &user, section, form).await,
                    Err(PageError::TooLarge { form, .. }) if section == CardSection::Person => {
                        let user = session_guard::admit(context, head, card_id, target).await?;
                        section::photo_too_large(context, &user, form.as_deref()).await
                    }
                    Err(error) => Err(error),
                }
            }
            _ if step == Some(Step::Order) || rest == order::LIST => {
                let typed = |_: &Form| Vec::new(); // only a checkbox, or a button
                let (user, form) = session_guard::admit_form(context, head, body, card_id, target, typed).await?;
                match step {
                    Some(_) => order::submit(context, &user, &form).await,
                    None => order::open_list(context, &user).await,
                }
            }
            _ => Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
        },
        _ => Ok(error_pages::method_not_allowed(context, "GET, HEAD, POST")),
    }
}

/// Handles a request for the card next to a step.
async fn serve_live(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    step: Step,
) -> Outcome {
    let target = SessionTarget::Customizer;
    match (head.method(), step) {
        (&Method::GET | &Method::HEAD, _) => {
            let user = session_guard::admit(context, head, card_id, target).await?;
            preview::show_beside(context, &user, &user.card).await
        }
        (&Method::POST, Step::Section(section)) => {
            let typed = |_: &Form| Vec::new(); // the form itself still holds it
            let (user, form) = session_guard::admit_form(context, head, body, card_id, target, typed).await?;
            preview::show_edited_beside(context, &user, section, &form).await
        }
        _ => Ok(error_pages::method_not_allowed(context, "GET, HEAD, POST")),
    }
}

/// A step of the customizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Fills in a section of the card.
    Section(CardSection),
    Order,
}

impl Step {
    /// In order.
    pub(super) const ALL: [Step; 6] = [
        Step::Section(CardSection::Look),
        Step::Section(CardSection::Person),
        Step::Section(CardSection::Text),
        Step::Section(CardSection::Farewell),
        Step::Section(CardSection::Contact),
        Step::Order,
    ];

    /// Its segment in the path.
    pub(super) const fn slug(self) -> &'static str {
        match self {
            Step::Section(CardSection::Look) => "thema",
            Step::Section(CardSection::Person) => "overledene",
            Step::Section(CardSection::Text) => "tekst",
            Step::Section(CardSection::Farewell) => "afscheid",
            Step::Section(CardSection::Contact) => "contact",
            Step::Order => "bestellen",
        }
    }

    /// Returns the step with this segment.
    pub(super) fn from_slug(slug: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.slug() == slug)
    }

    pub(super) fn title(self, card: &Card) -> String {
        match self {
            Step::Section(CardSection::Person) if card.deceased.first_name.is_some() => {
                text::about(card.deceased.first_name.as_deref().unwrap_or_default())
            }
            Step::Section(section) => text::section(section).title.to_owned(),
            Step::Order => text::ORDER_TITLE.to_owned(),
        }
    }

    /// Its position, from 1.
    pub(super) fn number(self) -> usize {
        Self::ALL.iter().position(|step| *step == self).map_or(0, |index| index + 1)
    }

    pub(super) fn previous(self) -> Option<Step> {
        self.number().checked_sub(2).map(|index| Self::ALL[index])
    }

    pub(super) fn next(self) -> Option<Step> {
        Self::ALL.get(self.number()).copied()
    }

    pub(super) fn path(self, card_id: Uuid) -> String {
        path::customizer(card_id, self.slug())
    }

    /// Whether the step is done: an optional section is, once it has a value.
    pub(super) fn is_done(self, card: &Card) -> bool {
        match self {
            Step::Section(CardSection::Look) => card.theme_id.is_some(),
            Step::Section(CardSection::Person) => card.deceased.full_name().is_some(),
            Step::Section(CardSection::Text) => card.text.is_some(),
            Step::Section(CardSection::Contact) => card.family_contact.email.is_some(),
            Step::Section(section) => card.section_values(section).any(|value| value.is_some()),
            Step::Order => card.status != CardStatus::Draft,
        }
    }
}

/// The page with the card alone.
const PREVIEW: &str = "voorbeeld";

/// The page of a placed order.
pub(super) const ORDERED: &str = "besteld";

/// The path that a finished step leads to: the next step, or the overview once the card is ordered.
pub(super) fn onwards(context: &PageContext, card: &Card, step: Step) -> String {
    match step.next() {
        Some(next) if card.status.theme_is_open() => context.path(&next.path(card.id)),
        _ => overview_after(context, card, step),
    }
}

/// The path of the overview after a step was saved.
pub(super) fn overview_after(context: &PageContext, card: &Card, step: Step) -> String {
    format!("{}?opgeslagen={}", context.path(&path::customizer(card.id, "")), step.slug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_a_step_and_the_steps_lead_from_one_to_the_next() {
        for section in CardSection::ALL {
            assert!(Step::ALL.contains(&Step::Section(section)), "{section:?}");
        }
        for pair in Step::ALL.windows(2) {
            assert_eq!((pair[0].next(), pair[1].previous()), (Some(pair[1]), Some(pair[0])));
            assert_eq!(Step::from_slug(pair[0].slug()), Some(pair[0]));
        }
        assert_eq!((Step::ALL[0].previous(), Step::Order.next()), (None, None));
    }
}
