//! The people of the invitee list: links, invitations and their state, a page at a time (decisions S6, S10).

use maud::{Markup, html};
use url::form_urlencoded;

use crate::base::email_address;
use crate::model::{Card, CardStatus, Mail, MailState};
use crate::operation::invitee::ListedInvitee;
use crate::text::date;
use crate::text::{invitees as text, mail};
use crate::web::context::PageContext;
use crate::web::session_guard::SessionUser;
use crate::web::share;

/// How many invitees one page shows. Keeps the page below 60 KB.
const PEOPLE_PER_PAGE: usize = 25;

/// Lists of more people than this can be searched.
const SEARCH_FROM: usize = 8;

/// The parameter with the searched text.
pub(super) const SEARCH: &str = "zoek";

/// The field that searches a long list; it works without script.
pub(super) fn search(list: &str, count: usize, query: &str) -> Markup {
    html! {
        @if count > SEARCH_FROM || !query.is_empty() {
            form.search method="get" action={ (list) "#genodigden" } role="search" {
                label for="zoek" { (text::SEARCH) }
                div {
                    input #zoek name=(SEARCH) type="search" value=(query) autocomplete="off" dir="auto";
                    button.quiet { (text::SEARCH_BUTTON) }
                }
                @if !query.is_empty() { p { a href={ (list) "#genodigden" } { (text::SHOW_ALL) } } }
            }
        }
    }
}

/// Whether the name or the address holds the searched text.
fn matches(listed: &ListedInvitee, query: &str) -> bool {
    let query = query.to_lowercase();
    let holds = |text: &str| text.to_lowercase().contains(&query);
    holds(&listed.invitee.name) || listed.invitee.email.as_deref().is_some_and(holds)
}

/// The button that invites everybody who has an address and no invitation, after a question.
pub(super) fn invite_all(user: &SessionUser, list: &str, invitees: &[ListedInvitee]) -> Markup {
    let uninvited = invitees.iter().filter(|listed| listed.is_uninvited()).count();
    html! {
        @if user.may_change() && user.card.status == CardStatus::Active && uninvited > 0 {
            form.all method="post" action={ (list) "/lijst" } {
                (user.token_field())
                details {
                    summary { (text::invite_all(uninvited)) }
                    p { (text::invite_all_sure(uninvited)) }
                    p { button name="allen" value="ja" { (text::INVITE_ALL_YES) } }
                }
            }
        }
    }
}

/// One form around the whole list: the value of the pressed button is the invitee.
pub(super) fn people(
    context: &PageContext,
    user: &SessionUser,
    list: &str,
    invitees: &[ListedInvitee],
    page: usize,
    query: &str,
) -> Markup {
    let found: Vec<_> = invitees.iter().filter(|listed| matches(listed, query)).collect();
    if found.is_empty() {
        return html! { p { (text::none_found(query)) } p { a href={ (list) "#genodigden" } { (text::SHOW_ALL) } } };
    }
    let link = |page: usize| {
        let mut parameters = form_urlencoded::Serializer::new(String::new());
        parameters.append_pair("pagina", &page.to_string());
        if !query.is_empty() {
            parameters.append_pair(SEARCH, query);
        }
        format!("{list}?{}#genodigden", parameters.finish())
    };
    let pages = found.len().div_ceil(PEOPLE_PER_PAGE);
    let page = page.clamp(1, pages);
    let is_online = user.card.status == CardStatus::Active;
    let may_change = user.may_change();
    html! {
        form method="post" action={ (list) "/lijst" } {
            (user.token_field())
            ul.people {
                @for listed in found.chunks(PEOPLE_PER_PAGE).nth(page - 1).unwrap_or_default() {
                    (person(context, list, &user.card, listed, is_online, may_change))
                }
            }
        }
        @if pages > 1 {
            nav.pages aria-label=(text::LIST_TITLE) {
                @if page > 1 { a href=(link(page - 1)) rel="prev" { (text::EARLIER) } }
                span { (text::page(page, pages)) }
                @if page < pages { a href=(link(page + 1)) rel="next" { (text::LATER) } }
            }
        }
    }
}

