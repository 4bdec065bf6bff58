//! Mails to the family and to invitees (decisions S10).

use super::card::in_memory_of;
use super::full_stop;
use crate::model::{LeadIn, MailKind, Partner, Price};

pub(crate) const TEST_SUBJECT: &str = "[Test]";
pub(crate) const TEST: &str =
    "Dit is een bericht over een testkaart. Het gaat alleen naar het testadres en niet naar de familie.";
pub(crate) const UNNAMED: &str = "Geachte heer, mevrouw,";
pub(crate) const CLOSING: &str = "Met vriendelijke groet,";
pub(crate) const SIGNATURE: &str = "Gedenkkaart";
pub(crate) const AUTOMATIC: &str = "Dit bericht is automatisch verstuurd. U kunt er niet op antwoorden.";

pub(crate) const BUTTON_HELP: &str = "Werkt de knop niet?";
pub(crate) const BUTTON_ADDRESS: &str = "Kopieer dan het adres naar de adresbalk van uw browser:";

/// The display name of the sender of an invitation. `by`: the family contact.
pub(crate) fn sender(by: &str) -> String {
    format!("{by} via {SIGNATURE}")
}

/// The greeting of a letter: `Geachte heer De Vries,` for a name with a title, otherwise `Beste Jan,`.
pub(crate) fn dear(name: &str) -> String {
    let (mut titles, mut rest) = (Vec::new(), name.trim());
    while let Some((word, behind)) = rest.split_once(' ') {
        let title = match word.to_lowercase().as_str() {
            "heer" | "dhr." | "dhr" | "hr." => "heer",
            "mevrouw" | "mevr." | "mevr" | "mw." | "mw" => "mevrouw",
            "familie" | "fam." | "fam" => "familie",
            "en" | "&" if !titles.is_empty() => "en",
            "de" if titles.is_empty() && is_title(behind) => "",
            _ => break,
        };
        titles.extend(Some(title).filter(|title| !title.is_empty()));
        rest = behind.trim_start();
    }
    match titles.last() {
        None | Some(&"en") => format!("Beste {name},"),
        Some(_) => format!("Geachte {} {},", titles.join(" "), capitalized(rest)),
    }
}

/// Whether a text begins with a title: `de heer Jansen`, but not `de Vries`.
fn is_title(text: &str) -> bool {
    let first = text.split(' ').next().unwrap_or_default().to_lowercase();
    ["heer", "mevrouw", "familie"].contains(&first.as_str())
}

