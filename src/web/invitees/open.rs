//! `/gasten/open/<token>`: the lasting link to the list in an order mail (see `operation/invitee/list_link.rs`).

use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};

use crate::model::SessionTarget;
use crate::operation::invitee::{self, OpenedListLink};
use crate::web::admission::{card_and_partner, refresh_link};
use crate::web::answer::WebAnswer;
use crate::web::interruption::Outcome;
use crate::web::request::WebRequest;
use crate::web::site::Site;
use crate::web::text::invitees as text;
use crate::web::{cookie, route, trouble};

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
        _ => return Ok(trouble::method_not_allowed(site, "GET, HEAD")),
    }
    match invitee::open_list_link(&site.services, token).await? {
        OpenedListLink::Opened { visit, cookie } => {
            let environment = WebAnswer::see_other(&site.path(&route::environment(visit.card_id, visit.target)));
            Ok(environment.with(SET_COOKIE, cookie::set(site, visit.card_id, visit.target, &cookie)))
        }
        OpenedListLink::Expired(link) => {
            let found = card_and_partner(site, link.card_id).await?;
            let refresh =
                found.and_then(|(_, partner)| refresh_link(&partner, link.card_id, SessionTarget::InviteeList));
            Ok(trouble::expired(site, text::LINK_EXPIRED_TITLE, text::LINK_EXPIRED, refresh).noted("LIST_LINK_EXPIRED"))
        }
        OpenedListLink::Unknown => Ok(trouble::unknown_link(site)),
    }
}
