//! The layout of every page except the card: language, landmarks, skip link, style and script; the footer and the headers of all
//! pages; and the errors that end a page.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue, StatusCode};
use maud::{DOCTYPE, Markup, html};
use sha2::{Digest as _, Sha256};

use super::asset::{PAGE_SCRIPT, PAGE_STYLE};
use super::context::PageContext;
use super::error_pages;
use super::form::Form;
use crate::base::ErrorChain;
use crate::model::{Partner, path};
use crate::operation::Failure;
use crate::response::{self, ROBOTS, Response};
use crate::text;

/// Ends a page handler early; `?` returns it to the router.
#[derive(Debug)]
pub(super) enum PageError {
    /// The response: a refusal or a redirect.
    Response(Box<Response>),
    /// A form that is too large, the partner of its card, the path of its page, and the fields before its file.
    TooLarge { partner: Box<Partner>, page: String, form: Option<Box<Form>> },
    /// A failure of the service, whose cause is logged.
    Failed(Failure),
}

/// The result of a page handler.
pub(super) type Outcome<T = Response> = Result<T, PageError>;

impl PageError {
    /// Makes the response. Logs a failure, and does not show its cause.
    pub(super) fn into_response(self, context: &PageContext) -> Response {
        match self {
            PageError::Response(response) => *response,
            PageError::TooLarge { partner, page, .. } => error_pages::too_large(context, Some(&partner), &page),
            PageError::Failed(failure) => {
                tracing::error!(error = %ErrorChain(&failure), "a page failed");
                if failure.is_unavailable() {
                    error_pages::unavailable(context)
                } else {
                    error_pages::internal(context)
                }
            }
        }
    }
}

impl From<Response> for PageError {
    fn from(response: Response) -> Self {
        PageError::Response(Box::new(response))
    }
}

impl<F: Into<Failure>> From<F> for PageError {
    fn from(failure: F) -> Self {
        PageError::Failed(failure.into())
    }
}

/// Responds with a page behind a personal link. `title` is the title of the tab; `main` holds the `h1`.
pub(super) fn show(
    context: &PageContext,
    partner: &Partner,
    status: StatusCode,
    title: &str,
    main: Markup,
) -> Response {
    show_with_class(context, partner, status, title, main, None)
}

/// The same with a second column on a wide screen, which the body says before its contents arrive, so that nothing moves.
pub(super) fn show_in_columns(
    context: &PageContext,
    partner: &Partner,
    status: StatusCode,
    title: &str,
    main: Markup,
) -> Response {
    show_with_class(context, partner, status, title, main, Some("columns"))
}

fn show_with_class(
    context: &PageContext,
    partner: &Partner,
    status: StatusCode,
    title: &str,
    main: Markup,
    class: Option<&str>,
) -> Response {
    let kept = Some(text::retention(&context.services.policy.retention)).filter(|kept| !kept.is_empty());
    let footer = footer(context, Some(partner), kept.as_deref());
    respond(status, document(context, Some(partner), title, main, footer, class))
}

/// Responds with a page that everybody can open, about a card of `partner` if there is one.
pub(super) fn show_public(
    context: &PageContext,
    partner: Option<&Partner>,
    status: StatusCode,
    title: &str,
    main: Markup,
) -> Response {
    respond(status, document(context, partner, title, main, footer(context, partner, None), None))
}

/// Responds with a whole document.
pub(super) fn respond(status: StatusCode, document: Markup) -> Response {
    response::new(status, "text/html; charset=utf-8", document.into_string())
}

fn document(
    context: &PageContext,
    partner: Option<&Partner>,
    title: &str,
    main: Markup,
    footer: Markup,
    class: Option<&str>,
) -> Markup {
    html! {
        (DOCTYPE)
        html lang="nl" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – " (text::SITE) }
                meta name="robots" content="noindex, nofollow";
                meta name="referrer" content="no-referrer";
                meta name="format-detection" content="telephone=no, date=no, address=no, email=no";
                meta name="color-scheme" content="light";
                meta name="theme-color" content="#f7f5f1";
                link rel="stylesheet" href=(PAGE_STYLE.address(context));
                script src=(PAGE_SCRIPT.address(context)) defer {}
            }
            body class=[class] {
                a.skip href="#inhoud" { (text::SKIP) }
                header.site {
                    p { (text::SITE) }
                    @if let Some(partner) = partner { p.by { (partner.shown_name()) } }
                }
                main #inhoud tabindex="-1" data-sending=(text::SENDING) data-unsent=(text::UNSENT) data-typed=(text::TYPED) { (main) }
                footer.site { (footer) }
            }
        }
    }
}

/// The contents of every footer: the partner's contact, the privacy statement and the page on accessibility.
pub(super) fn footer(context: &PageContext, partner: Option<&Partner>, about: Option<&str>) -> Markup {
    let digits = |phone: &str| phone.replace("(0)", "").replace(|c: char| c != '+' && !c.is_ascii_digit(), "");
    html! {
        @if let Some(partner) = partner {
            div.organisation {
                @if let Some(key) = &partner.logo {
                    img.logo src=(context.local(&context.services.logo_address(key))) alt="" loading="lazy";
                }
                p {
                    strong { (partner.shown_name()) }
                    @if partner.phone.is_some() || partner.email.is_some() { br; (text::HELP) }
                    @if let Some(phone) = &partner.phone { br; a href={ "tel:" (digits(phone)) } { (phone) } }
                    @if let Some(email) = &partner.email { br; a href={ "mailto:" (email) } { (email) } }
                }
            }
        }
        @if let Some(about) = about { p { (about) } }
        p.links {
            @if let Some(url) = partner.and_then(|partner| partner.privacy_url.as_ref()) {
                a href=(url.as_str()) rel="noopener noreferrer" { (text::PRIVACY) } " "
            }
            a href=(context.path(&path::accessibility())) { (text::ACCESSIBILITY) }
        }
    }
}

/// Nothing from other sites, no script or style inside a page (but see [`allow_styles`]), no form to other sites. A page is in no
/// frame, except a card in the customizer ([`allow_styles_and_frame`]). `blob:` is the portrait that was chosen and not yet sent, and a
/// script sends it to the service itself.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; font-src 'self'; \
                      connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Adds the headers of every page, except headers that the page has set.
pub(super) fn add_headers(mut response: Response) -> Response {
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (ROBOTS, "noindex, nofollow"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CACHE_CONTROL, "no-store"),
    ] {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// Returns the policy of a page that holds one of these styles (Content Security Policy Level 3, section 6.7.3.3).
pub(super) fn allow_styles(styles: &[String]) -> HeaderValue {
    let sources = styles.iter().fold("style-src 'self'".to_owned(), |sources, style| {
        format!("{sources} 'sha256-{}'", BASE64.encode(Sha256::digest(style)))
    });
    HeaderValue::try_from(POLICY.replace("style-src 'self'", &sources)).expect("a policy is visible ASCII")
}

/// The same for a page in a frame of the service.
pub(super) fn allow_styles_and_frame(styles: &[String]) -> HeaderValue {
    let policy = allow_styles(styles);
    let policy = policy.to_str().unwrap_or_default().replace("frame-ancestors 'none'", "frame-ancestors 'self'");
    HeaderValue::try_from(policy).expect("a policy is visible ASCII")
}
