//! Mails to the family and to invitees (decisions S10).

use crate::model::{MailKind, Partner, Price};

pub(crate) const TEST_SUBJECT: &str = "[Test]";
pub(crate) const TEST: &str =
    "Dit is een bericht over een testkaart. Het gaat alleen naar het testadres en niet naar de familie.";
pub(crate) const UNNAMED: &str = "Geachte heer, mevrouw,";
pub(crate) const CLOSING: &str = "Met vriendelijke groet,";
pub(crate) const SIGNATURE: &str = "Gedenkkaart";
pub(crate) const AUTOMATIC: &str = "Dit bericht is automatisch verstuurd. U kunt er niet op antwoorden.";

pub(crate) const BUTTON_HELP: &str = "Werkt de knop niet?";
pub(crate) const BUTTON_ADDRESS: &str = "Kopieer dan dit adres naar de adresbalk van uw browser:";

/// The display name of the sender of an invitation. `by`: the family contact.
pub(crate) fn sender(by: &str) -> String {
    format!("{by} via {SIGNATURE}")
}

pub(crate) fn dear(name: &str) -> String {
    let titled = name.strip_prefix("de ").or(name.strip_prefix("De ")).unwrap_or(name);
    let first = titled.split_whitespace().next().unwrap_or_default().to_lowercase();
    match first.as_str() {
        "heer" | "mevrouw" | "mevr." | "mw." | "dhr." | "familie" | "fam." => format!("Geachte {titled},"),
        _ => format!("Beste {name},"),
    }
}

/// Who sends an invitation. `by`: the family contact.
pub(crate) fn family_of(by: Option<&str>) -> String {
    by.map_or_else(|| "De familie".to_owned(), |name| format!("{name} en familie"))
}

pub(crate) const ANSWER_FAMILY: &str =
    "Wilt u de familie iets laten weten? Bel of schrijf hun zelf: antwoorden op deze e-mail komen niet bij hen aan.";

/// `by`: the family contact, to whom an answer goes.
pub(crate) fn answer_goes_to(by: Option<&str>) -> String {
    format!("Wilt u de familie iets laten weten? Uw antwoord op deze e-mail gaat naar {}.", by.unwrap_or("de familie"))
}

/// `of`: after whom the card is named, when that is known.
fn card_of(of: Option<&str>) -> String {
    of.map_or_else(|| "de gedenkkaart".to_owned(), |name| format!("de gedenkkaart voor {name}"))
}

/// The partner's contact: the lines at the end of every mail.
pub(crate) fn partner(partner: &Partner) -> Vec<String> {
    let name = partner.shown_name();
    let ways = [
        partner.phone.as_ref().map(|phone| format!("telefoon {phone}")),
        partner.email.as_ref().map(|email| format!("e-mail {email}")),
    ];
    let ways = ways.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let ask = if ways.is_empty() { String::new() } else { format!(": {ways}") };
    let mut lines = vec![format!("Vragen? Neem contact op met {name}{ask}.")];
    lines.extend(partner.privacy_url.as_ref().map(|url| format!("Privacyverklaring: {url}")));
    lines
}

// The order.

pub(crate) fn order_subject(of: Option<&str>) -> String {
    format!("Uw bestelling van {}", card_of(of))
}

pub(crate) fn order_received(of: Option<&str>) -> String {
    format!("Wij hebben uw bestelling van {} ontvangen.", card_of(of))
}

pub(crate) fn ordered(date: &str, partner: &str) -> String {
    format!("U hebt op {date} één gedenkkaart besteld bij {partner}.")
}

pub(crate) fn price(price: Price, partner: &str, is_test: bool) -> String {
    match price.cents() {
        0 => "De kaart is kosteloos.".to_owned(),
        // The amount stays on one line.
        _ => format!(
            "De prijs is {}, inclusief btw. {}",
            price.to_string().replace(' ', "\u{a0}"),
            super::customizer::charge(partner, is_test)
        ),
    }
}

pub(crate) fn order_number(number: &str) -> String {
    format!("Uw bestelnummer is {number}. Noem dit nummer als u vragen hebt over uw bestelling.")
}

