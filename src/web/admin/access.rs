//! Access to the administration: a one-time link opens a session, and every other page and form requires one (decisions S12).

use http::header::{ALLOW, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};
use maud::{Markup, html};

use super::page;
use super::site::OperatorRequest;
use crate::base::limits;
use crate::model::{ADMIN_PATH, AdminSession, AuditWords};
use crate::operation::admin;
use crate::request::RequestHead;
use crate::response::{self, Response, ResponseExt as _};
use crate::services::Services;
use crate::web::body::Body;
use crate::web::browser_session::{TOKEN_FIELD, form_token, is_form_token};
use crate::web::context::PageContext;
use crate::web::form::Form;
use crate::web::page::Outcome;

/// An operator with an open session.
pub(super) struct Operator {
    pub session: AdminSession,
    /// A secret: never logged or shown.
    cookie: String,
}

impl Operator {
    /// The hidden field of every form that holds the form token.
    pub(super) fn token_field(&self) -> Markup {
        html! { input type="hidden" name=(TOKEN_FIELD) value=(form_token(&self.cookie)); }
    }
}

impl OperatorRequest<'_> {
    /// Returns services whose writes leave one audit record with the name of the operator.
    pub(super) fn audited(&self, words: AuditWords, subject: impl Into<String>) -> Services {
        self.context.services.audited(self.operator.session.operator.clone(), words, subject.into())
    }
}

/// `/admin/open/<token>`: opens a link. Only a GET of a person does so: HEAD and prefetch leave the link unused.
pub(super) async fn open(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    if *head.method() != Method::GET || head.is_prefetch() {
        let refused =
            page::refusal(context, StatusCode::METHOD_NOT_ALLOWED, "Open the link in a browser", HOW_TO_ENTER);
        return Ok(refused.with(ALLOW, HeaderValue::from_static("GET")));
    }
    Ok(match admin::open_link(&context.services, token).await? {
        Some(cookie) => response::see_other(ADMIN_PATH)
            .with(SET_COOKIE, set_cookie(context, &cookie, limits::BROWSER_SESSION_TOTAL.as_secs())),
        None => page::refusal(context, StatusCode::FORBIDDEN, "This link opens nothing", HOW_TO_ENTER),
    })
}

/// `/admin/leave`: ends the session.
pub(super) async fn leave(request: &OperatorRequest<'_>) -> Outcome {
    if request.form.is_none() {
        return Ok(response::see_other(ADMIN_PATH));
    }
    admin::end(&request.context.services, &request.operator.session).await?;
    let page = page::refusal(request.context, StatusCode::OK, "You are signed out", HOW_TO_ENTER);
    Ok(page.with(SET_COOKIE, set_cookie(request.context, "", 0)))
}

/// Returns the operator of the session, and the form of a `POST`, which must carry the token of the session and come from a
/// page of the administration. Without a session no form is read.
pub(super) async fn admit(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
) -> Outcome<(Operator, Option<Form>)> {
    let cookie = head.cookie(cookie_name(context)).filter(|cookie| !cookie.is_empty());
    let session = match cookie {
        Some(cookie) => admin::session(&context.services, cookie).await?,
        None => None,
    };
    let Some((session, cookie)) = session.zip(cookie) else {
        return Err(page::refusal(context, StatusCode::FORBIDDEN, "You are not signed in", HOW_TO_ENTER).into());
    };
    let operator = Operator { session, cookie: cookie.to_owned() };
    match *head.method() {
        Method::GET | Method::HEAD => Ok((operator, None)),
        Method::POST => {
            let form = Form::read(head.headers(), body, limits::FORM_BYTES_MAX).await;
            let form = form.map_err(|_| {
                page::refusal(context, StatusCode::BAD_REQUEST, "The form did not arrive", NOTHING_CHANGED)
            })?;
            let is_foreign = head.is_from_another_site() || head.is_of_another_origin();
            if is_foreign || !is_form_token(&operator.cookie, form.text(TOKEN_FIELD)) {
                return Err(page::refusal(
                    context,
                    StatusCode::FORBIDDEN,
                    "This form is not of this session",
                    NOTHING_CHANGED,
                )
                .into());
            }
            Ok((operator, Some(form)))
        }
        _ => {
            let refused: Response = page::refusal(
                context,
                StatusCode::METHOD_NOT_ALLOWED,
                "This page takes no such request",
                NOTHING_CHANGED,
            );
            Err(refused.with(ALLOW, HeaderValue::from_static("GET, HEAD, POST")).into())
        }
    }
}

/// How an operator gets in.
pub(super) const HOW_TO_ENTER: &str = "Make a link on the server with \u{201c}card-service admin link --name NAME\u{201d} and open it in this \
     browser. A link works once, for ten minutes; a session ends after two hours without use, and after twelve hours.";

const NOTHING_CHANGED: &str = "Nothing was changed. Go back, reload the page and try again.";

/// `__Host-` binds the cookie to this host and to https (RFC 6265bis, section 4.1.3.2).
fn cookie_name(context: &PageContext) -> &'static str {
    if context.secure { "__Host-admin" } else { "admin" }
}

/// The value of `Set-Cookie`. Cookies of the loopback go to every port, so that the path limits them to the administration.
fn set_cookie(context: &PageContext, value: &str, seconds: u64) -> HeaderValue {
    let (name, path) = (cookie_name(context), if context.secure { "/" } else { ADMIN_PATH });
    let secure = if context.secure { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).expect("names and values of cookies are visible ASCII")
}
