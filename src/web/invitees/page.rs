//! The page of the invitee list.

use chrono::Days;
use maud::{Markup, html};

use super::serve::Message;
use crate::base::Timestamp;
use crate::model::{CardStatus, Invitee, SessionTarget, Visibility};
use crate::web::session_guard::SessionUser;
use crate::web::site::Site;
use crate::web::text::invitees as text;
use crate::web::{date, layout, route};

/// How many people one page shows: with so many it stays well below 60 KB.
const PEOPLE_PER_PAGE: usize = 25;

/// What the page shows beside the list.
#[derive(Default)]
pub(super) struct Shown {
    pub message: Option<Message>,
    /// From when on what was refused can be done.
    pub again: Option<Timestamp>,
    /// From 1.
    pub page: usize,
    pub one: Option<One>,
    pub pasted: Option<Pasted>,
}

/// A person who was not added, as it was typed.
pub(super) struct One {
    pub name: String,
    pub email: String,
    pub name_problem: Option<String>,
    pub email_problem: Option<String>,
}

/// What became of pasted lines.
pub(super) struct Pasted {
    pub added: usize,
    pub left: Vec<LeftLine>,
    /// There was no line at all.
    pub is_empty: bool,
}

/// A line that was not added.
pub(super) struct LeftLine {
    pub number: usize,
    pub content: String,
    pub problem: String,
}

pub(super) fn render(site: &Site, visitor: &SessionUser, invitees: &[Invitee], shown: &Shown) -> Markup {
    let card = &visitor.card;
    let seen = invitees.iter().filter(|invitee| invitee.seen_at.is_some()).count();
    let list = site.path(&route::environment(card.id, SessionTarget::InviteeList));
    let main = html! {
        (visitor.notice())
        h1 { (text::TITLE) }
        @if let Some(name) = card.deceased.full_name() { p.subject { (text::card_of(&name)) } }
        @if let Some(message) = shown.message { (said(site, message, shown.again)) }
        @if let Some(pasted) = &shown.pasted { (outcome(pasted)) }
        @if card.test { p.hint { (text::TEST) } }
        @match &card.slug {
            Some(slug) => {
                p { (if card.visibility == Visibility::Invitation { text::ABOUT_INVITATION } else { text::ABOUT_OPEN }) }
                p { a href=(site.local(&site.services.card_address(slug))) { (text::VIEW_CARD) } }
            }
            None => p { (text::NOT_ONLINE) },
        }
        @if visitor.may_change() {
            (add_one(visitor, &list, shown.one.as_ref()))
            (add_many(visitor, &list, shown.pasted.as_ref()))
        }
        h2 #genodigden { (text::LIST_TITLE) }
        @if invitees.is_empty() {
            p { (text::EMPTY) }
        } @else {
            p { (text::counted(invitees.len(), seen)) }
            p.hint { (text::ABOUT_SEEN) }
            (people(site, visitor, &list, invitees, shown.page))
        }
    };
    layout::page(site, text::TITLE, main)
}

fn said(site: &Site, message: Message, again: Option<Timestamp>) -> Markup {
    let tomorrow = || date::in_full(site.services.clock.today() + Days::new(1));
    let (words, is_done) = match message {
        Message::Added => (text::DONE_ADDED.to_owned(), true),
        Message::Removed => (text::DONE_REMOVED.to_owned(), true),
        Message::Invited => (text::DONE_INVITED.to_owned(), true),
        Message::InvitedAll => (text::DONE_INVITED_ALL.to_owned(), true),
        Message::NoneToInvite => (text::NONE_TO_INVITE.to_owned(), false),
        Message::TooSoon => (text::too_soon(again.map(date::with_time).as_deref()), false),
        Message::TooMany => (text::too_many(), false),
        Message::CardLimit => (text::card_limit(&tomorrow()), false),
        Message::PartnerLimit => (text::partner_limit(&tomorrow()), false),
        Message::Gone => (text::GONE.to_owned(), false),
        Message::NotOnline => (text::STILL_NOT_ONLINE.to_owned(), false),
    };
    html! { p.said.not[!is_done] role="status" { (words) } }
}

fn outcome(pasted: &Pasted) -> Markup {
    html! {
        div.said.not[pasted.added == 0] role="status" {
            @if pasted.is_empty {
                p { (text::NOTHING_PASTED) }
            } @else {
                p { (text::added(pasted.added)) }
                @if !pasted.left.is_empty() {
                    p { (text::SOME_LEFT) }
                    ul {
                        @for line in &pasted.left {
                            li { strong { (text::line(line.number)) } ": " q { (shortened(&line.content)) } " " (line.problem) }
                        }
                    }
                }
            }
        }
    }
}

