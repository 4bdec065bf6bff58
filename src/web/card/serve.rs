//! `/kaart/<slug>` and `/kaart/voor/<token>`: the card, for everybody or for who was invited (decisions S6, S7).

use http::StatusCode;

use super::{CardView, Frame, page, render};
use crate::model::{Card, SessionTarget, Visibility};
use crate::operation::{Failure, invitee, session};
use crate::web::answer::WebAnswer;
use crate::web::page_error::Outcome;
use crate::web::request::WebRequest;
use crate::web::site::Site;
use crate::web::text::card as text;
use crate::web::{cookie, error_pages};

/// The public address: exists only while the card is online.
pub(in crate::web) async fn public(site: &Site, request: &WebRequest<'_>, slug: &str) -> Outcome {
    if !request.is_read() {
        return Ok(error_pages::method_not_allowed(site, "GET, HEAD"));
    }
    let Some(card) = site.services.store.card_by_slug(slug).await? else { return Ok(error_pages::not_found(site)) };
    let view = CardView::of(site, &card).await?;
    let address = site.services.card_address(slug).to_string();
    if card.visibility == Visibility::Invitation && !is_of_the_family(site, request, &card).await? {
        return Ok(WebAnswer::page(StatusCode::FORBIDDEN, page::closed(site, &view, address)));
    }
    Ok(WebAnswer::page(StatusCode::OK, render(site, &view, &Frame { address: Some(address), ..Frame::default() })))
}

/// An invitee's personal link.
pub(in crate::web) async fn invited(site: &Site, request: &WebRequest<'_>, token: &str) -> Outcome {
    if !request.is_read() {
        return Ok(error_pages::method_not_allowed(site, "GET, HEAD"));
    }
    let store = &site.services.store;
    let invitee = store.invitee_by_token(token).await?;
    let card = match &invitee {
        Some(invitee) => store.any_card(invitee.card_id).await?,
        None => None,
    };
    let (Some(invitee), Some(card)) = (invitee, card) else {
        return Ok(error_pages::page(site, StatusCode::NOT_FOUND, text::LINK_GONE_TITLE, text::LINK_GONE));
    };
    let Some(slug) = &card.slug else {
        return Ok(error_pages::page(site, StatusCode::NOT_FOUND, text::NOT_ONLINE_TITLE, text::NOT_ONLINE));
    };
    let view = CardView::of(site, &card).await?;
    if is_opened_by_a_person(request) && !is_of_the_family(site, request, &card).await? {
        invitee::note_seen(&site.services, &invitee).await?;
    }
    // Who sends an open card on sends its public address; the personal link of a closed one is not for others.
    let address = match card.visibility {
        Visibility::Open => site.services.card_address(slug),
        Visibility::Invitation => site.services.invitation_address(token),
    };
    let seen = is_silent(request).then(|| site.path(&format!("/kaart/voor/{token}/gezien")));
    let frame = Frame { address: Some(address.to_string()), notice: None, seen };
    Ok(WebAnswer::page(StatusCode::OK, render(site, &view, &frame)))
}

/// What the page of a personal link asks for in a browser that does not say who opened it: who fetches links without
/// showing them fetches no pictures of them.
pub(in crate::web) async fn seen(site: &Site, request: &WebRequest<'_>, token: &str) -> Outcome {
    if !request.is_read() {
        return Ok(error_pages::method_not_allowed(site, "GET, HEAD"));
    }
    let store = &site.services.store;
    let Some(invitee) = store.invitee_by_token(token).await? else { return Ok(error_pages::not_found(site)) };
    let card = store.any_card(invitee.card_id).await?.filter(|card| card.slug.is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(site)) };
    let is_shown = *request.method == http::Method::GET && is_silent(request) && !request.is_prefetch();
    if is_shown && !is_of_the_family(site, request, &card).await? {
        invitee::note_seen(&site.services, &invitee).await?;
    }
    Ok(WebAnswer::bare(StatusCode::NO_CONTENT))
}

/// Whether the browser is older than Fetch Metadata (Safari before 16.4), or no browser at all.
fn is_silent(request: &WebRequest<'_>) -> bool {
    !request.headers.contains_key("sec-fetch-mode")
}

/// Whether a browser says that a person went to the page (Fetch Metadata, section 2). Messengers fetch a link as soon as
/// it is typed, and mail scanners before the mail is read: neither says so, and neither has seen the card.
fn is_opened_by_a_person(request: &WebRequest<'_>) -> bool {
    let says =
        |name: &str, word: &str| request.headers.get(name).is_some_and(|value| value.as_bytes() == word.as_bytes());
    *request.method == http::Method::GET
        && !request.is_prefetch()
        && says("sec-fetch-mode", "navigate")
        && says("sec-fetch-dest", "document")
}

/// Whether this browser is in the customizer or the invitee list of the card: the family sees its own card, and is none of
/// its invitees when it tries their links.
async fn is_of_the_family(site: &Site, request: &WebRequest<'_>, card: &Card) -> Result<bool, Failure> {
    for target in [SessionTarget::Customizer, SessionTarget::InviteeList] {
        if let Some(held) = request.cookie(&cookie::name(site, card.id, target))
            && session::browser_session(&site.services, held, card.id, target).await?.is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}
