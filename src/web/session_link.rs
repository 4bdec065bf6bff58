//! `/s/<token>`: opens a session link, which works once (specification, sections 2.7 and 7.3; decisions S1 to S3).

use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};
use serde_json::json;

use super::context::PageContext;
use super::error_pages;
use super::page::Outcome;
use super::session_guard::{self, card_and_partner, refresh_link};
use crate::model::{SessionLink, path};
use crate::operation::session::{self, LinkState, Redeemed};
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::text::error_pages as text;

const ALLOWED: &str = "GET, HEAD, OPTIONS";

/// Opens the link. Only a GET of a user does so: HEAD, OPTIONS and prefetch leave the link unused.
pub(super) async fn serve(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    let services = &context.services;
    match *head.method() {
        Method::GET if head.is_prefetch() => {
            // A browser does not reuse a refusal for the click that follows; it would reuse a success.
            let later = response::empty(StatusCode::SERVICE_UNAVAILABLE);
            Ok(later.with(RETRY_AFTER, HeaderValue::from_static("0")))
        }
        Method::GET => match session::redeem(services, token).await? {
            Redeemed::Opened { browser_session, cookie } => {
                let environment = response::see_other(
                    &context.path(&path::environment(browser_session.card_id, browser_session.target)),
                );
                let held = session_guard::set_cookie(context, browser_session.card_id, browser_session.target, &cookie);
                Ok(environment.with(SET_COOKIE, held))
            }
            Redeemed::Refused(state) => refuse(context, head, state).await,
        },
        Method::HEAD => match session::link_state(services, token).await? {
            LinkState::Fresh => {
                let html = HeaderValue::from_static("text/html; charset=utf-8");
                Ok(response::empty(StatusCode::OK).with(CONTENT_TYPE, html))
            }
            state => refuse(context, head, state).await,
        },
        Method::OPTIONS => Ok(response::empty(StatusCode::NO_CONTENT).with(ALLOW, HeaderValue::from_static(ALLOWED))),
        _ => Ok(error_pages::method_not_allowed(context, ALLOWED)),
    }
}

async fn refuse(context: &PageContext, head: &RequestHead<'_>, state: LinkState) -> Outcome {
    let (status, code, title, story, session) = match state {
        LinkState::Used(session) => {
            (StatusCode::GONE, "SESSION_LINK_USED", text::USED_TITLE, text::USED, Some(session))
        }
        LinkState::Expired(session) => {
            (StatusCode::GONE, "SESSION_LINK_EXPIRED", text::EXPIRED_TITLE, text::EXPIRED, Some(session))
        }
        LinkState::Revoked(session) => {
            (StatusCode::GONE, "SESSION_LINK_REVOKED", text::REVOKED_TITLE, text::REVOKED, Some(session))
        }
        LinkState::Fresh | LinkState::Unknown => {
            (StatusCode::NOT_FOUND, "SESSION_LINK_UNKNOWN", text::UNKNOWN_TITLE, text::UNKNOWN, None)
        }
    };
    if head.wants_json() {
        return Ok(json_response(head, status, code, &format!("{title}. {story}")).with_code(code));
    }
    let Some(session) = session else { return Ok(error_pages::unknown_link(context)) };
    let partner = card_and_partner(context, session.card_id).await?.map(|(_, partner)| partner);
    let partner = partner.as_ref();
    let refresh = partner.and_then(|partner| refresh_link(partner, session.card_id, session.target));
    let go_on = still_open(context, head, &session).await?;
    Ok(error_pages::gone(context, partner, title, story, refresh, go_on).with_code(code))
}

/// The environment of a used link, if this browser still has a session for it.
async fn still_open(context: &PageContext, head: &RequestHead<'_>, link: &SessionLink) -> Outcome<Option<String>> {
    let Some(held) = head.cookie(&session_guard::cookie_name(context, link.card_id, link.target)) else {
        return Ok(None);
    };
    let browser_session = session::browser_session(&context.services, held, link.card_id, link.target).await?;
    Ok(browser_session
        .map(|browser_session| context.path(&path::environment(browser_session.card_id, browser_session.target))))
}

/// The response for programs, with the body of decisions H1.
fn json_response(head: &RequestHead<'_>, status: StatusCode, code: &str, message: &str) -> Response {
    let detail = match code {
        "SESSION_LINK_USED" => "A session link works once; request a new one with cardSessionCreate.",
        "SESSION_LINK_EXPIRED" => "A session link is valid for ten minutes; request a new one with cardSessionCreate.",
        "SESSION_LINK_REVOKED" => {
            "The key that created this session link was revoked; request a new one with another key."
        }
        _ => "There is no such session link.",
    };
    let extensions = json!({ "code": code, "requestId": head.id, "detail": detail });
    let body = json!({ "errors": [{ "message": message, "extensions": extensions }] });
    response::new(status, "application/json; charset=utf-8", body.to_string())
}
