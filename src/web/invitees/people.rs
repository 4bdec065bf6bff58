//! The people of the invitee list: links, invitations and their state, a page at a time (decisions S6, S10).

use maud::{Markup, html};

use crate::model::{CardStatus, Mail, MailState};
use crate::operation::invitee::ListedInvitee;
use crate::web::context::PageContext;
use crate::web::date;
use crate::web::session_guard::SessionUser;
use crate::web::text::invitees as text;
use crate::web::text::mail_state;

/// How many invitees one page shows. Keeps the page below 60 KB.
const PEOPLE_PER_PAGE: usize = 25;

/// One form around the whole list: the value of the pressed button is the invitee.
pub(super) fn people(
    context: &PageContext,
    user: &SessionUser,
    list: &str,
    invitees: &[ListedInvitee],
    page: usize,
) -> Markup {
    let pages = invitees.len().div_ceil(PEOPLE_PER_PAGE);
    let page = page.clamp(1, pages);
    let is_online = user.card.status == CardStatus::Active;
    let may_change = user.may_change();
    let waiting = may_change && is_online && invitees.iter().any(ListedInvitee::is_uninvited);
    html! {
        form method="post" action={ (list) "/lijst" } {
            (user.token_field())
            @if waiting { p { button name="allen" value="ja" { (text::INVITE_ALL) } } }
            ul.people {
                @for listed in invitees.chunks(PEOPLE_PER_PAGE).nth(page - 1).unwrap_or_default() {
                    (person(context, list, listed, is_online, may_change))
                }
            }
        }
        @if pages > 1 {
            nav.pages aria-label=(text::LIST_TITLE) {
                @if page > 1 { a href={ (list) "?pagina=" (page - 1) "#genodigden" } rel="prev" { (text::EARLIER) } }
                span { (text::page(page, pages)) }
                @if page < pages { a href={ (list) "?pagina=" (page + 1) "#genodigden" } rel="next" { (text::LATER) } }
            }
        }
    }
}

fn person(context: &PageContext, list: &str, listed: &ListedInvitee, is_online: bool, may_change: bool) -> Markup {
    let ListedInvitee { invitee, invitation } = listed;
    let link = context.services.invitation_address(&invitee.token);
    let is_first = invitee.mail_count == 0 && invitation.is_none();
    let invite = if is_first { text::INVITE } else { text::INVITE_AGAIN };
    html! {
        li {
            h3 dir="auto" { (invitee.name) }
            p.email { (invitee.email.as_deref().unwrap_or(text::NO_EMAIL)) }
            p.state.seen[invitee.seen_at.is_some()] {
                (invitee.seen_at.map_or_else(|| text::NOT_SEEN.to_owned(), |at| text::seen(&date::with_time(at))))
            }
            @if invitee.email.is_some() {
                @match invitation {
                    Some(mail) if !matches!(mail.state, MailState::Sent(_)) => (unsent(mail)),
                    _ => p.state {
                        @match invitee.last_mail_at {
                            Some(at) => (text::invited(&date::with_time(at), invitee.mail_count)),
                            None => (text::NOT_INVITED),
                        }
                    }
                }
            }
            details {
                summary { (text::PERSONAL_LINK) }
                p { code data-copy=(text::COPY) data-copied=(text::COPIED) { (link) } }
            }
            @if may_change {
                div.actions {
                    @if is_online && invitee.email.is_some() {
                        button.quiet name="uitnodigen" value=(invitee.id) aria-label=(text::about(invite, &invitee.name)) { (invite) }
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
                }
            }
        }
    }
}

/// The state of an invitation that was not sent, and what the family can do.
fn unsent(mail: &Mail) -> Markup {
    let (at, what_to_do) = match mail.state {
        MailState::Refused(at) => (at, mail_state::AFTER_REFUSAL),
        MailState::GivenUp(at) => (at, mail_state::AFTER_FAILURE),
        MailState::Due(_) | MailState::Sent(_) => {
            let is_delayed = mail.answer.is_some();
            let state = if is_delayed { mail_state::INVITATION_DELAYED } else { mail_state::INVITATION_QUEUED };
            return html! { p.state { (state) } };
        }
    };
    let answer = mail.answer.as_ref().filter(|_| matches!(mail.state, MailState::Refused(_)));
    html! {
        p.state.failed { (mail_state::not_delivered(&date::with_time(at))) }
        p.hint { (what_to_do) }
        @if let Some(answer) = answer { p.hint { (mail_state::ANSWER) " " q { (answer) } } }
    }
}
