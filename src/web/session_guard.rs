//! Guards the pages behind a session link: checks the browser session, and reads a form only if it may (decisions S2, S4).
//!
//! Called by every page of the customizer and of the invitee list before anything else.

use maud::{Markup, html};
use uuid::Uuid;

use super::body::Body;
use super::browser_session::{self, TOKEN_FIELD};
use super::context::PageContext;
use super::error_pages;
use super::expired_form::{self, Typed};
use super::form::{Form, FormError};
use super::page::{Outcome, PageError};
use super::text::error_pages as text;
use crate::base::{GlobalId, HttpUrl, Kind, limits};
use crate::model::{Card, Partner, SessionTarget, path};
use crate::operation::session;
use crate::request::{BodyError, RequestHead};
use crate::response::Response;
use crate::store::StoreError;

/// The user of a valid browser session, with the card as it was at the start of the request.
pub(super) struct SessionUser {
    pub card: Card,
    pub partner: Partner,
    /// A secret: never logged or shown.
    cookie: String,
    /// The digest of the cookie, which identifies the browser session in counts.
    pub session: [u8; 32],
}

impl SessionUser {
    /// The same user with a newer state of the card.
    pub(super) fn looking_at(&self, card: Card) -> Self {
        Self { card, partner: self.partner.clone(), cookie: self.cookie.clone(), session: self.session }
    }

    /// Whether the card can be changed and ordered: not while its partner is blocked.
    pub(super) fn may_change(&self) -> bool {
        !self.partner.blocked
    }

    /// The notices of every page while the card cannot be changed or seen.
    pub(super) fn notice(&self) -> Markup {
        html! {
            @if !self.may_change() { p.said.not role="status" { (text::read_only(self.partner.shown_name())) } }
            @if self.card.offline_since.is_some() {
                p.said.not role="status" { (text::card_offline(self.partner.shown_name())) }
            }
        }
    }

    /// The hidden field of every form that holds the form token.
    pub(super) fn token_field(&self) -> Markup {
        html! { input type="hidden" name=(TOKEN_FIELD) value=(browser_session::form_token(&self.cookie)); }
    }
}

/// A browser without a session, or with one that has ended.
struct NoSession {
    /// Of the card, if there is one.
    partner: Option<Partner>,
    /// Where the user can request a new link.
    refresh: Option<String>,
    /// Whether the browser sent a cookie.
    has_ended: bool,
}

/// Returns the user of the browser session for this environment of this card, or a page that says how to get a new link.
pub(super) async fn admit(
    context: &PageContext,
    head: &RequestHead<'_>,
    card_id: Uuid,
    target: SessionTarget,
) -> Outcome<SessionUser> {
    match find_user(context, head, card_id, target).await? {
        Ok(user) => match context.page_limiter.take(user.session, &user.card) {
            Ok(()) => Ok(user),
            Err(wait) => Err(error_pages::too_many_requests(context, &user.partner, wait).into()),
        },
        Err(NoSession { partner, refresh, has_ended: true }) => {
            Err(error_pages::no_browser_session(context, partner.as_ref(), refresh.as_deref()).into())
        }
        Err(NoSession { partner, refresh, has_ended: false }) => {
            Err(error_pages::link_needed(context, partner.as_ref(), refresh.as_deref()).into())
        }
    }
}

/// Returns the user and the form that was sent, which must carry the token of the session and come from a page of the service.
///
/// `typed` describes the input in words: a refused form gives it back to the user.
pub(super) async fn admit_form(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    target: SessionTarget,
    typed: impl FnOnce(&Form) -> Typed,
) -> Outcome<(SessionUser, Form)> {
    let user = match find_user(context, head, card_id, target).await? {
        Ok(user) => user,
        Err(none) => return Err(session_ended(context, head, body, &none, typed).await.into()),
    };
    if user.partner.blocked {
        return Err(read_only(context, head, body, &user.partner, typed).await.into());
    }
    let has_file = Form::may_hold_file(head.headers());
    let refused = match (context.page_limiter.take(user.session, &user.card), body.count(user.session, has_file)) {
        (Err(wait), _) => Some(error_pages::too_many_requests(context, &user.partner, wait)),
        (Ok(()), false) if has_file => Some(error_pages::too_many_uploads(context, Some(&user.partner))),
        (Ok(()), false) => Some(error_pages::too_many_requests(context, &user.partner, limits::RETRY_UNAVAILABLE)),
        (Ok(()), true) => None,
    };
    if let Some(refused) = refused {
        body.discard(if has_file { limits::UPLOAD_FORM_BYTES_MAX } else { limits::FORM_BYTES_MAX }).await;
        return Err(refused.into());
    }
    let form = Form::read_with_file(head.headers(), body).await;
    let page = match target {
        SessionTarget::Customizer => head.parts.uri.path().to_owned(),
        SessionTarget::InviteeList => path::environment(card_id, target), // shows all its forms
    };
    let form = match form {
        Ok(form) => form,
        Err(FormError::Body(BodyError::TooLarge)) => {
            return Err(PageError::TooLarge { partner: Box::new(user.partner), page });
        }
        Err(error) => return Err(unreadable(context, &user.partner, error).into()),
    };
    if head.is_from_another_site() || !browser_session::is_form_token(&user.cookie, form.text(TOKEN_FIELD)) {
        let typed = if head.is_from_elsewhere() { Typed::new() } else { typed(&form) };
        return Err(expired_form::foreign_form(context, &user.partner, head, &form, &typed, &user.token_field()).into());
    }
    Ok((user, form))
}

