//! The invitee list (decisions S6).

use crate::base::limits;

pub(crate) const TITLE: &str = "Lijst van genodigden";
pub(crate) const VIEW_CARD: &str = "De kaart bekijken";
pub(crate) const ABOUT_OPEN: &str = "Iedereen met het adres van de kaart kan de kaart zien. Met een persoonlijke link ziet u ook wie de kaart heeft geopend.";
pub(crate) const ABOUT_INVITATION: &str = "Alleen mensen met een persoonlijke link kunnen de kaart zien.";
pub(crate) const ABOUT_SEEN: &str =
    "Wij bewaren alleen wanneer iemand de kaart voor het eerst heeft geopend. Adres en apparaat bewaren wij niet.";
pub(crate) const NOT_ONLINE: &str = "De kaart staat nog niet online. U kunt al wel mensen toevoegen. Zodra de kaart online staat, kunt u de \
     uitnodigingen versturen.";
pub(crate) const TEST: &str =
    "Dit is een testkaart. Alle uitnodigingen gaan naar het testadres en niet naar de genodigden.";
pub(crate) const EMPTY: &str = "Er staat nog niemand op de lijst.";

/// `of` is the name on the card.
pub(crate) fn card_of(name: &str) -> String {
    format!("Gedenkkaart voor {name}")
}

pub(crate) fn counted(all: usize, seen: usize) -> String {
    let people = if all == 1 { "1 genodigde".to_owned() } else { format!("{all} genodigden") };
    match seen {
        0 => format!("{people}. Nog niemand heeft de kaart geopend."),
        1 if all == 1 => "1 genodigde, die de kaart heeft gezien.".to_owned(),
        1 => format!("1 van {people} heeft de kaart gezien."),
        seen => format!("{seen} van {people} hebben de kaart gezien."),
    }
}

// Adding.

pub(crate) const ADD_TITLE: &str = "Iemand toevoegen";
pub(crate) const NAME: &str = "Naam";
pub(crate) const EMAIL: &str = "E-mailadres";
pub(crate) const EMAIL_HINT: &str = "Dit mag u leeg laten. U kunt de persoonlijke link dan zelf kopiëren en doorgeven.";
pub(crate) const ADD: &str = "Toevoegen";
pub(crate) const MANY_TITLE: &str = "Meer mensen tegelijk toevoegen";
pub(crate) const MANY_LABEL: &str = "Namen en e-mailadressen";
pub(crate) const MANY_HINT: &str = "Zet elke genodigde op een eigen regel, met naam en e-mailadres. Het e-mailadres mag u weglaten. U kunt ook een lijst uit een e-mail of een \
     spreadsheet plakken.";
pub(crate) const MANY_EXAMPLE: &str = "Jan Jansen <jan@voorbeeld.nl>\nMaria de Boer, maria@voorbeeld.nl";
pub(crate) const READ_MANY: &str = "Verder";
pub(crate) const ADD_MANY: &str = "Toevoegen aan de lijst";

// The check of a pasted list.

pub(crate) const CHECK_TITLE: &str = "Klopt deze lijst?";
pub(crate) const CHECK: &str = "Controleer de namen en de e-mailadressen. U kunt ze hier verbeteren. Maakt u van een genodigde beide \
     vakken leeg, dan voegen wij die niet toe.";
pub(crate) const CANCEL: &str = "Annuleren";
pub(crate) const LEFT_TITLE: &str = "Deze regels zijn weggelaten";

pub(crate) fn read(count: usize) -> String {
    if count == 1 { "Wij lazen 1 genodigde.".to_owned() } else { format!("Wij lazen {count} genodigden.") }
}

pub(crate) fn to_mend(count: usize) -> String {
    let people = if count == 1 { "Bij 1 genodigde".to_owned() } else { format!("Bij {count} genodigden") };
    format!("{people} klopt nog iets niet. Verbeter dat hieronder.")
}

/// The label of a field for screen readers.
pub(crate) fn numbered(label: &str, number: usize) -> String {
    format!("{label} van genodigde {number}")
}

pub(crate) const NAME_BLANK: &str = "Vul de naam in.";
pub(crate) const EMAIL_INVALID: &str = "Vul een geldig e-mailadres in, bijvoorbeeld naam@voorbeeld.nl.";
pub(crate) const ALREADY_LISTED: &str = "Deze genodigde staat al op de lijst, met dit e-mailadres.";

pub(crate) fn name_too_long() -> String {
    format!("Deze naam is te lang. Gebruik hoogstens {} tekens.", limits::NAME_CHARS_MAX)
}

pub(crate) fn list_full() -> String {
    format!("De lijst is vol. Er passen hoogstens {} genodigden op.", limits::INVITEES_MAX)
}

// The result of pasted lines.

pub(crate) fn added(count: usize) -> String {
    match count {
        0 => "Er is niemand toegevoegd.".to_owned(),
        1 => "1 genodigde is toegevoegd.".to_owned(),
        count => format!("{count} genodigden zijn toegevoegd."),
    }
}