/// Enough of a line to know it by.
fn shortened(line: &str) -> String {
    const CHARS: usize = 60;
    if line.chars().count() <= CHARS { line.to_owned() } else { line.chars().take(CHARS).collect::<String>() + "…" }
}

fn add_one(visitor: &SessionUser, list: &str, one: Option<&One>) -> Markup {
    let problem = |id: &str, problem: Option<&String>| {
        html! { @if let Some(problem) = problem { p.problem id={ (id) "-fout" } { (problem) } } }
    };
    let (name_problem, email_problem) =
        (one.and_then(|one| one.name_problem.as_ref()), one.and_then(|one| one.email_problem.as_ref()));
    let described = if email_problem.is_some() { "email-fout email-hulp" } else { "email-hulp" };
    html! {
        section aria-labelledby="een" {
            h2 #een { (text::ADD_TITLE) }
            form.fields method="post" action={ (list) "/toevoegen" } {
                (visitor.token_field())
                p {
                    label for="naam" { (text::NAME) }
                    input #naam name="naam" autocomplete="off" required value=[one.map(|one| &one.name)]
                        aria-invalid=[name_problem.map(|_| "true")] aria-describedby=[name_problem.map(|_| "naam-fout")];
                }
                (problem("naam", name_problem))
                p {
                    label for="email" { (text::EMAIL) }
                    input #email name="email" type="email" inputmode="email" autocomplete="off"
                        value=[one.map(|one| &one.email)] aria-invalid=[email_problem.map(|_| "true")]
                        aria-describedby=(described);
                }
                (problem("email", email_problem))
                p.hint id="email-hulp" { (text::EMAIL_HINT) }
                p { button { (text::ADD) } }
            }
        }
    }
}

fn add_many(visitor: &SessionUser, list: &str, pasted: Option<&Pasted>) -> Markup {
    let left = pasted.map(|pasted| pasted.left.iter().map(|line| line.content.as_str()).collect::<Vec<_>>().join("\n"));
    let is_open = pasted.is_some_and(|pasted| pasted.is_empty || !pasted.left.is_empty());
    html! {
        details.many open[is_open] {
            summary { (text::MANY_TITLE) }
            form.fields method="post" action={ (list) "/plakken" } {
                (visitor.token_field())
                p {
                    label for="lijst" { (text::MANY_LABEL) }
                    textarea #lijst name="lijst" rows="8" autocomplete="off" spellcheck="false" required
                        placeholder=(text::MANY_EXAMPLE) aria-describedby="lijst-hulp" { (left.unwrap_or_default()) }
                }
                p.hint id="lijst-hulp" { (text::MANY_HINT) }
                p { button { (text::ADD_MANY) } }
            }
        }
    }
}

/// One form around the whole list: the button that is pressed says whom it is about.
fn people(site: &Site, visitor: &SessionUser, list: &str, invitees: &[Invitee], page: usize) -> Markup {
    let pages = invitees.len().div_ceil(PEOPLE_PER_PAGE);
    let page = page.clamp(1, pages);
    let is_online = visitor.card.status == CardStatus::Active;
    let may_change = visitor.may_change();
    let waiting =
        may_change && is_online && invitees.iter().any(|invitee| invitee.email.is_some() && invitee.mail_count == 0);
    html! {
        form method="post" action={ (list) "/lijst" } {
            (visitor.token_field())
            @if waiting { p { button name="allen" value="ja" { (text::INVITE_ALL) } } }
            ul.people {
                @for invitee in invitees.chunks(PEOPLE_PER_PAGE).nth(page - 1).unwrap_or_default() {
                    (person(site, invitee, is_online, may_change))
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

fn person(site: &Site, invitee: &Invitee, is_online: bool, may_change: bool) -> Markup {
    let link = site.services.invitation_address(&invitee.token);
    let invite = if invitee.mail_count == 0 { text::INVITE } else { text::INVITE_AGAIN };
    html! {
        li {
            h3 dir="auto" { (invitee.name) }
            p.email { (invitee.email.as_deref().unwrap_or(text::NO_EMAIL)) }
            p.state.seen[invitee.seen_at.is_some()] {
                (invitee.seen_at.map_or_else(|| text::NOT_SEEN.to_owned(), |at| text::seen(&date::with_time(at))))
            }
            @if invitee.email.is_some() {
                p.state {
                    @match invitee.last_mail_at {
                        Some(at) => (text::invited(&date::with_time(at), invitee.mail_count)),
                        None => (text::NOT_INVITED),
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
