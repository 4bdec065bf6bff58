//! All Dutch texts for partners (decisions, section 8): formal, plain, full sentences, without blame.

use chrono_tz::Europe::Amsterdam;
use dated_graphql::Message;

use super::{Pause, PauseReason};
use crate::base::Timestamp;

// Cards (specification, section 7.1).

pub(crate) const DOSSIER_BLANK: &str = "Vul het dossiernummer in.";
pub(crate) const CARD_NOT_FOUND: &str = "Deze kaart is niet gevonden.";
pub(crate) const THEME_NOT_FOUND: &str = "Dit thema is niet gevonden.";
pub(crate) const THEME_IMMUTABLE: &str = "Het thema kan niet meer worden gewijzigd, omdat de kaart al is besteld.";
pub(crate) const EMAIL_INVALID: &str = "Vul een geldig e-mailadres in, bijvoorbeeld naam@voorbeeld.nl.";
pub(crate) const EMAIL_CHANGED_TOO_OFTEN: &str = "Het e-mailadres is vandaag al vaak gewijzigd. Elke keer sturen wij de e-mail over de bestelling opnieuw. Probeer het morgen opnieuw.";
pub(crate) const URL_INVALID: &str = "Vul een geldig webadres in dat begint met http:// of https://.";
pub(crate) const URL_CREDENTIALS: &str = "Vul een webadres in zonder gebruikersnaam en wachtwoord.";
pub(crate) const DATE_INVALID: &str = "Vul een bestaande datum in als jjjj-mm-dd, bijvoorbeeld 1941-03-09.";
pub(crate) const DATE_TOO_EARLY: &str = "Vul een datum in vanaf het jaar 1000.";
/// The farewell, which only the family fills in.
pub(crate) const FAREWELL_TIME_INVALID: &str = "Vul een geldige tijd in, bijvoorbeeld 11.00.";
pub(crate) const FAREWELL_UNTIL_EARLY: &str = "Vul een eindtijd in die na de begintijd ligt, of laat de eindtijd leeg.";
pub(crate) const FAREWELL_TIME_ALONE: &str = "Vul ook de datum van het afscheid in, of laat de tijd leeg.";
pub(crate) const DEATH_BEFORE_BIRTH: &str = "De overlijdensdatum ligt vóór de geboortedatum.";
pub(crate) const DEATH_IN_FUTURE: &str = "De overlijdensdatum ligt in de toekomst.";
pub(crate) const BIRTH_IN_FUTURE: &str = "De geboortedatum ligt in de toekomst.";
pub(crate) const CHARACTERS_INVALID: &str =
    "Deze tekst bevat een teken dat niet kan worden opgeslagen. Verwijder dit teken of typ de tekst opnieuw.";
/// A dossier number, or the number of a funeral director.
pub(crate) const IDENTIFIER_CHARACTER: &str =
    "Dit nummer bevat een regeleinde of een onzichtbaar teken. Typ het nummer opnieuw.";
pub(crate) const NAME_CHARACTER: &str =
    "Deze naam bevat een regeleinde of een onzichtbaar teken dat niet is toegestaan. Typ de naam opnieuw.";
pub(crate) const NAME_WEB_ADDRESS: &str =
    "Een naam mag geen webadres bevatten. Laat het adres weg, of zet een spatie achter de punt.";

pub(crate) fn text_too_long(chars_max: usize) -> String {
    format!("Deze tekst is te lang. Gebruik hoogstens {chars_max} tekens.")
}

/// `by_test_card`: the card with this number is a test card.
pub(crate) fn dossier_taken(external_dossier_id: &str, by_test_card: bool) -> String {
    let card = if by_test_card { "testkaart" } else { "kaart" };
    format!("Dossiernummer {external_dossier_id} is al in gebruik voor een {card} in uw account.")
}

// Portraits (specification, section 2.11).

/// The last sentence of a message about a refused portrait: the card was not created, or not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consequence {
    NoCardCreated,
    CardUnchanged,
}

impl Consequence {
    const fn sentence(self) -> &'static str {
        match self {
            Consequence::NoCardCreated => "Er is geen kaart aangemaakt.",
            Consequence::CardUnchanged => "De kaart is niet gewijzigd.",
        }
    }
}

