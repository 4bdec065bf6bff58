//! `/gasten/…`: routes the requests for an invitee list to the page and to its forms.

use http::header::{RETRY_AFTER, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode};
use uuid::Uuid;

use super::act;
use super::note::{self, NOTE};
use super::page::{Message, One, Shown, back, show, show_change};
use super::people::SEARCH;
use crate::base::{Timestamp, limits};
use crate::model::{SessionTarget, path};
use crate::operation::invitee::{self, OpenedListLink};
use crate::request::RequestHead;
use crate::response::{self, ResponseExt as _};
use crate::web::body::Body;
use crate::web::context::PageContext;
use crate::web::form::{Form, shorten};
use crate::web::page::Outcome;
use crate::web::session_guard::{admit, admit_form, card_and_partner, refresh_link};
use crate::web::text::invitees as text;
use crate::web::{browser_session, error_pages};

const TARGET: SessionTarget = SessionTarget::InviteeList;

/// `/gasten/<card>[/<action>]`: shows the list, or handles one of its forms.
pub(in crate::web) async fn serve(
    context: &PageContext,
    head: &RequestHead<'_>,
    body: Body<'_>,
    card_id: Uuid,
    action: &str,
) -> Outcome {
    match (head.is_read(), action) {
        (true, "") => {
            let user = admit(context, head, card_id, TARGET).await?;
            let shown = Shown {
                message: head.parameter("melding").and_then(|code| Message::parse(&code)),
                again: head.parameter("om").and_then(|ms| ms.parse().ok()).and_then(Timestamp::from_millis),
                query: head
                    .parameter(SEARCH)
                    .map(|query| shorten(query.trim(), limits::NAME_CHARS_MAX).to_owned())
                    .unwrap_or_default(),
                page: head.parameter("pagina").and_then(|number| number.parse().ok()).unwrap_or(1),
                ..Shown::default()
            };
            show(context, &user, StatusCode::OK, shown).await
        }
        (true, "wijzigen") => {
            let user = admit(context, head, card_id, TARGET).await?;
            let id = head.parameter("wie").and_then(|id| Uuid::try_parse(&id).ok());
            let invitee = match id {
                Some(id) => context.services.store.invitee(card_id, id).await?,
                None => None,
            };
            let Some(invitee) = invitee else { return Ok(back(context, &user, Message::Gone)) };
            let one = One { name: invitee.name, email: invitee.email.unwrap_or_default(), ..One::default() };
            Ok(show_change(context, &user, StatusCode::OK, invitee.id, &one))
        }
        (false, "toevoegen" | "wijzigen" | "plakken" | "lijst" | NOTE) if *head.method() == Method::POST => {
            let (user, form) = admit_form(context, head, body, card_id, TARGET, typed).await?;
            match action {
                "toevoegen" => act::add_one(context, &user, &form).await,
                "wijzigen" => act::change_one(context, &user, &form).await,
                "plakken" => act::add_many(context, &user, &form).await,
                NOTE => note::change(context, &user, &form).await,
                _ => act::on_the_list(context, &user, &form).await,
            }
        }
        (true, "toevoegen" | "plakken" | "lijst" | NOTE) => {
            // A reload of the page that a form led to.
            Ok(response::see_other(&context.path(&path::environment(card_id, TARGET))))
        }
        (false, "") => Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
        _ => Ok(error_pages::not_found(context)),
    }
}

/// Returns the input of a form with its labels.
fn typed(form: &Form) -> Vec<(&'static str, String)> {
    let fields = [(text::NAME, "naam"), (text::EMAIL, "email"), (text::MANY_LABEL, "lijst"), (text::NOTE_TITLE, NOTE)];
    fields.map(|(label, name)| (label, form.text(name).to_owned())).into()
}

/// `/gasten/open/<token>`: opens a browser session by the lasting link of an order mail (see
/// `operation/invitee/list_link.rs`). The link works many times, so a mail scanner that opens it first does no harm.
pub(in crate::web) async fn open(context: &PageContext, head: &RequestHead<'_>, token: &str) -> Outcome {
    match *head.method() {
        Method::GET if head.is_prefetch() => {
            let later = response::empty(StatusCode::SERVICE_UNAVAILABLE);
            return Ok(later.with(RETRY_AFTER, HeaderValue::from_static("0")));
        }
        Method::GET => {}
        Method::HEAD => return Ok(response::empty(StatusCode::OK)),
        _ => return Ok(error_pages::method_not_allowed(context, "GET, HEAD")),
    }
    match invitee::open_list_link(&context.services, token).await? {
        OpenedListLink::Opened { browser_session, cookie } => {
            let environment =
                response::see_other(&context.path(&path::environment(browser_session.card_id, browser_session.target)));
            Ok(environment.with(
                SET_COOKIE,
                browser_session::set_cookie(context, browser_session.card_id, browser_session.target, &cookie),
            ))
        }
        OpenedListLink::Expired(link) => {
            let partner = card_and_partner(context, link.card_id).await?.map(|(_, partner)| partner);
            let refresh = partner.as_ref().and_then(|partner| refresh_link(partner, link.card_id, TARGET));
            Ok(error_pages::expired(context, partner.as_ref(), text::LINK_EXPIRED_TITLE, text::LINK_EXPIRED, refresh)
                .with_code("LIST_LINK_EXPIRED"))
        }
        OpenedListLink::Unknown => Ok(error_pages::unknown_link(context)),
    }
}
