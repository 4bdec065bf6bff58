//! Guards the pages behind a session link: checks the browser session and its rate, and reads a form only if it may be sent
//! (decisions S2, S4, S14). Called by every page of the customizer and of the invitee list before anything else.
//!
//! Each environment of each card has its own cookie, so that two cards can be open in one browser. The form token, which is derived from
//! the cookie, keeps other sites from sending a form in the name of the user.
//!
//! A request takes a point of its browser session and a point of all pages of its partner and mode, in the memory of this replica. The
//! API has other points: a partner that uses them up does not stop its families, and a family does not stop the API.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use http::HeaderValue;
use maud::{Markup, html};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;
use uuid::Uuid;

use super::context::PageContext;
use super::error_pages::{self, Input};
use super::form::{Body, Form, FormError};
use super::page::{Outcome, PageError};
use crate::base::{Clock, GlobalId, HttpUrl, Kind, RateLimit, limits};
use crate::model::{Card, Partner, SessionTarget, path};
use crate::operation::session;
use crate::request::{BodyError, RequestHead};
use crate::response::Response;
use crate::store::StoreError;
use crate::text::error_pages as text;

/// The user of a valid browser session, with the card as it was at the start of the request.
pub(super) struct SessionUser {
    pub card: Arc<Card>,
    pub partner: Partner,
    /// A secret: never logged or shown.
    cookie: String,
    /// The digest of the cookie, which identifies the browser session in counts.
    pub session: [u8; 32],
}

impl SessionUser {
    /// The same user with a newer state of the card.
    pub(super) fn looking_at(&self, card: Arc<Card>) -> Self {
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
        html! { input type="hidden" name=(TOKEN_FIELD) value=(form_token(&self.cookie)); }
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
    typed: impl FnOnce(&Form) -> Input,
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
            return Err(PageError::TooLarge { partner: Box::new(user.partner), page, form: None });
        }
        Err(error) => return Err(unreadable(context, &user.partner, error).into()),
    };
    let is_own = !head.is_from_another_site() && is_form_token(&user.cookie, form.text(TOKEN_FIELD));
    if form.is_cut() {
        let (partner, form) = (Box::new(user.partner), is_own.then(|| Box::new(form)));
        return Err(PageError::TooLarge { partner, page, form });
    }
    if !is_own {
        let typed = if head.is_from_elsewhere() { Input::new() } else { typed(&form) };
        return Err(error_pages::foreign_form(context, &user.partner, head, &form, &typed, &user.token_field()).into());
    }
    Ok((user, form))
}