/// `cause` names the fetch status: `status 404`, `geen verbinding` or `time-out`.
pub(crate) fn photo_not_fetched(cause: &str, consequence: Consequence) -> String {
    format!("De foto kon niet worden opgehaald ({cause}). {}", consequence.sentence())
}

pub(crate) fn status(status: u16) -> String {
    format!("status {status}")
}

pub(crate) const NO_CONNECTION: &str = "geen verbinding";
pub(crate) const TIME_OUT: &str = "time-out";
pub(crate) const TOO_MANY_REDIRECTS: &str = "het adres verwijst te vaak door";

/// The address, or one that it leads to, is not on the internet.
pub(crate) fn photo_not_public(consequence: Consequence) -> String {
    format!("De foto kon niet worden opgehaald ({NO_CONNECTION}). {CALLBACK_NOT_PUBLIC} {}", consequence.sentence())
}

/// The address answers without a body.
pub(crate) fn photo_missing(consequence: Consequence) -> String {
    format!("Op dit adres staat geen foto. {}", consequence.sentence())
}

pub(crate) fn photo_wrong_format(consequence: Consequence) -> String {
    format!("De foto heeft geen bruikbaar formaat. Gebruik jpeg, png, webp, gif of heic. {}", consequence.sentence())
}

/// The address answers with HTML.
pub(crate) fn photo_is_web_page(consequence: Consequence) -> String {
    format!(
        "Op dit adres staat een webpagina en geen foto. Gebruik het adres van de foto zelf. {}",
        consequence.sentence()
    )
}

/// The address answers with gzip, which was not asked for.
pub(crate) fn photo_is_compressed(consequence: Consequence) -> String {
    format!("De foto is gecomprimeerd met gzip. Gebruik een adres dat de foto zelf geeft. {}", consequence.sentence())
}

pub(crate) fn photo_too_large(consequence: Consequence) -> String {
    format!("De foto is te groot. Gebruik een foto van hoogstens 10 MB. {}", consequence.sentence())
}

pub(crate) fn photo_damaged(consequence: Consequence) -> String {
    format!("De foto is beschadigd en kan niet worden gelezen. Gebruik een andere foto. {}", consequence.sentence())
}

pub(crate) fn photo_too_many_pixels(consequence: Consequence) -> String {
    format!("De foto heeft te veel pixels. Gebruik een kleinere versie van de foto. {}", consequence.sentence())
}

/// The partner stored `bytes_max` of photos today and can continue at `free_at`.
pub(crate) fn photo_quota(bytes_max: i64, free_at: Timestamp, consequence: Consequence) -> String {
    let gigabytes = bytes_max / (1024 * 1024 * 1024);
    format!(
        "U kunt hoogstens {gigabytes} GB aan foto's per dag opslaan. Vanaf {} kunt u weer foto's opslaan. {}",
        day_and_time(free_at),
        consequence.sentence()
    )
}

/// In the time of the Netherlands.
fn day_and_time(at: Timestamp) -> String {
    at.utc().with_timezone(&Amsterdam).format("%d-%m-%Y om %H.%M uur").to_string()
}

pub(crate) fn photo_not_processed(consequence: Consequence) -> String {
    format!(
        "De foto kon nu niet worden verwerkt. Probeer het over een paar minuten opnieuw. {}",
        consequence.sentence()
    )
}

// Webhook subscriptions (specification, section 7.2).

pub(crate) const CALLBACK_BLANK: &str = "Vul het adres in waar meldingen naartoe gaan.";
pub(crate) const CALLBACK_NOT_HTTPS: &str = "Vul een geldig webadres in dat begint met https://.";
pub(crate) const CALLBACK_CREDENTIALS: &str = "Het adres mag geen gebruikersnaam of wachtwoord bevatten.";
pub(crate) const CALLBACK_FRAGMENT: &str = "Het adres mag geen fragment (#) bevatten.";
pub(crate) const CALLBACK_NOT_PUBLIC: &str =
    "Het adres moet openbaar zijn. Deze server is niet vanaf het internet bereikbaar.";
pub(crate) const CALLBACK_UNRESOLVED: &str = "De server van dit adres kan niet worden gevonden. Controleer de naam.";
pub(crate) const CALLBACK_TAKEN: &str = "Er is al een abonnement op dit onderwerp voor dit adres.";
/// For a test key, about a subscription that it cannot see.
pub(crate) const CALLBACK_TAKEN_LIVE: &str = "Dit adres is in uw account voor dit onderwerp al in gebruik door een \
    abonnement van een live-sleutel. Gebruik een ander adres voor uw test.";
