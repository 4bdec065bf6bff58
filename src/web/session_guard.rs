//! The door of the environments behind a session link: who comes in, and whose form is read (decisions S2, S4).
//!
//! Called by every page of the customizer and of the invitee list, before anything else.

use http::StatusCode;
use maud::{Markup, html};
use uuid::Uuid;

use super::body::{Body, BodyError};
use super::expired_form::{self, Typed};
use super::form::{Form, FormError};
use super::page_error::Outcome;
use super::request::WebRequest;
use super::site::Site;
use super::text::error_pages as text;
use super::{WebAnswer, cookie, error_pages, form_token};
use crate::base::{HttpUrl, limits};
use crate::model::{Card, Partner, SessionTarget};
use crate::operation::session;
use crate::store::StoreError;

/// Somebody who was let in, and the card as it was then.
pub(super) struct SessionUser {
    pub card: Card,
    pub partner: Partner,
    /// The secret of the visit: not to be logged, and not to be shown.
    cookie: String,
    /// The digest of the cookie: the browser session, for what is counted of it.
    pub session: [u8; 32],
}

impl SessionUser {
    /// The same person, who looks at the card as it is now.
    pub fn looking_at(&self, card: Card) -> Self {
        Self { card, partner: self.partner.clone(), cookie: self.cookie.clone(), session: self.session }
    }

    /// Whether the card can be changed and ordered: not while its partner is blocked.
    pub fn may_change(&self) -> bool {
        !self.partner.blocked
    }

    /// What every page says while the card cannot be changed.
    pub fn notice(&self) -> Markup {
        html! {
            @if !self.may_change() { p.said.not role="status" { (text::read_only(&self.partner.name)) } }
        }
    }

    /// What every form of the environment carries.
    pub fn token_field(&self) -> Markup {
        html! { input type="hidden" name=(form_token::FIELD) value=(form_token::of(&self.cookie)); }
    }
}

/// Somebody without a visit, or whose visit has ended.
struct NoSession {
    /// Where a new link can be asked for.
    refresh: Option<String>,
}

/// Lets a browser in that opened a link to this environment of this card.
pub(super) async fn admit(
    site: &Site,
    request: &WebRequest<'_>,
    card_id: Uuid,
    target: SessionTarget,
) -> Outcome<SessionUser> {
    match look(site, request, card_id, target).await? {
        Ok(visitor) => Ok(visitor),
        Err(outside) => Err(error_pages::no_browser_session(site, outside.refresh.as_deref()).into()),
    }
}

/// Lets a browser in and reads the form it sends, which must come from a page of this visit and of a partner that is not
/// blocked. `typed` says in words what
/// somebody typed into it: whoever is not let in gets it back.
pub(super) async fn admit_form(
    site: &Site,
    request: &WebRequest<'_>,
    body: Body<'_>,
    card_id: Uuid,
    target: SessionTarget,
    typed: impl FnOnce(&Form) -> Typed,
) -> Outcome<(SessionUser, Form)> {
    let visitor = match look(site, request, card_id, target).await? {
        Ok(visitor) => visitor,
        Err(outside) => return Err(ended(site, request, body, outside.refresh.as_deref(), typed).await.into()),
    };
    if visitor.partner.blocked {
        return Err(read_only(site, request, body, &visitor.partner, typed).await.into());
    }
    let file = match Form::may_hold_file(request.headers) {
        true => match site.uploads.file(visitor.session) {
            Some(file) => Some(file),
            None => {
                body.discard(limits::UPLOAD_FORM_BYTES_MAX, limits::FORM_READ).await;
                return Err(error_pages::too_many_uploads(site).into());
            }
        },
        false => None,
    };
    let form = Form::read_with_file(request.headers, body, &site.uploads).await;
    let mut form = form.map_err(|error| refused(site, error))?;
    form.count_file(file);
    if !form_token::is_right(&visitor.cookie, form.text(form_token::FIELD)) {
        let typed = if request.is_from_elsewhere() { Typed::new() } else { typed(&form) };
        return Err(expired_form::foreign_form(site, request, &form, &typed, &visitor.token_field()).into());
    }
    Ok((visitor, form))
}