fn person(
    context: &PageContext,
    list: &str,
    card: &Card,
    listed: &ListedInvitee,
    is_online: bool,
    may_change: bool,
) -> Markup {
    let ListedInvitee { invitee, invitation } = listed;
    let link = context.services.invitation_address(&invitee.token).to_string();
    let is_first = invitee.mail_count == 0 && invitation.is_none();
    let invite = if is_first { text::INVITE } else { text::INVITE_AGAIN };
    let unsent_mail =
        invitation.as_ref().filter(|mail| invitee.email.is_some() && !matches!(mail.state, MailState::Sent(_)));
    let is_queued = unsent_mail.is_some_and(|mail| matches!(mail.state, MailState::Due(_)) && mail.answer.is_none());
    let failed = unsent_mail.filter(|_| !is_queued);
    html! {
        li {
            h3 dir="auto" { (invitee.name) }
            div {
                (chip(listed))
                p.email { (invitee.email.as_deref().unwrap_or(text::NO_EMAIL)) }
                @if let Some(at) = invitee.seen_at { p.state.seen { (text::seen(&date::with_time(at))) } }
                @if let Some(mail) = failed { (unsent(mail, invitee.email.as_deref())) }
            }
            details.more {
                summary aria-label=(text::about(text::MORE, &invitee.name)) { (text::MORE) }
                @if is_queued {
                    p.state { (mail::INVITATION_QUEUED) }
                } @else if let Some(at) = invitee.last_mail_at.filter(|_| failed.is_none()) {
                    p.state { (text::invited(&date::with_time(at), invitee.mail_count)) }
                }
                p { (text::PERSONAL_LINK) ": " code data-copy=(text::COPY) data-copied=(text::COPIED) { (link) } }
                @if may_change { div.actions {
                    @if is_online && invitee.email.is_some() {
                        button.quiet name="uitnodigen" value=(invitee.id) aria-label=(text::about(invite, &invitee.name)) { (invite) }
                    }
                    @if is_online {
                        a.button.quiet href=(share::whatsapp_address(card, &link)) rel="noopener noreferrer"
                            aria-label=(text::about(text::WHATSAPP, &invitee.name)) { (text::WHATSAPP) }
                    }
                    a.button.quiet href={ (list) "/wijzigen?wie=" (invitee.id) } aria-label=(text::about(text::CHANGE, &invitee.name)) {
                        (text::CHANGE)
                    }
                    details.remove {
                        summary aria-label=(text::about(text::REMOVE, &invitee.name)) { (text::REMOVE) }
                        p { (text::REMOVE_SURE) }
                        button.quiet name="verwijderen" value=(invitee.id) aria-label=(text::about(text::REMOVE_YES, &invitee.name)) {
                            (text::REMOVE_YES)
                        }
                    }
                } }
            }
        }
    }
}

/// The state in a word or two, which a glance finds.
fn chip(listed: &ListedInvitee) -> Markup {
    let is_invited = listed.invitee.mail_count > 0 || listed.invitation.is_some();
    match listed.invitee.seen_at {
        Some(_) => html! { span.chip.seen { (text::CHIP_SEEN) } },
        None if is_invited => html! { span.chip { (text::CHIP_INVITED) } },
        None => html! { span.chip { (text::CHIP_NEW) } },
    }
}

/// The state of an invitation that was not sent, and what the family can do.
fn unsent(mail: &Mail, to: Option<&str>) -> Markup {
    let is_deliverable = to.is_none_or(|to| email_address::to_ascii(to).is_some());
    let (at, what_to_do) = match mail.state {
        MailState::Refused(at) if !is_deliverable => (at, mail::UNDELIVERABLE),
        MailState::Refused(at) => (at, mail::AFTER_REFUSAL),
        MailState::GivenUp(at) => (at, mail::AFTER_FAILURE),
        MailState::Due(_) | MailState::Sent(_) => return html! { p.state { (mail::INVITATION_DELAYED) } },
    };
    let answer = mail.answer.as_ref().filter(|_| matches!(mail.state, MailState::Refused(_)) && is_deliverable);
    html! {
        p.state.failed { (mail::not_delivered(&date::with_time(at))) }
        p.hint { (what_to_do) }
        @if let Some(answer) = answer { p.hint { (mail::ANSWER) " " q { (answer) } } }
    }
}
