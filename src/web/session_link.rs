//! `/s/<token>`: a session link is opened, once (specification, sections 2.7 and 7.3; decisions S1 to S3).

use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};
use serde_json::json;

use super::answer::WebAnswer;
use super::page_error::Outcome;
use super::request::WebRequest;
use super::session_guard::{card_and_partner, refresh_link};
use super::site::Site;
use super::text::session_link as text;
use super::{cookie, error_pages, route};
use crate::model::SessionLink;
use crate::operation::session::{self, LinkState, Redeemed};

const ALLOWED: &str = "GET, HEAD, OPTIONS";

/// Opens the link. Only a GET that somebody meant uses it up: what looks ahead (HEAD, OPTIONS, prefetch) does not.
pub(super) async fn serve(site: &Site, request: &WebRequest<'_>, token: &str) -> Outcome {
    let services = &site.services;
    match *request.method {
        Method::GET if request.is_prefetch() => {
            // A refusal is not kept for the click that may follow; a success would be shown without asking us again.
            let later = WebAnswer::bare(StatusCode::SERVICE_UNAVAILABLE);
            Ok(later.with(RETRY_AFTER, HeaderValue::from_static("0")))
        }
        Method::GET => match session::redeem(services, token).await? {
            Redeemed::Opened { browser_session, cookie } => {
                let environment = WebAnswer::see_other(
                    &site.path(&route::environment(browser_session.card_id, browser_session.target)),
                );
                let held = cookie::set(site, browser_session.card_id, browser_session.target, &cookie);
                Ok(environment.with(SET_COOKIE, held))
            }
            Redeemed::Refused(state) => refused(site, request, state).await,
        },
        Method::HEAD => match session::look_at(services, token).await? {
            LinkState::Fresh(_) => {
                let html = HeaderValue::from_static("text/html; charset=utf-8");
                Ok(WebAnswer::bare(StatusCode::OK).with(CONTENT_TYPE, html))
            }
            state => refused(site, request, state).await,
        },
        Method::OPTIONS => Ok(WebAnswer::bare(StatusCode::NO_CONTENT).with(ALLOW, HeaderValue::from_static(ALLOWED))),
        _ => Ok(error_pages::method_not_allowed(site, ALLOWED)),
    }
}

async fn refused(site: &Site, request: &WebRequest<'_>, state: LinkState) -> Outcome {
    let (status, code, message, session) = match state {
        LinkState::Used(session) => (StatusCode::GONE, "SESSION_LINK_USED", text::USED, Some(session)),
        LinkState::Expired(session) => (StatusCode::GONE, "SESSION_LINK_EXPIRED", text::EXPIRED, Some(session)),
        LinkState::Fresh(_) | LinkState::Unknown => (StatusCode::NOT_FOUND, "BAD_REQUEST", text::UNKNOWN, None),
    };
    if request.wants_json() {
        return Ok(for_machines(request, status, code, message).noted(code));
    }
    let Some(session) = session else { return Ok(error_pages::unknown_link(site)) };
    let refresh = card_and_partner(site, session.card_id).await?;
    let refresh = refresh.and_then(|(_, partner)| refresh_link(&partner, session.card_id, session.target));
    let go_on = still_open(site, request, &session).await?;
    Ok(error_pages::gone(site, code == "SESSION_LINK_USED", refresh, go_on).noted(code))
}

/// The environment of a used link, if this browser is the one that may still go on in it.
async fn still_open(site: &Site, request: &WebRequest<'_>, link: &SessionLink) -> Outcome<Option<String>> {
    let Some(held) = request.cookie(&cookie::name(site, link.card_id, link.target)) else { return Ok(None) };
    let browser_session = session::browser_session(&site.services, held, link.card_id, link.target).await?;
    Ok(browser_session
        .map(|browser_session| site.path(&route::environment(browser_session.card_id, browser_session.target))))
}

/// The body of decisions H1.
fn for_machines(request: &WebRequest<'_>, status: StatusCode, code: &str, message: &str) -> WebAnswer {
    let detail = match code {
        "SESSION_LINK_USED" => "A session link works once; request a new one with cardSessionCreate.",
        "SESSION_LINK_EXPIRED" => "A session link is valid for ten minutes; request a new one with cardSessionCreate.",
        _ => "There is no such session link.",
    };
    let extensions = json!({ "code": code, "requestId": request.id, "detail": detail });
    let body = json!({ "errors": [{ "message": message, "extensions": extensions }] });
    WebAnswer::new(status, HeaderValue::from_static("application/json; charset=utf-8"), body.to_string())
}