/// Returns a last name as it is written without a first name: `De Vries`, `Van der Meer`.
fn capitalized(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether a name is of several people, who take a plural verb.
fn is_plural(name: &str) -> bool {
    let name = name.to_lowercase();
    [" en ", " & ", " e.a."].iter().any(|sign| name.contains(sign)) || is_group(&name, &["kinderen", "kleinkinderen"])
}

/// Whether one of these words is in a name.
fn is_group(name: &str, words: &[&str]) -> bool {
    name.split(' ').any(|word| words.contains(&word.trim_end_matches(',').to_lowercase().as_str()))
}

/// Who sends an invitation. `by`: the family contact.
pub(crate) fn family_of(by: Option<&str>) -> String {
    const FAMILY: [&str; 6] = ["familie", "fam.", "fam", "gezin", "kinderen", "kleinkinderen"];
    match by {
        None => "De familie".to_owned(),
        Some(name) if is_group(name, &FAMILY) => name.to_owned(),
        Some(name) => format!("{name} en familie"),
    }
}

pub(crate) const ANSWER_FAMILY: &str =
    "Wilt u de familie iets laten weten? Bel of schrijf hun zelf: antwoorden op deze e-mail komen niet bij hen aan.";

/// `by`: the family contact, to whom an answer goes.
pub(crate) fn answer_goes_to(by: Option<&str>) -> String {
    let to = by.unwrap_or("de familie");
    full_stop(format!("Wilt u de familie iets laten weten? Uw antwoord op deze e-mail gaat naar {to}"))
}

/// `of`: after whom the card is named, when that is known.
fn card_of(of: Option<&str>) -> String {
    of.map_or_else(|| "de gedenkkaart".to_owned(), |name| format!("de gedenkkaart voor {name}"))
}

/// A part of a line. With an address it is a link where there are links.
pub(crate) struct Piece {
    pub text: String,
    pub address: Option<String>,
}

/// The partner's contact: the lines at the end of every letter.
pub(crate) fn partner(partner: &Partner) -> Vec<Vec<Piece>> {
    let plain = |text: &str| Piece { text: text.to_owned(), address: None };
    let link = |text: &str, address: String| Piece { text: text.to_owned(), address: Some(address) };
    let mut ask = vec![plain("Vragen? Neem contact op met "), plain(partner.shown_name())];
    if let Some(phone) = &partner.phone {
        let number: String = phone.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect();
        ask.extend([plain(": telefoon "), link(phone, format!("tel:{number}"))]);
    }
    if let Some(email) = &partner.email {
        let start = if partner.phone.is_some() { ", e-mail " } else { ": e-mail " };
        ask.extend([plain(start), link(email, format!("mailto:{email}"))]);
    }
    let ends = ask.last().is_some_and(|last| last.text.ends_with('.'));
    ask.extend((!ends).then(|| plain(".")));
    let privacy =
        partner.privacy_url.as_ref().map(|url| vec![plain("Privacyverklaring: "), link(url.as_str(), url.to_string())]);
    [Some(ask), privacy].into_iter().flatten().collect()
}

// The order.

pub(crate) fn order_subject(of: Option<&str>) -> String {
    format!("Uw bestelling van {}", card_of(of))
}

pub(crate) fn order_received(of: Option<&str>) -> String {
    format!("Wij hebben uw bestelling van {} ontvangen.", card_of(of))
}

pub(crate) fn ordered(date: &str, partner: &str) -> String {
    full_stop(format!("U hebt op {date} één gedenkkaart besteld bij {partner}"))
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

pub(crate) fn invitation_subject(lead_in: LeadIn, of: Option<&str>) -> String {
    match of {
        Some(name) => format!("{}: een kaart van de familie", in_memory_of(lead_in, name)),
        None => "Uitnodiging voor een gedenkkaart".to_owned(),
    }
}

/// `by`: the family contact, when that name is known.
pub(crate) fn invitation(of: Option<&str>, by: Option<&str>) -> String {
    let (family, made) = (by.unwrap_or("De familie"), verb(by, "heeft", "hebben"));
    let made = match of {
        Some(name) => full_stop(format!("{family} {made} een kaart gemaakt ter nagedachtenis aan {name}")),
        None => format!("{family} {made} een gedenkkaart gemaakt."),
    };
    format!("{made} U kunt de kaart hier bekijken.")
}

/// Returns the verb that fits the family contact.
fn verb<'a>(by: Option<&str>, one: &'a str, several: &'a str) -> &'a str {
    if by.is_some_and(is_plural) { several } else { one }
}

/// The line before the note of the family. `by`: the family contact.
pub(crate) fn note_of(by: Option<&str>) -> String {
    format!("{} {}:", by.unwrap_or("De familie"), verb(by, "schrijft", "schrijven"))
}

/// How a receiver reports or stops it. `by`: the family contact; `partner`: the funeral organisation.
pub(crate) fn why_invited(by: Option<&str>, partner: &str) -> String {
    full_stop(format!(
        "{} {} uw e-mailadres ingevuld om u deze kaart te sturen. Kent u de afzender niet of wilt u geen uitnodigingen \
         meer? Neem dan contact op met {partner}",
        by.unwrap_or("De familie"),
        verb(by, "heeft", "hebben")
    ))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Sources: Onze Taal, "Geachte heer de / De Vries"; Genootschap Onze Taal, "Jan en Piet heeft / hebben".
    #[test]
    fn greeting_is_that_of_a_dutch_letter() {
        for (name, greeting) in [
            ("Jan", "Beste Jan,"),
            ("Jan de Vries", "Beste Jan de Vries,"),
            ("de Vries", "Beste de Vries,"),
            ("Dhr. de Vries", "Geachte heer De Vries,"),
            ("dhr. J. de Vries", "Geachte heer J. de Vries,"),
            ("de heer van 't Hof", "Geachte heer Van 't Hof,"),
            ("De heer en mevrouw de Vries", "Geachte heer en mevrouw De Vries,"),
            ("Dhr. en mevr. Jansen", "Geachte heer en mevrouw Jansen,"),
            ("Mw. Bakker", "Geachte mevrouw Bakker,"),
            ("Familie van der Meer", "Geachte familie Van der Meer,"),
            ("fam. Jansen-de Wit", "Geachte familie Jansen-de Wit,"),
            ("de familie Bos", "Geachte familie Bos,"),
            ("Heer", "Beste Heer,"),
        ] {
            assert_eq!(dear(name), greeting);
        }
    }

    #[test]
    fn verb_and_closing_fit_one_and_several_people() {
        for (by, starts, closing) in [
            (Some("Pieter"), "Pieter heeft een kaart", "Pieter en familie"),
            (
                Some("Els en Piet van der Meer"),
                "Els en Piet van der Meer hebben een kaart",
                "Els en Piet van der Meer en familie",
            ),
            (Some("Els & Piet"), "Els & Piet hebben een kaart", "Els & Piet en familie"),
            (Some("Familie van der Meer"), "Familie van der Meer heeft een kaart", "Familie van der Meer"),
            (Some("De kinderen"), "De kinderen hebben een kaart", "De kinderen"),
            (None, "De familie heeft een kaart", "De familie"),
        ] {
            assert!(invitation(Some("Jo"), by).starts_with(starts), "{by:?}: {}", invitation(Some("Jo"), by));
            assert_eq!(family_of(by), closing, "{by:?}");
        }
        assert_eq!(note_of(Some("Els en Piet")), "Els en Piet schrijven:");
    }

    #[test]
    fn sentence_ends_with_one_full_stop() {
        let texts = [
            invitation(Some("Jan de Vries sr."), None),
            ordered("3 november 2026", "Uitvaart Noord B.V."),
            why_invited(None, "Uitvaart Noord B.V."),
            answer_goes_to(Some("Piet jr.")),
        ];
        for text in texts {
            assert!(!text.contains("..") && text.ends_with('.'), "{text}");
        }
    }
}
