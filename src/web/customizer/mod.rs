//! `/bewerken/<card>/…`: the family fills in the card, sees it, and orders it (decisions S5, S8).
//!
//! Called by the site. Every step is an address of its own and is saved by a POST that leads on to a GET, so that going
//! back works and nothing is sent twice.

mod conflict;
mod inputs;
mod ordering;
mod overview;
mod part;
mod portrait;
mod preview;
mod step;
mod values;

use http::Method;
use uuid::Uuid;

use self::step::Step;
use self::values::Values;
use super::answer::WebAnswer;
use super::body::Body;
use super::form::Form;
use super::page_error::Outcome;
use super::request::WebRequest;
use super::site::Site;
use super::{error_pages, session_guard};
use crate::model::SessionTarget;

/// The page of a placed order.
const ORDERED: &str = "besteld";

/// Leads to a page of the customizer of this card; `rest` is the path behind the card's id.
pub(super) async fn serve(site: &Site, request: &WebRequest<'_>, body: Body<'_>, card_id: Uuid, rest: &str) -> Outcome {
    let target = SessionTarget::Customizer;
    let step = Step::of(rest);
    if step.is_none() && !["", ORDERED].contains(&rest) {
        return Ok(error_pages::not_found(site));
    }
    match *request.method {
        Method::GET | Method::HEAD => {
            let visitor = session_guard::admit(site, request, card_id, target).await?;
            match step {
                None if rest.is_empty() => overview::show(site, request, &visitor),
                None => ordering::ordered(site, &visitor).await,
                Some(Step::Part(part)) => part::show(site, &visitor, part).await,
                Some(Step::Preview) => preview::show(site, &visitor).await,
                Some(Step::Order) => ordering::show(site, &visitor).await,
            }
        }
        Method::POST => match step {
            Some(Step::Part(part)) => {
                let typed = |form: &Form| Values::sent(form, part).in_words(part, &[]);
                let (visitor, form) = session_guard::admit_form(site, request, body, card_id, target, typed).await?;
                part::save(site, &visitor, part, form).await
            }
            Some(Step::Order) => {
                let typed = |_: &Form| Vec::new(); // a box that was ticked
                let (visitor, form) = session_guard::admit_form(site, request, body, card_id, target, typed).await?;
                ordering::place(site, &visitor, &form).await
            }
            _ => Ok(error_pages::method_not_allowed(site, "GET, HEAD")),
        },
        _ => Ok(error_pages::method_not_allowed(site, "GET, HEAD, POST")),
    }
}

/// On to where a step leads: the next one, or back to the overview once the card is ordered.
fn onwards(site: &Site, card: &crate::model::Card, step: Step) -> String {
    match step.next() {
        Some(next) if card.status.theme_is_open() => site.path(&next.path(card.id)),
        _ => format!("{}?opgeslagen={}", site.path(&format!("/bewerken/{}", card.id)), step.slug()),
    }
}

fn see(path: &str) -> WebAnswer {
    WebAnswer::see_other(path)
}
