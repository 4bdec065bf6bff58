//! `/gasten/<card>`: shows the list, and leads its forms to what they do.

use http::StatusCode;
use uuid::Uuid;

use super::act;
use super::page::{self, Shown};
use crate::base::Timestamp;
use crate::model::SessionTarget;
use crate::web::answer::WebAnswer;
use crate::web::body::Body;
use crate::web::form::Form;
use crate::web::page_error::Outcome;
use crate::web::request::WebRequest;
use crate::web::session_guard::{SessionUser, admit, admit_form};
use crate::web::site::Site;
use crate::web::text::invitees as text;
use crate::web::{error_pages, route};

const TARGET: SessionTarget = SessionTarget::InviteeList;

/// `action`: what follows the card in the path; empty for the list itself.
pub(in crate::web) async fn serve(
    site: &Site,
    request: &WebRequest<'_>,
    body: Body<'_>,
    card_id: Uuid,
    action: &str,
) -> Outcome {
    match (request.is_read(), action) {
        (true, "") => {
            let visitor = admit(site, request, card_id, TARGET).await?;
            let shown = Shown {
                message: request.parameter("melding").and_then(|code| Message::parse(&code)),
                again: request.parameter("om").and_then(|ms| ms.parse().ok()).and_then(Timestamp::from_millis),
                page: request.parameter("pagina").and_then(|number| number.parse().ok()).unwrap_or(1),
                ..Shown::default()
            };
            show(site, &visitor, StatusCode::OK, shown).await
        }
        (false, "toevoegen" | "plakken" | "lijst") if *request.method == http::Method::POST => {
            let (visitor, form) = admit_form(site, request, body, card_id, TARGET, typed).await?;
            match action {
                "toevoegen" => act::add_one(site, &visitor, &form).await,
                "plakken" => act::add_many(site, &visitor, &form).await,
                _ => act::on_the_list(site, &visitor, &form).await,
            }
        }
        (true, "toevoegen" | "plakken" | "lijst") => {
            // A form's own address, asked for again: the browser was reloaded or came back.
            Ok(WebAnswer::see_other(&site.path(&route::environment(card_id, TARGET))))
        }
        (false, "") => Ok(error_pages::method_not_allowed(site, "GET, HEAD")),
        _ => Ok(error_pages::not_found(site)),
    }
}

/// What somebody typed into a form of the list.
fn typed(form: &Form) -> Vec<(&'static str, String)> {
    let fields = [(text::NAME, "naam"), (text::EMAIL, "email"), (text::MANY_LABEL, "lijst")];
    fields.map(|(label, name)| (label, form.text(name).to_owned())).into()
}

/// The list, with what is to be said about what was just done.
pub(super) async fn show(site: &Site, visitor: &SessionUser, status: StatusCode, shown: Shown) -> Outcome {
    let mut invitees = site.services.store.invitees_of(visitor.card.id).await?;
    invitees.sort_by_cached_key(|invitee| invitee.name.to_lowercase());
    Ok(WebAnswer::page(status, page::render(site, visitor, &invitees, &shown)))
}

/// Back to the list, after something was done.
pub(super) fn back(site: &Site, visitor: &SessionUser, message: Message) -> WebAnswer {
    let list = site.path(&route::environment(visitor.card.id, TARGET));
    WebAnswer::see_other(&format!("{list}?melding={}", message.as_str()))
}

/// The same, with the moment from which on it can be done.
pub(super) fn back_until(site: &Site, visitor: &SessionUser, message: Message, again: Timestamp) -> WebAnswer {
    let list = site.path(&route::environment(visitor.card.id, TARGET));
    WebAnswer::see_other(&format!("{list}?melding={}&om={}", message.as_str(), again.millis()))
}

/// What was just done, as the address of the list tells it to the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Added,
    Removed,
    Invited,
    InvitedAll,
    NoneToInvite,
    TooSoon,
    TooMany,
    CardLimit,
    PartnerLimit,
    Gone,
    NotOnline,
}

impl Message {
    const ALL: [Message; 11] = [
        Message::Added,
        Message::Removed,
        Message::Invited,
        Message::InvitedAll,
        Message::NoneToInvite,
        Message::TooSoon,
        Message::TooMany,
        Message::CardLimit,
        Message::PartnerLimit,
        Message::Gone,
        Message::NotOnline,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Message::Added => "toegevoegd",
            Message::Removed => "verwijderd",
            Message::Invited => "uitgenodigd",
            Message::InvitedAll => "allen-uitgenodigd",
            Message::NoneToInvite => "niemand",
            Message::TooSoon => "te-snel",
            Message::TooMany => "te-vaak",
            Message::CardLimit => "vandaag-genoeg",
            Message::PartnerLimit => "vandaag-vol",
            Message::Gone => "weg",
            Message::NotOnline => "niet-online",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|message| message.as_str() == text)
    }
}
