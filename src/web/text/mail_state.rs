//! The state of the mails to a family, on the pages of the customizer and of the invitee list (decisions S10).

use crate::model::MailKind;

/// What the words before the server's own say, which are in the language of that server.
pub(crate) const ANSWER: &str = "Antwoord van de mailserver:";

pub(crate) const fn name(kind: MailKind) -> &'static str {
    match kind {
        MailKind::Order => "De e-mail over uw bestelling",
        MailKind::CardOnline => "De e-mail met de link naar de kaart",
        MailKind::Invitation => "De uitnodiging",
    }
}

// On the page after the order; `what` is a name, `to` an address.

pub(crate) fn queued(what: &str, to: &str) -> String {
    format!("{what} wordt verstuurd naar {to}.")
}

pub(crate) fn delayed(what: &str, to: &str) -> String {
    format!("{what} kon nog niet worden verstuurd naar {to}. Wij proberen het opnieuw. U hoeft niets te doen.")
}

pub(crate) fn sent(what: &str, to: &str, moment: &str) -> String {
    format!("{what} is op {moment} verstuurd naar {to}.")
}

pub(crate) fn refused(what: &str, to: &str) -> String {
    format!("{what} is niet bezorgd. De mailserver van {to} neemt het bericht niet aan.")
}

pub(crate) fn given_up(what: &str, to: &str) -> String {
    format!("{what} is niet bezorgd bij {to}. Het versturen is niet gelukt.")
}

pub(crate) fn ask(partner: &str) -> String {
    format!(
        "Controleer of dit adres klopt. Neem contact op met {partner} en vraag om een nieuwe link naar de kaart en naar de \
         lijst van genodigden."
    )
}

// In the invitee list.

pub(crate) const INVITATION_QUEUED: &str = "De uitnodiging wordt verstuurd";
pub(crate) const INVITATION_DELAYED: &str = "De uitnodiging kon nog niet worden verstuurd. Wij proberen het opnieuw.";

pub(crate) fn not_delivered(moment: &str) -> String {
    format!("Niet bezorgd op {moment}")
}

pub(crate) const AFTER_REFUSAL: &str = "De mailserver van de ontvanger neemt het bericht niet aan. Controleer het e-mailadres. Klopt het niet? Wijzig het dan. U kunt de persoonlijke link ook zelf doorgeven.";
pub(crate) const AFTER_FAILURE: &str =
    "Het versturen is niet gelukt. Stuur de uitnodiging opnieuw, of geef de persoonlijke link zelf door.";