/// After the first lines that were not added.
pub(crate) fn more_lines(count: usize) -> String {
    if count == 1 { "en nog 1 regel".to_owned() } else { format!("en nog {count} regels") }
}

pub(crate) const TOO_MANY_LINES: &str =
    "U hebt meer dan 1.000 regels geplakt. Er is niemand toegevoegd. Plak hoogstens 1.000 regels tegelijk.";
pub(crate) const NOTHING_PASTED: &str =
    "Wij vonden geen genodigden. Vul ten minste één regel in met een naam en een e-mailadres.";

pub(crate) fn line(number: usize) -> String {
    format!("Regel {number}")
}

pub(crate) const LINE_TITLES: &str = "Dit zijn de namen van kolommen.";
pub(crate) const LINE_EMPTY: &str = "Wij zagen hier geen genodigde in.";
pub(crate) const LINE_TOO_LONG: &str = "Deze regel is te lang. Kort de naam in.";
pub(crate) const LINE_SEVERAL: &str = "Hier staan meer e-mailadressen. Kies er één.";
pub(crate) const LINE_REPEATED: &str = "Deze genodigde staat ook op een eerdere regel.";

// The note in the invitations.

pub(crate) const NOTE_TITLE: &str = "Een persoonlijk woord in de e-mail";
pub(crate) const NOTE_THERE: &str = "Ingevuld";
pub(crate) const NOTE_LABEL: &str = "Uw woorden aan de genodigden";
/// A script writes the number in the place of `#`.
pub(crate) const NOTE_LEFT: &str = "U kunt nog # tekens gebruiken.";
pub(crate) const NOTE_OVER: &str = "Dit zijn # tekens te veel.";
pub(crate) const NOTE_STORED: &str =
    "Uw woorden zijn opgeslagen. Ze staan in elke uitnodiging die vanaf nu wordt verstuurd.";
pub(crate) const NOTE_DELETED: &str = "Opgeslagen. De uitnodigingen bevatten geen persoonlijk woord.";
pub(crate) const NOTE_NOW: &str = "Nu staat er:";
pub(crate) const NOTE_OVERTAKEN: &str = "Iemand anders heeft de tekst intussen gewijzigd. Controleer uw tekst en sla deze opnieuw op, of laat de tekst van de ander staan.";
pub(crate) const NOTE_OVERTAKEN_BY_YOU: &str = "U hebt de tekst intussen in een ander venster gewijzigd. Controleer uw tekst en sla deze opnieuw op, of laat de andere tekst staan.";
pub(crate) const NOTE_CHARACTER: &str =
    "Deze tekst bevat een tab of een onzichtbaar teken dat niet is toegestaan. Typ de tekst opnieuw.";
pub(crate) const NOTE_WEB_ADDRESS: &str =
    "Deze tekst mag geen webadres bevatten. Laat het adres weg, en zet achter elke punt een spatie.";

/// `email`: of the family contact.
pub(crate) fn answers(email: &str) -> String {
    format!("Wie op de uitnodiging antwoordt, mailt mij op {email}.")
}

pub(crate) fn note_hint() -> String {
    format!(
        "Dit staat in elke e-mail met een uitnodiging, onder uw naam. U mag het leeg laten. Gebruik hoogstens {} tekens, zonder webadres.",
        limits::INVITATION_NOTE_CHARS_MAX
    )
}

pub(crate) fn note_too_long() -> String {
    format!("Deze tekst is te lang. Gebruik hoogstens {} tekens.", limits::INVITATION_NOTE_CHARS_MAX)
}

// The list.

pub(crate) const LIST_TITLE: &str = "De genodigden";
pub(crate) const INVITE_ALL_YES: &str = "Ja, versturen";
pub(crate) const WHATSAPP: &str = "Via WhatsApp";
pub(crate) const INVITE: &str = "Uitnodiging sturen";
pub(crate) const INVITE_AGAIN: &str = "Opnieuw sturen";
pub(crate) const CHANGE: &str = "Wijzigen";
pub(crate) const CHANGE_TITLE: &str = "Een genodigde wijzigen";
pub(crate) const ABOUT_CHANGE: &str =
    "De persoonlijke link blijft dezelfde. Wijzigt u het e-mailadres, stuur de uitnodiging dan opnieuw.";
pub(crate) const SAVE: &str = "Opslaan";
pub(crate) const TO_LIST: &str = "Terug naar de lijst";
pub(crate) const REMOVE: &str = "Verwijderen";
pub(crate) const REMOVE_SURE: &str = "De persoonlijke link werkt dan niet meer.";
pub(crate) const REMOVE_YES: &str = "Ja, verwijderen";
pub(crate) const PERSONAL_LINK: &str = "Persoonlijke link";
pub(crate) const COPY: &str = "Link kopiëren";
pub(crate) const COPIED: &str = "Gekopieerd";
pub(crate) const MORE: &str = "Delen of wijzigen";
pub(crate) const CHIP_SEEN: &str = "Gezien";
pub(crate) const CHIP_INVITED: &str = "Uitgenodigd";
pub(crate) const CHIP_NEW: &str = "Nieuw";
pub(crate) const SEARCH: &str = "Zoek op naam of e-mailadres";
pub(crate) const SEARCH_BUTTON: &str = "Zoeken";
pub(crate) const SHOW_ALL: &str = "De hele lijst tonen";

