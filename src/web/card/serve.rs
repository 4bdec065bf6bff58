//! `/kaart/<slug>` and `/kaart/voor/<token>`: the card, for everyone or for an invitee (decisions S6, S7).

use http::header::CONTENT_DISPOSITION;
use http::{HeaderValue, StatusCode};

use super::{Addresses, CardView, Frame, calendar, page, render};
use crate::model::{Card, Partner, SessionTarget, Visibility, path};
use crate::operation::{Failure, invitee, session};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::web::context::PageContext;
use crate::web::page::Outcome;
use crate::web::text::card as text;
use crate::web::{browser_session, error_pages};

/// The public page, which exists only while the card is online.
pub(in crate::web) async fn public(context: &PageContext, head: &RequestHead<'_>, slug: &str) -> Outcome {
    let Some(card) = context.services.store.card_by_slug(slug).await? else {
        return Ok(error_pages::not_found(context));
    };
    let partner = context.services.store.partner(card.partner_id).await?;
    if card.offline_since.is_some() {
        return Ok(offline(context, partner.as_ref()));
    }
    let view = CardView::read(context, &card, partner).await?;
    let addresses = Addresses { page: context.services.card_address(slug).to_string(), slug: slug.to_owned() };
    if card.visibility == Visibility::Invitation && !is_of_the_family(context, head, &card).await? {
        // Not an error, because messengers read the tags of a preview only from a page with this status.
        return Ok(page::closed(context, &view, addresses));
    }
    let calendar = Some(context.path(&path::card_calendar(slug)));
    let frame = Frame { addresses: Some(addresses), calendar, ..Frame::default() };
    Ok(render(context, &view, &frame).compressed_for(head))
}

/// The page of a card that the operator took offline.
fn offline(context: &PageContext, partner: Option<&Partner>) -> Response {
    error_pages::page(context, partner, StatusCode::NOT_FOUND, text::OFFLINE_TITLE, text::OFFLINE)
}

/// The card, by the personal link of an invitee.
pub(in crate::web) async fn invited(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    let store = &context.services.store;
    let invitee = store.invitee_by_token(token).await?;
    let card = match &invitee {
        Some(invitee) => store.any_card(invitee.card_id).await?,
        None => None,
    };
    let (Some(invitee), Some(card)) = (invitee, card) else {
        return Ok(error_pages::page(context, None, StatusCode::NOT_FOUND, text::LINK_GONE_TITLE, text::LINK_GONE));
    };
    let (partner, status) = (store.partner(card.partner_id).await?, StatusCode::NOT_FOUND);
    let Some(slug) = &card.slug else {
        return Ok(error_pages::page(context, partner.as_ref(), status, text::NOT_ONLINE_TITLE, text::NOT_ONLINE));
    };
    if card.offline_since.is_some() {
        return Ok(offline(context, partner.as_ref()));
    }
    let view = CardView::read(context, &card, partner).await?;
    if is_opened_by_a_person(head) && !is_of_the_family(context, head, &card).await? {
        invitee::note_seen(&context.services, &invitee).await?;
    }
    // A shared link of an open card is its public address.
    let address = match card.visibility {
        Visibility::Open => context.services.card_address(slug),
        Visibility::Invitation => context.services.invitation_address(token),
    };
    let seen = lacks_fetch_metadata(head).then(|| context.path(&path::personal_link_seen(token)));
    let addresses = Addresses { page: address.to_string(), slug: slug.clone() };
    let calendar = Some(context.path(&path::personal_link_calendar(token)));
    let frame = Frame { addresses: Some(addresses), seen, calendar, ..Frame::default() };
    Ok(render(context, &view, &frame).compressed_for(head))
}

/// The farewell of an open card for calendars, and of every card for its family.
pub(in crate::web) async fn public_calendar(context: &PageContext, head: &RequestHead<'_>, slug: &str) -> Outcome {
    let card = context.services.store.card_by_slug(slug).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    if card.visibility == Visibility::Invitation && !is_of_the_family(context, head, &card).await? {
        return Ok(error_pages::not_found(context));
    }
    Ok(calendar_file(context, &card))
}

/// The farewell for the calendar of an invitee.
pub(in crate::web) async fn invited_calendar(context: &PageContext, token: &str) -> Outcome {
    let store = &context.services.store;
    let Some(invitee) = store.invitee_by_token(token).await? else { return Ok(error_pages::not_found(context)) };
    let card = store.any_card(invitee.card_id).await?.filter(|card| card.online_slug().is_some());
    Ok(card.map_or_else(|| error_pages::not_found(context), |card| calendar_file(context, &card)))
}

/// The farewell of a card as a file, if it has a date.
pub(in crate::web) fn calendar_file(context: &PageContext, card: &Card) -> Response {
    let Some(file) = calendar::of(card) else { return error_pages::not_found(context) };
    let name = HeaderValue::from_static("attachment; filename=\"afscheid.ics\"");
    response::new(StatusCode::OK, "text/calendar; charset=utf-8", file).with(CONTENT_DISPOSITION, name)
}

/// Records that an invitee has seen the card. The page of a personal link requests this as a picture in browsers without
/// Fetch Metadata: programs that fetch a link without showing it do not fetch its pictures.
pub(in crate::web) async fn seen(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    let store = &context.services.store;
    let Some(invitee) = store.invitee_by_token(token).await? else { return Ok(error_pages::not_found(context)) };
    let card = store.any_card(invitee.card_id).await?.filter(|card| card.online_slug().is_some());
    let Some(card) = card else { return Ok(error_pages::not_found(context)) };
    let is_shown = *head.method() == http::Method::GET && lacks_fetch_metadata(head) && !head.is_prefetch();
    if is_shown && !is_of_the_family(context, head, &card).await? {
        invitee::note_seen(&context.services, &invitee).await?;
    }
    Ok(response::empty(StatusCode::NO_CONTENT))
}

/// Whether the caller does not support Fetch Metadata: an old browser (Safari before 16.4), or a program.
fn lacks_fetch_metadata(head: &RequestHead<'_>) -> bool {
    !head.headers().contains_key("sec-fetch-mode")
}

/// Whether the browser says that a user navigated to the page (Fetch Metadata, section 2). Messengers and mail scanners also
/// fetch links, without that header.
fn is_opened_by_a_person(head: &RequestHead<'_>) -> bool {
    let says =
        |name: &str, word: &str| head.headers().get(name).is_some_and(|value| value.as_bytes() == word.as_bytes());
    *head.method() == http::Method::GET
        && !head.is_prefetch()
        && says("sec-fetch-mode", "navigate")
        && says("sec-fetch-dest", "document")
}

/// Whether the browser has a session for the customizer or the invitee list of the card. The family sees its own card, and
/// does not count as an invitee when it opens a personal link.
async fn is_of_the_family(context: &PageContext, head: &RequestHead<'_>, card: &Card) -> Result<bool, Failure> {
    for target in [SessionTarget::Customizer, SessionTarget::InviteeList] {
        if let Some(held) = head.cookie(&browser_session::cookie_name(context, card.id, target))
            && session::browser_session(&context.services, held, card.id, target).await?.is_some()
        {
            return Ok(true);
        }
    }
    Ok(false)
}