async fn look(
    site: &Site,
    request: &WebRequest<'_>,
    card_id: Uuid,
    target: SessionTarget,
) -> Outcome<Result<SessionUser, NoSession>> {
    let services = &site.services;
    let sent = request.cookie(&cookie::name(site, card_id, target)).unwrap_or_default();
    let browser_session = match sent.is_empty() {
        true => None,
        false => session::browser_session(services, sent, card_id, target).await?,
    };
    Ok(match (card_and_partner(site, card_id).await?, browser_session) {
        (Some((card, partner)), Some(browser_session)) => {
            Ok(SessionUser { card, partner, cookie: sent.to_owned(), session: browser_session.digest })
        }
        (found, _) => {
            Err(NoSession { refresh: found.and_then(|(_, partner)| refresh_link(&partner, card_id, target)) })
        }
    })
}

/// The answer to a form whose visit has ended. Of somebody without a visit little is read and less is kept: what can be
/// typed, if the head says how long it is, and no file.
async fn ended(
    site: &Site,
    request: &WebRequest<'_>,
    body: Body<'_>,
    refresh: Option<&str>,
    typed: impl FnOnce(&Form) -> Typed,
) -> WebAnswer {
    if request.is_from_elsewhere() {
        return error_pages::no_browser_session(site, refresh);
    }
    if Form::may_hold_file(request.headers) {
        return expired_form::ended_with_file(site, refresh);
    }
    let bytes_max = limits::UNKNOWN_FORM_BYTES_MAX;
    match body.announced() {
        Some(bytes) if bytes <= bytes_max => {
            let form = Form::read(request.headers, body, &site.uploads, bytes_max);
            match tokio::time::timeout(limits::BODY_READ, form).await {
                Ok(Ok(form)) => expired_form::ended(site, request, &form, &typed(&form), refresh),
                Ok(Err(_)) | Err(_) => error_pages::no_browser_session(site, refresh),
            }
        }
        // A longer text is dropped as it comes, so that its sender gets to read the answer.
        Some(bytes) if bytes <= limits::FORM_DISCARDED_BYTES_MAX => {
            body.discard(bytes, limits::BODY_READ).await;
            error_pages::no_browser_session(site, refresh)
        }
        Some(_) | None => error_pages::no_browser_session(site, refresh),
    }
}

/// The answer to a form while its partner is blocked: nothing is changed, and what was typed is given back. No file is read.
async fn read_only(
    site: &Site,
    request: &WebRequest<'_>,
    body: Body<'_>,
    partner: &Partner,
    typed: impl FnOnce(&Form) -> Typed,
) -> WebAnswer {
    if request.is_from_elsewhere() || Form::may_hold_file(request.headers) {
        return expired_form::read_only(site, partner, &Typed::new());
    }
    match Form::read(request.headers, body, &site.uploads, limits::FORM_BYTES_MAX).await {
        Ok(form) => expired_form::read_only(site, partner, &typed(&form)),
        Err(_) => expired_form::read_only(site, partner, &Typed::new()),
    }
}

/// A card and whose it is.
pub(super) async fn card_and_partner(site: &Site, card_id: Uuid) -> Result<Option<(Card, Partner)>, StoreError> {
    let store = &site.services.store;
    let Some(card) = store.any_card(card_id).await? else { return Ok(None) };
    let partner = store.partner(card.partner_id).await?;
    Ok(partner.map(|partner| (card, partner)))
}

/// Where a new link can be asked for: the partner's own page, which is told what for (decisions S3).
pub(super) fn refresh_link(partner: &Partner, card_id: Uuid, target: SessionTarget) -> Option<String> {
    use crate::base::{GlobalId, Kind};
    let mut url = partner.refresh_address.as_ref().map(HttpUrl::url)?;
    let gid = GlobalId::new(Kind::Card, card_id).to_string();
    url.query_pairs_mut().append_pair("card", &gid).append_pair("target", target.as_str());
    Some(url.into())
}

fn refused(site: &Site, error: FormError) -> WebAnswer {
    match error {
        FormError::Body(BodyError::TooLarge) => error_pages::too_large(site),
        FormError::Body(BodyError::Busy) => error_pages::too_busy(site),
        FormError::Body(BodyError::TooSlow) => error_pages::bad_form(site, StatusCode::REQUEST_TIMEOUT),
        FormError::Body(BodyError::BrokenOff) | FormError::Malformed => {
            error_pages::bad_form(site, StatusCode::BAD_REQUEST)
        }
    }
}