/// `count` people have an address and no invitation.
pub(crate) fn invite_all(count: usize) -> String {
    if count == 1 { "1 uitnodiging versturen".to_owned() } else { format!("{count} uitnodigingen versturen") }
}

pub(crate) fn invite_all_sure(count: usize) -> String {
    let people = if count == 1 { "1 genodigde krijgt".to_owned() } else { format!("{count} genodigden krijgen") };
    format!("{people} nu een e-mail met de persoonlijke link: wie een e-mailadres heeft en nog niet is uitgenodigd.")
}

pub(crate) fn none_found(query: &str) -> String {
    format!("Er staat niemand op de lijst met \"{query}\" in de naam of het e-mailadres.")
}

pub(crate) const NO_EMAIL: &str = "Geen e-mailadres";

pub(crate) fn seen(when: &str) -> String {
    format!("Voor het eerst geopend op {when}")
}

pub(crate) fn invited(when: &str, count: i32) -> String {
    if count <= 1 { format!("Verstuurd op {when}") } else { format!("{count} keer uitgenodigd, het laatst op {when}") }
}

/// The label of a button for screen readers.
pub(crate) fn about(action: &str, name: &str) -> String {
    format!("{action}: {name}")
}

// Messages after a form.

pub(crate) const DONE_ADDED: &str = "De genodigde is toegevoegd.";
pub(crate) const DONE_CHANGED: &str = "De genodigde is gewijzigd.";
pub(crate) const DONE_REMOVED: &str = "De genodigde is verwijderd. De persoonlijke link werkt niet meer.";
pub(crate) const DONE_INVITED: &str = "De uitnodiging wordt verstuurd.";

/// `due`: the invitations that are not yet sent.
pub(crate) fn invited_all(due: usize) -> String {
    match due {
        0 => "De uitnodigingen zijn verstuurd.".to_owned(),
        1 => "1 uitnodiging wordt verstuurd.".to_owned(),
        due => format!("{due} uitnodigingen worden verstuurd."),
    }
}

pub(crate) const NONE_TO_INVITE: &str = "Er zijn geen uitnodigingen die nog verstuurd moeten worden.";
pub(crate) const GONE: &str = "Deze genodigde staat niet meer op de lijst.";
pub(crate) const STILL_NOT_ONLINE: &str =
    "De kaart staat nog niet online. Zodra de kaart online staat, kunt u de uitnodigingen versturen.";

/// `again` is when it is possible.
pub(crate) fn too_soon(again: Option<&str>) -> String {
    let told = "Het afgelopen uur is al een uitnodiging naar deze genodigde gestuurd.";
    match again {
        Some(when) => format!("{told} U kunt opnieuw een uitnodiging sturen vanaf {when}."),
        None => format!("{told} Probeer het later opnieuw."),
    }
}

pub(crate) fn too_many() -> String {
    format!(
        "Er zijn al {} uitnodigingen naar deze genodigde gestuurd. Geef de persoonlijke link op een andere manier door.",
        limits::INVITATIONS_MAX
    )
}

pub(crate) fn card_limit(tomorrow: &str) -> String {
    format!(
        "Voor deze kaart zijn vandaag {} uitnodigingen verstuurd. Meer kan op één dag niet. Vanaf {tomorrow} kunt u de \
         overige uitnodigingen versturen.",
        limits::INVITATIONS_PER_CARD_AND_DAY
    )
}

pub(crate) fn partner_limit(tomorrow: &str) -> String {
    format!(
        "Uw uitvaartonderneming kan vandaag geen uitnodigingen meer versturen. Vanaf {tomorrow} kunt u de overige \
         uitnodigingen versturen. Een persoonlijke link kunt u nu al zelf kopiëren en doorgeven."
    )
}

// Pages of the list.

pub(crate) const EARLIER: &str = "Vorige genodigden";
pub(crate) const LATER: &str = "Volgende genodigden";

pub(crate) fn page(number: usize, all: usize) -> String {
    format!("Pagina {number} van {all}")
}

// The link in the order mail.

pub(crate) fn link_until(date: &str, partner: &str) -> String {
    format!(
        "De link naar deze lijst in uw e-mail werkt tot en met {date}. Daarna kunt u {partner} om een nieuwe link vragen."
    )
}

pub(crate) const LINK_EXPIRED_TITLE: &str = "Deze link is verlopen";
pub(crate) const LINK_EXPIRED: &str = "Om de gegevens van de genodigden te beschermen werkt deze link niet meer.";
