//! `/gasten/open/<token>`: the lasting link to the list in an order mail (see `operation/invitee/list_link.rs`).

use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};

use crate::model::SessionTarget;
use crate::operation::invitee::{self, OpenedListLink};
use crate::web::answer::WebAnswer;
use crate::web::page_error::Outcome;
use crate::web::request::WebRequest;
use crate::web::session_guard::{card_and_partner, refresh_link};
use crate::web::site::Site;
use crate::web::text::invitees as text;
use crate::web::{cookie, error_pages, route};

/// Opens a visit of the list. The link is not used up, so a scanner of mails that looks first takes nothing away; it gets
/// no visit when it says that it only looks ahead.
pub(in crate::web) async fn serve(site: &Site, request: &WebRequest<'_>, token: &str) -> Outcome {
    match *request.method {
        Method::GET if request.is_prefetch() => {
            let later = WebAnswer::bare(StatusCode::SERVICE_UNAVAILABLE);
            return Ok(later.with(RETRY_AFTER, HeaderValue::from_static("0")));
        }
        Method::GET => {}
        Method::HEAD => return Ok(WebAnswer::bare(StatusCode::OK)),
        _ => return Ok(error_pages::method_not_allowed(site, "GET, HEAD")),
    }
    match invitee::open_list_link(&site.services, token).await? {
        OpenedListLink::Opened { browser_session, cookie } => {
            let environment =
                WebAnswer::see_other(&site.path(&route::environment(browser_session.card_id, browser_session.target)));
            Ok(environment
                .with(SET_COOKIE, cookie::set(site, browser_session.card_id, browser_session.target, &cookie)))
        }
        OpenedListLink::Expired(link) => {
            let found = card_and_partner(site, link.card_id).await?;
            let refresh =
                found.and_then(|(_, partner)| refresh_link(&partner, link.card_id, SessionTarget::InviteeList));
            Ok(error_pages::expired(site, text::LINK_EXPIRED_TITLE, text::LINK_EXPIRED, refresh)
                .noted("LIST_LINK_EXPIRED"))
        }
        OpenedListLink::Unknown => Ok(error_pages::unknown_link(site)),
    }
}