async fn find_user(
    context: &PageContext,
    head: &RequestHead<'_>,
    card_id: Uuid,
    target: SessionTarget,
) -> Outcome<Result<SessionUser, NoSession>> {
    let cookie = head.cookie(&cookie_name(context, card_id, target)).unwrap_or_default();
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
/// Without a session the form is read only if its announced length is small; of one with a photo, the fields before the photo, if the
/// browser had a session.
async fn session_ended(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    none: &NoSession,
    typed: impl FnOnce(&Form) -> Input,
) -> Response {
    let (partner, refresh) = (none.partner.as_ref(), none.refresh.as_deref());
    if head.is_from_elsewhere() {
        return error_pages::no_browser_session(context, partner, refresh);
    }
    let is_small = head.content_length().is_some_and(|bytes| bytes <= limits::UNKNOWN_FORM_BYTES_MAX);
    if Form::may_hold_file(head.headers()) && !is_small {
        let is_worth_reading = none.has_ended && head.content_length().is_some();
        let form = match is_worth_reading {
            true => Form::read_start(head.headers(), body).await.unwrap_or_default(),
            false => Form::default(),
        };
        return error_pages::session_ended(context, partner, head, &form, &typed(&form), true, refresh);
    }
    let bytes_max = limits::UNKNOWN_FORM_BYTES_MAX;
    match head.content_length() {
        Some(bytes) if bytes <= bytes_max => {
            let form = Form::read(head.headers(), body, bytes_max);
            match tokio::time::timeout(limits::BODY_READ, form).await {
                Ok(Ok(mut form)) => {
                    let has_file = form.take_file().is_some();
                    error_pages::session_ended(context, partner, head, &form, &typed(&form), has_file, refresh)
                }
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

/// Answers a form whose partner is blocked: changes nothing and gives the input back.
async fn read_only(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    partner: &Partner,
    typed: impl FnOnce(&Form) -> Input,
) -> Response {
    if head.is_from_elsewhere() {
        return error_pages::read_only(context, partner, &Input::new());
    }
    let form = match Form::may_hold_file(head.headers()) {
        true => Form::read_start(head.headers(), body).await,
        false => Form::read(head.headers(), body, limits::FORM_BYTES_MAX).await,
    };
    match form {
        Ok(form) => error_pages::read_only(context, partner, &typed(&form)),
        Err(_) => error_pages::read_only(context, partner, &Input::new()),
    }
}

/// Returns a card and its partner.
pub(super) async fn card_and_partner(
    context: &PageContext,
    card_id: Uuid,
) -> Result<Option<(Arc<Card>, Partner)>, StoreError> {
    let store = &context.services.store;
    let Some(card) = store.any_card(card_id).await? else { return Ok(None) };
    let partner = store.partner(card.partner_id).await?;
    Ok(partner.map(|partner| (card, partner)))
}

/// Returns the partner's page where the user can request a new link, with card and target as parameters.
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

/// The form field that holds the token.
pub(super) const TOKEN_FIELD: &str = "form_token";

/// Returns the name of the cookie. `__Host-` binds it to this host and to https (RFC 6265bis, section 4.1.3.2).
pub(super) fn cookie_name(context: &PageContext, card_id: Uuid, target: SessionTarget) -> String {
    let prefix = if context.secure { "__Host-" } else { "" };
    let environment = match target {
        SessionTarget::Customizer => "kaart",
        SessionTarget::InviteeList => "gasten",
    };
    format!("{prefix}{environment}-{}", card_id.simple())
}

/// Returns the value of `Set-Cookie`.
pub(super) fn set_cookie(context: &PageContext, card_id: Uuid, target: SessionTarget, value: &str) -> HeaderValue {
    set_cookie_at(context, "/", &cookie_name(context, card_id, target), value)
}

/// The same for a cookie of this path and the paths below it, which lives as long as a browser session.
pub(super) fn set_cookie_at(context: &PageContext, path: &str, name: &str, value: &str) -> HeaderValue {
    let secure = if context.secure { "; Secure" } else { "" };
    let seconds = limits::BROWSER_SESSION_TOTAL.as_secs();
    let cookie = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names and values of cookies are visible ASCII")
}

/// Returns the form token of the session with this cookie. It does not reveal the cookie.
pub(super) fn form_token(cookie: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::new().chain_update(b"form token\0").chain_update(cookie.as_bytes()).finalize())
}

/// Whether `sent` is the form token of the session with this cookie.
pub(super) fn is_form_token(cookie: &str, sent: &str) -> bool {
    form_token(cookie).as_bytes().ct_eq(sent.as_bytes()).into()
}

type Limiter<K> = RateLimiter<K, HashMapStateStore<K>, Clock, NoOpMiddleware<Nanos>>;

pub(super) struct PageLimiter {
    /// By the digest of the cookie.
    sessions: Limiter<[u8; 32]>,
    /// By partner, live and test apart.
    partners: Limiter<(Uuid, bool)>,
    requests: AtomicUsize,
}

impl PageLimiter {
    /// `rate` is the limit of a partner; a browser session has a share of it.
    pub(super) fn new(clock: &Clock, rate: RateLimit) -> Self {
        let share = |number: NonZeroU32, share| NonZeroU32::new(number.get() / share).unwrap_or(NonZeroU32::MIN);
        let quota = |restored, points| Quota::per_second(restored).allow_burst(points);
        let of_session = quota(
            share(rate.restored_per_second, limits::SESSION_RESTORED_SHARE),
            share(rate.points, limits::SESSION_POINTS_SHARE),
        );
        Self {
            sessions: RateLimiter::hashmap_with_clock(of_session, clock.clone()),
            partners: RateLimiter::hashmap_with_clock(quota(rate.restored_per_second, rate.points), clock.clone()),
            requests: AtomicUsize::new(0),
        }
    }

    /// Takes the points of a request.
    ///
    /// # Errors
    /// How long to wait, if the browser session or its partner has no point left.
    pub(super) fn take(&self, session: [u8; 32], card: &Card) -> Result<(), Duration> {
        if self.requests.fetch_add(1, Ordering::Relaxed).is_multiple_of(limits::SESSIONS_FORGOTTEN_EVERY) {
            self.sessions.retain_recent();
        }
        let now = GovernorClock::now(self.sessions.clock());
        self.sessions.check_key(&session).map_err(|until| until.wait_time_from(now))?;
        self.partners.check_key(&(card.partner_id, card.test)).map_err(|until| until.wait_time_from(now))
    }
}