async fn find_user(
    context: &PageContext,
    head: &RequestHead<'_>,
    card_id: Uuid,
    target: SessionTarget,
) -> Outcome<Result<SessionUser, NoSession>> {
    let cookie = head.cookie(&browser_session::cookie_name(context, card_id, target)).unwrap_or_default();
    let session = match cookie.is_empty() {
        true => None,
        false => session::browser_session(&context.services, cookie, card_id, target).await?,
    };
    Ok(match (card_and_partner(context, card_id).await?, session) {
        (Some((card, partner)), Some(session)) => {
            Ok(SessionUser { card, partner, cookie: cookie.to_owned(), session: session.digest })
        }
        (found, _) => {
            let partner = found.map(|(_, partner)| partner);
            let refresh = partner.as_ref().and_then(|partner| refresh_link(partner, card_id, target));
            Err(NoSession { partner, refresh, has_ended: !cookie.is_empty() })
        }
    })
}

/// Answers a form whose browser session has ended.
///
/// Without a session the form is read only if its announced length is small and it holds no file.
async fn session_ended(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    none: &NoSession,
    typed: impl FnOnce(&Form) -> Typed,
) -> Response {
    let (partner, refresh) = (none.partner.as_ref(), none.refresh.as_deref());
    if head.is_from_elsewhere() {
        return error_pages::no_browser_session(context, partner, refresh);
    }
    if Form::may_hold_file(head.headers()) {
        return expired_form::ended_with_file(context, partner, refresh);
    }
    let bytes_max = limits::UNKNOWN_FORM_BYTES_MAX;
    match head.content_length() {
        Some(bytes) if bytes <= bytes_max => {
            let form = Form::read(head.headers(), body, bytes_max);
            match tokio::time::timeout(limits::BODY_READ, form).await {
                Ok(Ok(form)) => expired_form::ended(context, partner, head, &form, &typed(&form), refresh),
                Ok(Err(_)) | Err(_) => error_pages::no_browser_session(context, partner, refresh),
            }
        }
        // A longer text is read and dropped, because browsers read the response after that.
        Some(bytes) if bytes <= limits::FORM_DISCARDED_BYTES_MAX => {
            let _ = tokio::time::timeout(limits::BODY_READ, body.discard(bytes)).await;
            error_pages::no_browser_session(context, partner, refresh)
        }
        Some(_) | None => error_pages::no_browser_session(context, partner, refresh),
    }
}

/// Answers a form whose partner is blocked: changes nothing and gives the input back. Reads no file.
async fn read_only(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    partner: &Partner,
    typed: impl FnOnce(&Form) -> Typed,
) -> Response {
    if head.is_from_elsewhere() || Form::may_hold_file(head.headers()) {
        return expired_form::read_only(context, partner, &Typed::new());
    }
    match Form::read(head.headers(), body, limits::FORM_BYTES_MAX).await {
        Ok(form) => expired_form::read_only(context, partner, &typed(&form)),
        Err(_) => expired_form::read_only(context, partner, &Typed::new()),
    }
}

/// Returns a card and its partner.
pub(super) async fn card_and_partner(
    context: &PageContext,
    card_id: Uuid,
) -> Result<Option<(Card, Partner)>, StoreError> {
    let store = &context.services.store;
    let Some(card) = store.any_card(card_id).await? else { return Ok(None) };
    let partner = store.partner(card.partner_id).await?;
    Ok(partner.map(|partner| (card, partner)))
}

/// Returns the partner's page where the user can request a new link, with card and target as parameters (decisions S3).
pub(super) fn refresh_link(partner: &Partner, card_id: Uuid, target: SessionTarget) -> Option<String> {
    let mut url = partner.refresh_address.as_ref().map(HttpUrl::url)?;
    let gid = GlobalId::new(Kind::Card, card_id).to_string();
    url.query_pairs_mut().append_pair("card", &gid).append_pair("target", target.as_str());
    Some(url.into())
}

fn unreadable(context: &PageContext, partner: &Partner, error: FormError) -> Response {
    let partner = Some(partner);
    match error {
        FormError::Body(BodyError::Busy) => error_pages::too_busy(context, partner),
        FormError::Body(BodyError::TooSlow) => error_pages::too_slow(context, partner),
        FormError::Body(BodyError::BrokenOff | BodyError::TooLarge) | FormError::Malformed => {
            error_pages::bad_form(context, partner)
        }
    }
}