/// For a live key, about a subscription of a test key.
pub(crate) const CALLBACK_TAKEN_TEST: &str = "Er is al een testabonnement op dit onderwerp voor dit adres. Dat ontvangt alleen \
    meldingen van testkaarten. Verwijder het testabonnement en probeer het opnieuw.";
pub(crate) const NO_SIGNING_SECRET: &str = "Uw account heeft geen ondertekeningssleutel (signing secret) voor meldingen. Vraag \
    de beheerder om een sleutel en probeer het daarna opnieuw.";
/// `cause` is `status 404`, `geen verbinding`, `time-out` or `een ander antwoord`.
pub(crate) fn challenge_failed(cause: &str) -> String {
    format!(
        "Dit adres heeft de controle niet doorstaan ({cause}). Laat uw ontvanger de waarde van challenge als tekst \
         terugsturen en probeer het opnieuw."
    )
}

pub(crate) const CHALLENGE_OTHER_ANSWER: &str = "een ander antwoord";
pub(crate) const SECRET_ROTATING: &str = "Uw ondertekeningssleutel wordt al vervangen: op dit moment zijn twee sleutels geldig. Wacht tot \
    de oude is verlopen, of vraag de beheerder om een van beide in te trekken.";
pub(crate) const SUBSCRIPTION_NAME_BLANK: &str = "Vul een naam voor het abonnement in, of laat de naam weg.";
pub(crate) const SUBSCRIPTION_NOT_FOUND: &str = "Dit abonnement is niet gevonden.";

pub(crate) const DELIVERY_NOT_FOUND: &str = "Deze melding is niet gevonden. Meldingen worden 30 dagen bewaard.";
pub(crate) const SUBSCRIPTION_PAUSED: &str = "Dit abonnement is gepauzeerd. Daarom kan de melding nu niet opnieuw worden \
    verstuurd. Wijzig het adres van het abonnement of neem contact op met de beheerder.";

pub(crate) const TIME_INVALID: &str =
    "Vul een bestaand tijdstip in met een tijdzone, bijvoorbeeld 2026-11-10T08:30:00Z.";
pub(crate) const TIME_IN_FUTURE: &str = "Dit tijdstip ligt in de toekomst. Kies een eerder tijdstip.";

/// `taken` says that the address has a subscription already.
pub(crate) fn taken_and_paused(taken: &str, pause: Pause) -> String {
    let why = match pause.reason {
        PauseReason::Gone => "het adres met status 410 antwoordde",
        PauseReason::Failures => "er vijf dagen lang geen melding aankwam",
        PauseReason::Operator => "de beheerder het heeft gepauzeerd",
    };
    format!(
        "{taken} Dat abonnement is gepauzeerd sinds {}, omdat {why}. Vraag de beheerder om het te hervatten. \
         Daarna worden de wachtende meldingen verstuurd.",
        day_and_time(pause.at)
    )
}

pub(crate) fn too_many_subscriptions(max: usize) -> String {
    format!("U hebt al {max} abonnementen op dit onderwerp. Verwijder eerst een abonnement.")
}

// Responses of the endpoint without data.

pub(crate) const UNAUTHENTICATED: &str = "Toegangstoken ontbreekt of is ongeldig.";
pub(crate) const ACCESS_DENIED: &str = "Uw account is geblokkeerd. Neem contact op met de beheerder.";
pub(crate) const HOST_INVALID: &str = "De header Host ontbreekt of komt vaker voor.";
pub(crate) const BAD_REQUEST: &str = "Het verzoek is geen geldig GraphQL-verzoek.";
pub(crate) const NOT_FOUND: &str = "Deze pagina bestaat niet.";
pub(crate) const NOT_ACCEPTABLE: &str = "Het antwoord is alleen beschikbaar als JSON.";
pub(crate) const UNSUPPORTED_MEDIA_TYPE: &str = "Stuur het verzoek als application/json.";
pub(crate) const UNSUPPORTED_CODING: &str = "Stuur het verzoek zonder compressie.";
pub(crate) const BATCH_REFUSED: &str = "Stuur één GraphQL-verzoek tegelijk.";
pub(crate) const IDEMPOTENCY_KEY_INVALID: &str =
    "De Idempotency-Key moet uit 1 tot 255 zichtbare ASCII-tekens bestaan.";
