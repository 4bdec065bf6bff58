//! The administration: the operator's pages, in English, on a listener of their own (decisions S11, S12).
//!
//! Routes a request to its page. A one-time link opens a session, which every other page and form requires. A change goes through the
//! operation of the command with the same name, and leaves the same audit record. `layout` has what the pages share; the other files
//! are the pages.

mod card;
mod layout;
mod list;
mod overview;
mod partner;
mod read_only;

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use http::header::{ALLOW, RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};
use maud::{Markup, html};

use super::asset;
use super::context::PageContext;
use super::form::{Body, Form};
use super::page::{Outcome, PageError, add_headers};
use super::session_guard::{TOKEN_FIELD, form_token, is_form_token};
use super::upload_budget::UploadBudget;
use crate::base::{ErrorChain, limits};
use crate::model::{ADMIN_PATH, AdminSession, AuditWords};
use crate::operation::admin;
use crate::request::{BodyError, RequestHead};
use crate::response::{self, Response, ResponseExt as _};
use crate::services::{Checks, Services};

/// The pages of the administration.
pub(crate) struct AdminSite {
    context: PageContext,
    checks: Checks,
    /// The memory of forms that are being read.
    forms: UploadBudget,
}

/// A request of an operator who has a session; with a form if it is a `POST`.
pub(super) struct OperatorRequest<'a> {
    pub context: &'a PageContext,
    pub head: &'a RequestHead<'a>,
    pub operator: Operator,
    pub form: Option<Form>,
}

impl AdminSite {
    /// `secure`: whether the listener speaks TLS.
    pub(crate) fn new(services: Arc<Services>, secure: bool) -> Self {
        let checks = Checks::new(Arc::clone(&services));
        Self { context: PageContext::of_admin(services, secure), checks, forms: UploadBudget::new() }
    }

    /// Answers a request. Each change is one transaction, so that a disconnect leaves nothing half done.
    pub(crate) async fn serve(
        &self,
        head: &RequestHead<'_>,
        pieces: BoxStream<'_, Result<Bytes, BodyError>>,
    ) -> Response {
        let form = Arc::new(self.forms.form(head.client));
        let body = Body::new(pieces, Arc::clone(&form), self.context.services.policy.front.form_stalled);
        let response = match self.route(head, body).await {
            Ok(response) => response,
            Err(PageError::Response(response)) => *response,
            Err(error @ PageError::TooLarge { .. }) => error.into_response(&self.context),
            Err(PageError::Failed(failure)) => {
                tracing::error!(error = %ErrorChain(&failure), "a page of the administration failed");
                let is_unavailable = failure.is_unavailable();
                self.render_failure(if is_unavailable {
                    StatusCode::SERVICE_UNAVAILABLE
                } else {
                    StatusCode::INTERNAL_SERVER_ERROR
                })
            }
        };
        add_headers(response)
    }

    /// The response to a request whose handler failed or timed out.
    pub(crate) fn render_failure(&self, status: StatusCode) -> Response {
        let unavailable = "The database failed. Try again in a minute; the log says why.";
        let page = |text| add_headers(layout::refusal(&self.context, status, "This page failed", text));
        match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                page(unavailable).with(RETRY_AFTER, limits::RETRY_UNAVAILABLE.as_secs().into())
            }
            _ => page("The service failed. The log says why."),
        }
    }

    async fn route(&self, head: &RequestHead<'_>, body: Body<'_>) -> Outcome {
        let context = &self.context;
        let path = head.parts.uri.path();
        let below = path.strip_prefix(ADMIN_PATH).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let segments: Option<Vec<_>> = below.map(|rest| rest.split('/').skip(1).collect());
        match segments.as_deref() {
            None if path == "/" && head.is_read() => return Ok(response::see_other(ADMIN_PATH)),
            None if path == "/favicon.ico" && head.is_read() => return Ok(asset::favicon()),
            Some(["web", name]) if head.is_read() => {
                return Ok(asset::serve(head, name).unwrap_or_else(|| layout::not_found(context)));
            }
            Some(["open", token]) => return open_link(context, head, token).await,
            _ => {}
        }
        let (operator, form) = admit(context, head, body).await?;
        let request = OperatorRequest { context, head, operator, form };
        let Some(segments) = segments else { return Ok(layout::not_found(context)) };
        match segments.as_slice() {
            [] => card::search(&request, &self.checks).await,
            ["cards"] => list::list_cards(&request).await,
            ["mails"] => list::list_mails(&request).await,
            ["leave"] => leave(&request).await,
            ["card", id] => card::show(&request, id).await,
            ["orders"] => read_only::show_orders(&request).await,
            ["partners"] => partner::list(&request).await,
            ["partners", id] => partner::show(&request, id).await,
            ["subscriptions"] => partner::list_subscriptions(&request).await,
            ["themes"] => read_only::list_themes(&request).await,
            ["themes", number] => read_only::preview_theme(&request, number).await,
            ["checks"] => read_only::list_checks(&request, &self.checks).await,
            _ => Ok(layout::not_found(context)),
        }
    }
}

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
        self.context.services.with_audit(self.operator.session.operator.clone(), words, subject.into())
    }
}

/// `/admin/open/<token>`: opens a link. Only a GET of a person does so: HEAD and prefetch leave the link unused.
pub(super) async fn open_link(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    if *head.method() != Method::GET || head.is_prefetch() {
        let refused =
            layout::refusal(context, StatusCode::METHOD_NOT_ALLOWED, "Open the link in a browser", HOW_TO_ENTER);
        return Ok(refused.with(ALLOW, HeaderValue::from_static("GET")));
    }
    Ok(match admin::open_link(&context.services, token).await? {
        Some(cookie) => response::see_other(ADMIN_PATH)
            .with(SET_COOKIE, set_cookie(context, &cookie, limits::BROWSER_SESSION_TOTAL.as_secs())),
        None => layout::refusal(context, StatusCode::FORBIDDEN, "This link opens nothing", HOW_TO_ENTER),
    })
}

/// `/admin/leave`: ends the session.
pub(super) async fn leave(request: &OperatorRequest<'_>) -> Outcome {
    if request.form.is_none() {
        return Ok(response::see_other(ADMIN_PATH));
    }
    admin::end(&request.context.services, &request.operator.session).await?;
    let page = layout::refusal(request.context, StatusCode::OK, "You are signed out", HOW_TO_ENTER);
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
        return Err(layout::refusal(context, StatusCode::FORBIDDEN, "You are not signed in", HOW_TO_ENTER).into());
    };
    let operator = Operator { session, cookie: cookie.to_owned() };
    match *head.method() {
        Method::GET | Method::HEAD => Ok((operator, None)),
        Method::POST => {
            let form = Form::read(head.headers(), body, limits::FORM_BYTES_MAX).await;
            let form = form.map_err(|_| {
                layout::refusal(context, StatusCode::BAD_REQUEST, "The form did not arrive", NOTHING_CHANGED)
            })?;
            let is_foreign = head.is_from_another_site() || head.is_of_another_origin();
            if is_foreign || !is_form_token(&operator.cookie, form.text(TOKEN_FIELD)) {
                return Err(layout::refusal(
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
            let refused: Response = layout::refusal(
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
const HOW_TO_ENTER: &str = "Make a link on the server with \u{201c}card-service admin link --name NAME\u{201d} and open it in this \
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
