//! `/bewerken/<card>/…`: the customizer, where the family fills in, previews and orders the card (decisions S5, S8).
//!
//! Called by the router. Every step has a path of its own. A POST saves it and redirects to a GET, so that going back works
//! and nothing is sent twice.
//!
//! - `step` lists the steps; `overview` shows them all.
//! - `section` shows and saves the section of a step, with `values`, `inputs` and `field`; `portrait` does so for the portrait,
//!   and `conflict` answers an edit conflict.
//! - `live` is the card next to a section, as the form has it.
//! - `preview` and `ordering` are the last two steps; `ordered` is the page after them, and `share` its part about a card that
//!   is online. `mini` draws the card small.

use http::Method;
use uuid::Uuid;

use self::step::{ORDERED, Step};
use self::values::Values;
use super::body::Body;
use super::context::PageContext;
use super::form::Form;
use super::page::{Outcome, PageError};
use super::{card, error_pages, session_guard};
use crate::model::{CardSection, SessionTarget, path};
use crate::request::RequestHead;
use crate::response;

mod conflict;
mod field;
mod inputs;
mod live;
mod mini;
mod ordered;
mod ordering;
mod overview;
mod portrait;
mod preview;
mod section;
mod share;
mod step;
mod values;

/// Handles a request for the customizer of a card; `rest` is the path after the id of the card.
pub(super) async fn serve(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    rest: &str,
) -> Outcome {
    let target = SessionTarget::Customizer;
    if let Some(section) = live::section_of(rest) {
        return serve_live(context, head, body, card_id, section).await;
    }
    let step = Step::of(rest);
    if step.is_none() && !["", ORDERED, path::CALENDAR, share::LIST].contains(&rest) {
        return Ok(error_pages::not_found(context));
    }
    match *head.method() {
        Method::GET | Method::HEAD => {
            let user = session_guard::admit(context, head, card_id, target).await?;
            match step {
                None if rest.is_empty() => overview::show(context, head, &user).await,
                None if rest == path::CALENDAR => Ok(card::serve::calendar_file(context, &user.card)),
                None if rest == share::LIST => {
                    Ok(response::see_other(&context.path(&path::customizer(card_id, ORDERED))))
                }
                None => ordered::show(context, &user).await,
                Some(Step::Section(section)) => section::show(context, head, &user, section).await,
                Some(Step::Preview) => preview::show(context, &user).await,
                Some(Step::Order) => ordering::show(context, &user).await,
            }
        }
        Method::POST => match step {
            Some(Step::Section(section)) => {
                let typed = |form: &Form| Values::sent(form, section).in_words(section, &[]);
                match session_guard::admit_form(context, head, body, card_id, target, typed).await {
                    Ok((user, form)) => section::save(context, &user, section, form).await,
                    Err(PageError::TooLarge { .. }) if section == CardSection::Portrait => {
                        let user = session_guard::admit(context, head, card_id, target).await?;
                        section::photo_too_large(context, &user).await
                    }
                    Err(error) => Err(error),
                }
            }
            Some(Step::Order) => {
                let typed = |_: &Form| Vec::new(); // only a checkbox
                let (user, form) = session_guard::admit_form(context, head, body, card_id, target, typed).await?;
                ordering::place(context, &user, &form).await
            }
            None if rest == share::LIST => {
                let typed = |_: &Form| Vec::new(); // only a button
                let (user, _) = session_guard::admit_form(context, head, body, card_id, target, typed).await?;
                share::open_list(context, &user).await
            }
            _ => Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
        },
        _ => Ok(error_pages::method_not_allowed(context, "GET, HEAD, POST")),
    }
}

/// Handles a request for the card next to a section.
async fn serve_live(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    section: CardSection,
) -> Outcome {
    let target = SessionTarget::Customizer;
    match *head.method() {
        Method::GET | Method::HEAD => {
            let user = session_guard::admit(context, head, card_id, target).await?;
            live::show(context, &user, &user.card).await
        }
        Method::POST => {
            let typed = |_: &Form| Vec::new(); // the form itself still holds it
            let (user, form) = session_guard::admit_form(context, head, body, card_id, target, typed).await?;
            live::show_edited(context, &user, section, &form).await
        }
        _ => Ok(error_pages::method_not_allowed(context, "GET, HEAD, POST")),
    }
}
