//! What the forms of the invitee list do.

use http::StatusCode;
use uuid::Uuid;

use super::page::{LeftLine, One, Pasted, Shown};
use super::serve::{Message, back, back_until, show};
use crate::base::limits;
use crate::model::{CardStatus, NameFault};
use crate::operation::invitee::{self, LineProblem, NewInvitee, is_email, read_lines};
use crate::store::{Invitation, InviteeAddition};
use crate::web::answer::WebAnswer;
use crate::web::form::Form;
use crate::web::page_error::Outcome;
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::invitees as text;

/// One person, with a name and, if there is one, an address.
pub(super) async fn add_one(site: &Site, visitor: &SessionUser, form: &Form) -> Outcome {
    let (name, email) = (form.text("naam").trim().to_owned(), form.text("email").to_owned());
    let name_problem = match name.chars().count() {
        0 => Some(text::NAME_BLANK.to_owned()),
        count if count > limits::NAME_CHARS_MAX => Some(text::name_too_long()),
        _ => NameFault::of(&name).map(|fault| fault.message().to_owned()),
    };
    let email_problem = (!email.is_empty() && !is_email(&email)).then(|| text::EMAIL_INVALID.to_owned());
    let mut one = One { name: name.clone(), email: email.clone(), name_problem, email_problem };
    if one.name_problem.is_none() && one.email_problem.is_none() {
        let person = NewInvitee { name, email: Some(email).filter(|email| !email.is_empty()) };
        let added = invitee::add(&site.services, visitor.card.id, vec![person]).await?;
        match added.first().map(|added| added.outcome) {
            Some(InviteeAddition::Duplicate) => one.email_problem = Some(text::ALREADY_LISTED.to_owned()),
            Some(InviteeAddition::Full) => one.name_problem = Some(text::list_full()),
            Some(InviteeAddition::Added) | None => return Ok(back(site, visitor, Message::Added)),
        }
    }
    let shown = Shown { one: Some(one), ..Shown::default() };
    show(site, visitor, StatusCode::UNPROCESSABLE_ENTITY, shown).await
}

/// Many people, one on each line: the good lines are kept, the others told and given back.
pub(super) async fn add_many(site: &Site, visitor: &SessionUser, form: &Form) -> Outcome {
    let given = form.text("lijst");
    let lines = read_lines(given);
    let (mut people, mut numbers, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        match line.person {
            Ok(person) => {
                people.push(person);
                numbers.push(line.number);
            }
            Err(problem) => left.push((line.number, told(problem))),
        }
    }
    let is_empty = people.is_empty() && left.is_empty();
    let mut added = 0;
    for (number, person) in numbers.into_iter().zip(invitee::add(&site.services, visitor.card.id, people).await?) {
        match person.outcome {
            InviteeAddition::Added => added += 1,
            InviteeAddition::Duplicate => left.push((number, text::ALREADY_LISTED.to_owned())),
            InviteeAddition::Full => left.push((number, text::list_full())),
        }
    }
    left.sort_by_key(|(number, _)| *number);
    let all: Vec<&str> = given.lines().collect();
    let left = left.into_iter().map(|(number, problem)| LeftLine {
        number,
        content: all.get(number - 1).map_or_else(String::new, |line| line.trim().to_owned()),
        problem,
    });
    let shown = Shown { pasted: Some(Pasted { added, left: left.collect(), is_empty }), ..Shown::default() };
    show(site, visitor, if is_empty { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }, shown).await
}

/// The buttons on the list itself: which of them was pressed says whom it is about.
pub(super) async fn on_the_list(site: &Site, visitor: &SessionUser, form: &Form) -> Outcome {
    let whom = |field: &str| Uuid::try_parse(form.text(field)).ok();
    if form.has("verwijderen") {
        let removed = match whom("verwijderen") {
            Some(id) => site.services.store.remove_invitee(visitor.card.id, id).await?,
            None => false,
        };
        return Ok(back(site, visitor, if removed { Message::Removed } else { Message::Gone }));
    }
    if visitor.card.status != CardStatus::Active {
        return Ok(back(site, visitor, Message::NotOnline));
    }
    if form.has("allen") {
        return invite_all(site, visitor).await;
    }
    let outcome = match whom("uitnodigen") {
        Some(id) => invitee::invite(&site.services, visitor.card.id, id).await?,
        None => Invitation::NotFound,
    };
    Ok(told_of(site, visitor, outcome))
}

/// Invites everybody who has an address and was never invited, as far as the limits of this day go.
async fn invite_all(site: &Site, visitor: &SessionUser) -> Outcome {
    let (mut queued, mut refused) = (0, None);
    for person in site.services.store.invitees_of(visitor.card.id).await? {
        if person.email.is_none() || person.mail_count > 0 {
            continue;
        }
        match invitee::invite(&site.services, visitor.card.id, person.id).await? {
            Invitation::Queued => queued += 1,
            // Nobody after this one can be invited today either.
            limit @ (Invitation::CardLimit | Invitation::PartnerLimit { .. }) => {
                return Ok(told_of(site, visitor, limit));
            }
            other => refused = refused.or(Some(other)),
        }
    }
    Ok(match refused {
        _ if queued > 0 => back(site, visitor, Message::InvitedAll),
        Some(refused) => told_of(site, visitor, refused),
        None => back(site, visitor, Message::NoneToInvite),
    })
}

/// Back to the list, with what became of an invitation.
fn told_of(site: &Site, visitor: &SessionUser, outcome: Invitation) -> WebAnswer {
    match outcome {
        Invitation::Queued => back(site, visitor, Message::Invited),
        Invitation::TooSoon(again) => back_until(site, visitor, Message::TooSoon, again),
        Invitation::TooMany => back(site, visitor, Message::TooMany),
        Invitation::CardLimit => back(site, visitor, Message::CardLimit),
        Invitation::PartnerLimit { .. } => back(site, visitor, Message::PartnerLimit),
        Invitation::NotFound => back(site, visitor, Message::Gone),
    }
}

fn told(problem: LineProblem) -> String {
    match problem {
        LineProblem::NoAddress => text::LINE_NO_ADDRESS.to_owned(),
        LineProblem::AddressInvalid => text::LINE_ADDRESS_INVALID.to_owned(),
        LineProblem::SeveralAddresses => text::LINE_SEVERAL.to_owned(),
        LineProblem::NameTooLong => text::name_too_long(),
        LineProblem::Name(fault) => fault.message().to_owned(),
        LineProblem::Repeated => text::LINE_REPEATED.to_owned(),
    }
}