pub(crate) const IDEMPOTENCY_KEY_REUSED: &str = "Deze Idempotency-Key is al gebruikt voor een ander verzoek.";
pub(crate) const IDEMPOTENCY_KEY_IN_PROGRESS: &str =
    "Het eerste verzoek met deze Idempotency-Key loopt nog. Probeer het straks opnieuw.";
pub(crate) const THROTTLED: &str =
    "U stuurt op dit moment te veel verzoeken. Wacht even en stuur het verzoek daarna opnieuw.";
pub(crate) const INTERNAL: &str = "Er is iets misgegaan. Probeer het later opnieuw.";
pub(crate) const UNAVAILABLE: &str = "De dienst is tijdelijk niet bereikbaar. Probeer het later opnieuw.";
pub(crate) const REQUEST_TIME_OUT: &str = "Het verzoek kwam niet op tijd binnen. Probeer het opnieuw.";

pub(crate) fn body_too_large(bytes_max: usize) -> String {
    format!("Het verzoek is te groot. Gebruik hoogstens {} KiB.", bytes_max / 1024)
}

pub(crate) fn method_not_allowed(allowed: &str) -> String {
    format!("Gebruik {} voor dit adres.", allowed.replace(", ", " of "))
}

// Refused documents, by code.

pub(crate) const GRAPHQL_PARSE_FAILED: &str = "De GraphQL-query bevat een syntaxfout en kan niet worden gelezen.";
pub(crate) const GRAPHQL_VALIDATION_FAILED: &str = "De GraphQL-query past niet bij het schema van deze versie.";
pub(crate) const OPERATION_RESOLUTION_FAILURE: &str =
    "Geef met operationName aan welke bewerking moet worden uitgevoerd.";

// A document or a request that asks for too much, by cause.

pub(crate) const TOO_MANY_FIELDS: &str =
    "De GraphQL-query vraagt te veel tegelijk. Vraag minder velden in één verzoek.";
pub(crate) const TOO_MANY_POINTS: &str =
    "Het verzoek kost te veel punten. Vraag kleinere pagina's of stuur minder bewerkingen in één verzoek.";

/// Returns the text of a message of the GraphQL engine.
pub(crate) fn engine_message(message: &Message) -> String {
    match message {
        Message::Text(text) => text.clone(),
        // The path names the value, such as `input.deceased.firstName`.
        Message::BadUserInput { path, .. } => {
            format!("De waarde van {path} klopt niet. Controleer deze waarde in het verzoek.")
        }
        Message::NestedTooDeep => {
            "De GraphQL-query gaat te diep. Vraag minder lagen van velden in één verzoek.".to_owned()
        }
        Message::TooManyMutations { max } => {
            format!("Het verzoek heeft te veel bewerkingen. Stuur er hoogstens {max} in één verzoek.")
        }
        Message::Internal => INTERNAL.to_owned(),
    }
}

pub(crate) fn version_not_found(available: &[&str]) -> String {
    format!("Deze versie bestaat niet. {}", versions_available(available))
}

/// For callers without a test key.
pub(crate) fn version_is_candidate(available: &[&str]) -> String {
    format!("Deze versie is nog niet verschenen en werkt alleen met een testsleutel. {}", versions_available(available))
}

pub(crate) fn version_retired(available: &[&str]) -> String {
    format!("Deze versie wordt niet meer aangeboden. {}", versions_available(available))
}

fn versions_available(available: &[&str]) -> String {
    match available {
        [] => "Er is op dit moment geen versie beschikbaar.".to_owned(),
        available => format!("Beschikbare versies: {}.", available.join(", ")),
    }
}

// Pages.

pub(crate) fn page_size_wrong(argument: &str, max: usize) -> String {
    format!("Geef bij {argument} een getal van 0 tot en met {max} op.")
}

pub(crate) const PAGE_BOTH_ENDS: &str = "Geef first of last op, niet allebei.";

pub(crate) fn cursor_unreadable(argument: &str) -> String {
    format!("De cursor bij {argument} is niet leesbaar. Gebruik een cursor uit een eerder antwoord.")
}