pub(crate) const CARD_IS_ONLINE: &str = "De kaart staat online. U kunt dit adres bewaren en delen.";
pub(crate) const CARD_BY_INVITATION: &str = "De kaart is alleen te zien met een persoonlijke link. Die stuurt u vanuit de lijst van genodigden. Zelf kunt u de \
     kaart zien nadat u de lijst hebt geopend.";
pub(crate) const CARD_FOLLOWS: &str =
    "De kaart staat nog niet online. Zodra de kaart online staat, krijgt u een bericht met het adres van de kaart.";
pub(crate) const OPEN_CARD: &str = "De kaart bekijken";
pub(crate) const LIST: &str = "In de lijst van genodigden voegt u mensen toe, stuurt u hun een persoonlijke link en ziet u wie de kaart heeft gezien.";
pub(crate) const OPEN_LIST: &str = "De lijst van genodigden openen";

pub(crate) fn list_until(date: &str) -> String {
    format!(
        "De link naar de lijst van genodigden werkt tot en met {date}. Deel deze link alleen met mensen die de lijst met \
         u beheren."
    )
}

// The card is online.

pub(crate) fn online_subject(of: Option<&str>) -> String {
    match of {
        Some(name) => format!("De gedenkkaart voor {name} staat online"),
        None => "De gedenkkaart staat online".to_owned(),
    }
}

pub(crate) fn online(of: Option<&str>) -> String {
    match of {
        Some(name) => format!("De gedenkkaart voor {name} staat nu online."),
        None => "De gedenkkaart staat nu online.".to_owned(),
    }
}

// The invitation.

pub(crate) fn invitation_subject(of: Option<&str>) -> String {
    match of {
        Some(name) => format!("In herinnering aan {name}: een kaart van de familie"),
        None => "Uitnodiging voor een gedenkkaart".to_owned(),
    }
}

/// `by`: the family contact, when that name is known.
pub(crate) fn invitation(of: Option<&str>, by: Option<&str>) -> String {
    let family = by.unwrap_or("De familie");
    match of {
        Some(name) => {
            format!("{family} heeft een kaart gemaakt ter nagedachtenis aan {name}. U kunt hem hier bekijken.")
        }
        None => format!("{family} heeft een gedenkkaart gemaakt. U kunt hem hier bekijken."),
    }
}

/// The line before the note of the family. `by`: the family contact.
pub(crate) fn note_of(by: Option<&str>) -> String {
    format!("{} schrijft:", by.unwrap_or("De familie"))
}

/// How a receiver reports or stops it. `by`: the family contact; `partner`: the funeral organisation.
pub(crate) fn why_invited(by: Option<&str>, partner: &str) -> String {
    format!(
        "{} heeft uw e-mailadres ingevuld om u deze kaart te sturen. Kent u de afzender niet of wilt u geen uitnodigingen \
         meer? Neem dan contact op met {partner}.",
        by.unwrap_or("De familie")
    )
}

pub(crate) const PERSONAL_LINK: &str = "Deze link is persoonlijk. De familie ziet wanneer de kaart voor het eerst met uw link is geopend; meer wordt niet \
     bewaard.";

/// The introduction of the server's answer, which is in the language of that server.
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

pub(crate) fn sent(what: &str, to: &str, when: &str) -> String {
    format!("{what} is op {when} verstuurd naar {to}.")
}

pub(crate) fn refused(what: &str, to: &str) -> String {
    format!("{what} is niet bezorgd. De mailserver van {to} neemt het bericht niet aan.")
}

pub(crate) fn undeliverable(what: &str, to: &str) -> String {
    format!("{what} is niet bezorgd. Naar {to} kan geen e-mail worden gestuurd.")
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

pub(crate) fn not_delivered(when: &str) -> String {
    format!("Niet bezorgd op {when}")
}

pub(crate) const AFTER_REFUSAL: &str = "De mailserver van de ontvanger neemt het bericht niet aan. Controleer het e-mailadres. Klopt het niet? Wijzig het dan. U kunt de persoonlijke link ook zelf doorgeven.";
pub(crate) const UNDELIVERABLE: &str = "Naar dit adres kan geen e-mail worden gestuurd. Wijzig het e-mailadres: vóór het @-teken staan letters zonder accenten. U kunt de persoonlijke link ook zelf doorgeven.";
pub(crate) const AFTER_FAILURE: &str =
    "Het versturen is niet gelukt. Stuur de uitnodiging opnieuw, of geef de persoonlijke link zelf door.";
