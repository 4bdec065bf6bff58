//! The customizer: where the family fills in the card and orders it (decisions S5, S8).

use crate::model::{CardSection, Layout, LeadIn, Visibility};
use crate::operation::card::MissingField;

/// The texts of one section.
pub(crate) struct SectionText {
    pub title: &'static str,
    pub intro: &'static str,
}

pub(crate) const fn section(section: CardSection) -> SectionText {
    match section {
        CardSection::Look => SectionText {
            title: "Zo wordt de kaart",
            intro: "Kies hoe de kaart eruitziet en wie de kaart mag zien. U kunt het thema wijzigen tot u de kaart bestelt, de rest altijd.",
        },
        CardSection::Person => SectionText {
            title: "Voor wie is de kaart?",
            intro: "Vul de naam in zoals u die op de kaart wilt lezen. Een datum of een foto mag u weglaten.",
        },
        CardSection::Text => SectionText {
            title: "De tekst op de kaart",
            intro: "Schrijf een paar woorden. Een herinnering of een gedicht, of alleen een zin. Leeg laten mag ook.",
        },
        CardSection::Farewell => SectionText {
            title: "Het afscheid",
            intro: "Wat u hier invult, staat op de kaart. Genodigden kunnen het in hun agenda zetten en de route opzoeken. U mag alles leeg laten.",
        },
        CardSection::Contact => SectionText {
            title: "Uw gegevens",
            intro: "Wij sturen u een e-mail met de link naar de kaart en naar de lijst van genodigden.",
        },
    }
}

/// The title of the step about a person whose first name is known.
pub(crate) fn about(first_name: &str) -> String {
    format!("Over {first_name}")
}

/// The name of a section in the overview.
pub(crate) const fn noun(section: CardSection) -> &'static str {
    match section {
        CardSection::Look => "Thema, indeling en wie de kaart ziet",
        CardSection::Person => "Naam, datums en foto",
        CardSection::Text => "Tekst",
        CardSection::Farewell => "Afscheid",
        CardSection::Contact => "Uw gegevens",
    }
}

// Around each step.

pub(crate) fn step_of(number: usize, count: usize) -> String {
    format!("Stap {number} van {count}")
}

pub(crate) const SAVE_AND_GO_ON: &str = "Opslaan en verder";
pub(crate) const SAVE: &str = "Opslaan";
pub(crate) const BACK: &str = "Vorige stap";
pub(crate) const ALL_STEPS: &str = "Alle stappen";
pub(crate) const TO_OVERVIEW: &str = "Naar het overzicht";
pub(crate) const LEAVE_UNSAVED: &str = "Naar alle stappen, zonder dit op te slaan";

pub(crate) const LIVE: &str = "Zo ziet de kaart eruit op een telefoon";
pub(crate) const LIVE_WIDE: &str = "Zo ziet de kaart eruit op een breed scherm";

pub(crate) const LOOK: &str = "Bekijk de kaart";
pub(crate) const LOOK_CLOSE: &str = "Terug naar invullen";
pub(crate) const LOOK_LARGE: &str = "De kaart groot bekijken";

// Fields.

pub(crate) const THEME_LEGEND: &str = "Kies een thema";
pub(crate) const LAYOUT_CHOOSE: &str = "Kies een indeling";
pub(crate) const LAYOUT: &str = "Indeling";
pub(crate) const LEAD_IN_CHOOSE: &str = "Wat staat er boven de naam?";
pub(crate) const LEAD_IN: &str = "Boven de naam";
pub(crate) const VISIBILITY_CHOOSE: &str = "Wie mag de kaart zien?";

pub(crate) const FIRST_NAME: &str = "Voornaam of voornamen";
pub(crate) const LAST_NAME: &str = "Achternaam";
pub(crate) const BIRTH: &str = "Geboortedatum";
pub(crate) const DEATH: &str = "Overlijdensdatum";
pub(crate) const PHOTO: &str = "Een foto op de kaart";
pub(crate) const PHOTO_OTHER: &str = "Kies een andere foto";
pub(crate) const PHOTO_HINT: &str = "Foto's van een telefoon of camera werken bijna altijd. Het bestand is hoogstens 10 MB, in het formaat jpeg, png, webp, gif of heic.";
pub(crate) const PHOTO_NOW: &str = "De foto die nu op de kaart staat";
pub(crate) const PHOTO_KEPT: &str = "Er hoort een foto bij de kaart. De foto kan nu niet worden getoond.";
pub(crate) const FOCAL_POINT: &str = "Tik op het gezicht";
pub(crate) const FOCAL_POINT_HINT: &str = "Dan staat het gezicht altijd goed op de kaart.";
pub(crate) const FOCAL_POINT_CROPS: &str = "Zo komt de foto op de kaart en in berichten:";
pub(crate) const FOCAL_POINT_WHOLE: &str = "De foto, zoals op de kaart";
pub(crate) const FOCAL_POINT_CROPPED: &str = "De foto, rond afgesneden";
pub(crate) const PHOTO_CUT: &str = "Van deze foto valt een groot deel weg. Staat het gezicht er goed op?";
/// The parts of a photo, by row.
pub(crate) const FOCAL_POINTS: [[&str; 3]; 3] = [
    ["Linksboven", "Middenboven", "Rechtsboven"],
    ["Links", "Midden", "Rechts"],
    ["Linksonder", "Middenonder", "Rechtsonder"],
];
pub(crate) const PHOTO_REMOVE: &str = "De foto verwijderen";
pub(crate) const PHOTO_WRONG_FORMAT: &str =
    "Dit bestand heeft geen bruikbaar formaat. Kies een foto in het formaat jpeg, png, webp, gif of heic.";
pub(crate) const PHOTO_EMPTY: &str = "Dit bestand is leeg. Kies een andere foto.";
pub(crate) const PHOTO_SAVED: &str =
    "De foto is opgeslagen. Bekijk hieronder hoe de foto op de kaart komt, en ga daarna verder.";
pub(crate) const PHOTO_SMALL: &str = "Het is een kleine foto, die op de kaart onscherp kan zijn. Hebt u een grotere foto, kies die dan hieronder. Anders kunt \
     u verdergaan.";
pub(crate) const PHOTO_TOO_LARGE: &str = "De foto is te groot. Kies een foto van hoogstens 10 MB.";
pub(crate) const PHOTO_UNREADABLE: &str =
    "Deze foto kan niet worden gelezen. Misschien is het bestand beschadigd. Kies een andere foto.";
pub(crate) const PHOTO_TOO_MANY_PIXELS: &str = "Deze foto heeft te veel pixels. Kies een kleinere versie van de foto.";
pub(crate) const PHOTO_BUSY: &str = "De foto kon nu niet worden verwerkt. Probeer het over een paar minuten opnieuw.";
pub(crate) fn photo_too_many(max: i64, free_at: &str) -> String {
    format!("U hebt in een uur al {max} foto's verstuurd. Vanaf {free_at} kunt u weer een foto versturen.")
}

pub(crate) fn photo_no_space(free_at: &str) -> String {
    format!("Er kunnen nu geen foto's meer worden opgeslagen. Vanaf {free_at} kunt u weer een foto versturen.")
}

pub(crate) const PHOTO_GONE: &str = "De gekozen foto is niet meer beschikbaar. Kies de foto opnieuw.";
pub(crate) const TEXT: &str = "Uw tekst";
pub(crate) const TEXT_HINT: &str = "Hoogstens 5000 tekens. Een nieuwe regel blijft een nieuwe regel.";
pub(crate) const FAREWELL_DATE: &str = "Datum van het afscheid";
pub(crate) const FAREWELL_HINT: &str = "Bijvoorbeeld 21 11 2026";
pub(crate) const FAREWELL_TIME: &str = "Begint om";
pub(crate) const FAREWELL_TIME_HINT: &str = "Bijvoorbeeld 11.00";
pub(crate) const FAREWELL_UNTIL: &str = "Eindigt om";
pub(crate) const FAREWELL_UNTIL_HINT: &str = "Bijvoorbeeld 12.00. Weet u de eindtijd niet, laat dit dan leeg.";
pub(crate) const FAREWELL_PLACE: &str = "Plaats";
pub(crate) const FAREWELL_PLACE_HINT: &str = "Bijvoorbeeld de naam van de kerk, de aula of het huis";
pub(crate) const FAREWELL_ADDRESS: &str = "Adres";
pub(crate) const FAREWELL_ADDRESS_HINT: &str = "Straat, huisnummer en woonplaats";
pub(crate) const FAREWELL_NOTE: &str = "Wat gasten verder moeten weten";
pub(crate) const FAREWELL_NOTE_HINT: &str =
    "Bijvoorbeeld over bloemen, parkeren of de condoleance. Hoogstens 1000 tekens.";
pub(crate) const LIVESTREAM: &str = "Link naar de uitzending";
pub(crate) const LIVESTREAM_HINT: &str =
    "Als de uitvaart online te volgen is. Bijvoorbeeld https://www.voorbeeld.nl/uitzending";
pub(crate) const FAREWELL_PAST: &str = "De datum van het afscheid is al voorbij. Klopt dat?";

/// `likely`: the same time in the afternoon.
pub(crate) fn farewell_early(time: &str, likely: &str) -> String {
    format!("Het afscheid begint nu om {time} uur, in de nacht of de vroege ochtend. Bedoelt u {likely} uur?")
}

pub(crate) fn email_unlikely(email: &str, likely: &str) -> String {
    format!("Uw e-mailadres is nu {email}. Bedoelt u {likely}?")
}

pub(crate) const CONTACT_NAME: &str = "Uw naam";
pub(crate) const EMAIL: &str = "Uw e-mailadres";
pub(crate) const EMAIL_HINT: &str = "Bijvoorbeeld naam@voorbeeld.nl";
pub(crate) const VISIBILITY_MISSING: &str = "Kies wie de kaart mag zien.";
pub(crate) const THEME_CHOOSE: &str = "Kies een thema om verder te gaan.";
pub(crate) const NO_THEMES: &str =
    "Er zijn nu geen thema's om uit te kiezen. Neem contact op met uw uitvaartverzorger.";
pub(crate) const THEME_FIXED: &str = "De kaart is besteld. Het thema kan niet meer worden gewijzigd.";
pub(crate) const THEME_NOW: &str = "Gekozen thema";

pub(crate) const fn layout(layout: Layout) -> (&'static str, &'static str) {
    match layout {
        Layout::Portrait => ("Foto bovenaan", "Een grote foto, met de tekst eronder."),
        Layout::SideBySide => ("Foto naast de tekst", "Op een telefoon staat de foto boven de tekst."),
        Layout::Text => ("Tekst bovenaan", "De tekst staat voorop, met een kleine ronde foto eronder."),
    }
}

pub(crate) const fn visibility(visibility: Visibility) -> (&'static str, &'static str) {
    match visibility {
        Visibility::Open => ("Iedereen met de link", "Wie het adres van de kaart heeft, kan de kaart openen en delen."),
        Visibility::Invitation => {
            ("Alleen genodigden", "Alleen wie van u een persoonlijke uitnodiging krijgt, kan de kaart openen.")
        }
    }
}

pub(crate) fn lead_in(lead_in: LeadIn) -> &'static str {
    super::card::lead_in(lead_in).unwrap_or("Niets, alleen de naam")
}

// A conflict of two editors.

pub(crate) const OVERTAKEN_TITLE: &str = "Iemand anders heeft dit ook gewijzigd";
pub(crate) const OVERTAKEN: &str = "Terwijl u dit invulde, heeft iemand anders hetzelfde onderdeel opgeslagen. Uw invoer is nog niet bewaard. Kies wat er op de kaart komt.";
pub(crate) const OVERTAKEN_BY_YOU_TITLE: &str = "U hebt dit al eerder gewijzigd";
pub(crate) const OVERTAKEN_BY_YOU: &str = "U hebt hetzelfde onderdeel intussen in een ander venster opgeslagen. Wat u hier invulde, is nog niet bewaard. Kies wat er op de kaart komt.";
pub(crate) const YOURS: &str = "Uw invoer";
pub(crate) const THEIRS: &str = "Nu op de kaart";
pub(crate) const TAKE_YOURS: &str = "Mijn invoer gebruiken";
pub(crate) const LEAVE_THEIRS: &str = "Laten zoals het nu is";
pub(crate) const NOTHING: &str = "niet ingevuld";
pub(crate) const NO_PHOTO: &str = "geen foto";

// The overview.

pub(crate) const OVERVIEW_TITLE: &str = "De kaart";

pub(crate) fn card_of(name: &str) -> String {
    format!("De kaart voor {name}")
}

pub(crate) const OVERVIEW_DRAFT: &str = "Hieronder ziet u alle onderdelen van de kaart. Alles wat u invult, wordt bij elke stap bewaard. U kunt later verdergaan.";
pub(crate) const OVERVIEW_ORDERED: &str = "De kaart is besteld. U kunt de onderdelen hieronder blijven wijzigen.";
pub(crate) const BEGIN: &str = "Beginnen";
pub(crate) const CONTINUE: &str = "Verdergaan";
pub(crate) const STEPS: &str = "Onderdelen";
pub(crate) const CHANGE: &str = "Wijzigen";
pub(crate) const FILL_IN: &str = "Invullen";
pub(crate) const OPTIONAL: &str = "Optioneel";
pub(crate) const OPEN: &str = "Nog niet ingevuld";
pub(crate) const SAVED: &str = "Uw wijziging is opgeslagen.";

// Preview and order.

pub(crate) const PREVIEW_TITLE: &str = "Zo komt de kaart eruit te zien. Controleer de namen, de datums en de tekst.";
pub(crate) const PREVIEW_ORDERED_TITLE: &str = "Zo ziet de kaart eruit.";
pub(crate) const ORDER_TITLE: &str = "Bekijken en bestellen";
pub(crate) const ORDER: &str = "Controleer het afscheid, de namen, de datums en de tekst. Na de bestelling komt de kaart online en krijgt u een e-mail met de link.";
pub(crate) const LACKING: &str = "U bent bijna klaar. Vul nog in:";
pub(crate) const PRICE: &str = "Prijs";
pub(crate) const VAT: &str = "inclusief btw";
pub(crate) const FREE: &str = "Kosteloos";

/// Who charges the price. A test order is not charged.
pub(crate) fn charge(partner: &str, is_test: bool) -> String {
    match is_test {
        true => "Dit is een test: er wordt niets in rekening gebracht.".to_owned(),
        false => format!("{partner} brengt dit bedrag in rekening."),
    }
}

pub(crate) const fn missing_field(field: MissingField) -> &'static str {
    match field {
        MissingField::Theme => "Kies een thema.",
        MissingField::Name => "Vul de voornaam of de achternaam in.",
        MissingField::Email => "Vul uw e-mailadres in.",
    }
}

pub(crate) fn agree(price: &str) -> String {
    // The amount stays on one line.
    format!("Ik ga akkoord met de prijs van {}, inclusief btw.", price.replace(' ', "\u{a0}"))
}

pub(crate) const ORDER_BUTTON: &str = "Bestellen met betalingsverplichting";
pub(crate) const ORDER_BUTTON_FREE: &str = "Bestellen";
pub(crate) const ORDER_BUTTON_TEST: &str = "Testbestelling plaatsen";
pub(crate) const NOT_AGREED: &str = "Geef aan dat u akkoord gaat met de prijs.";
pub(crate) const CHANGED: &str =
    "De kaart of de prijs is gewijzigd sinds u deze pagina opende. Controleer de gegevens en bestel opnieuw.";
pub(crate) const NO_TEST_ADDRESS: &str =
    "Er is nog geen testadres ingesteld. Daarom kan deze testkaart niet worden besteld.";
pub(crate) const PREVIEW_BAR: &str = "Na het bekijken";
pub(crate) const CHANGE_SOMETHING: &str = "Iets wijzigen";
pub(crate) const TO_ORDER: &str = "Verder naar bestellen";
pub(crate) const TEST_CARD: &str = "Dit is een testkaart. Alle e-mail gaat naar het testadres, niet naar de familie.";
pub(crate) const MAIL_TO: &str = "E-mail naar";
pub(crate) const CHOSEN_THEME: &str = "Thema";
pub(crate) const WHO_SEES: &str = "Zichtbaar voor";

pub(crate) const ORDERED_TITLE: &str = "Dank u wel, de kaart is besteld";
pub(crate) const YOUR_ORDER: &str = "Uw bestelling";
pub(crate) const ORDERED: &str = "De kaart komt binnenkort online zoals hieronder, en u krijgt een e-mail met de link.";
pub(crate) const ONLINE_TITLE: &str = "Dank u wel, de kaart staat online";
pub(crate) const ONLINE: &str = "Zo zien anderen de kaart; u kunt de kaart nu delen.";
pub(crate) const SHARE_TITLE: &str = "De kaart delen";
pub(crate) const SHARE: &str = "Iedereen met dit adres kan de kaart openen en doorsturen.";
pub(crate) const SHARE_BUTTON: &str = "Delen";
pub(crate) const WHATSAPP: &str = "Delen via WhatsApp";
pub(crate) const COPY: &str = "Adres kopiëren";
pub(crate) const COPIED: &str = "Gekopieerd";
pub(crate) const QR: &str = "QR-code";
pub(crate) const QR_ABOUT: &str = "Wie deze code met een telefoon scant, opent de kaart. U kunt de code afdrukken.";
pub(crate) const QR_LABEL: &str = "QR-code met het adres van de kaart";
pub(crate) const LIST_OPEN: &str = "De lijst van genodigden openen";
pub(crate) const INVITE_FIRST: &str = "Zo zien anderen de kaart, zodra u hen met een persoonlijke link uitnodigt.";
pub(crate) const LIST_INVITE: &str = "Mensen uitnodigen";
pub(crate) const ADDRESS_WRONG: &str = "Klopt dit adres niet?";
pub(crate) const ADDRESS_CHANGE: &str = "Wijzig het e-mailadres. Dan sturen wij de e-mail opnieuw.";
pub(crate) const LOOK_AGAIN: &str = "Opnieuw kijken";
pub(crate) const OPEN_CARD: &str = "De kaart bekijken";
pub(crate) const ORDER_NUMBER: &str = "Bestelnummer";
pub(crate) const ORDERED_ON: &str = "Besteld op";
pub(crate) const ORDERED_FROM: &str = "Besteld bij";

// Fields of a form.

pub(crate) const DAY: &str = "Dag";
pub(crate) const MONTH: &str = "Maand";
pub(crate) const YEAR: &str = "Jaar";
pub(crate) const BIRTH_HINT: &str = "Bijvoorbeeld 12 4 1938";
pub(crate) const DEATH_HINT: &str = "Bijvoorbeeld 16 11 2026";

/// `label`: the name of the date.
pub(crate) fn year_missing(label: &str) -> String {
    format!("{label}: vul ook het jaar in.")
}

pub(crate) fn no_such_day(label: &str, day: &str) -> String {
    format!("{label}: {day} bestaat niet in dat jaar.")
}

pub(crate) fn date_invalid(label: &str, hint: &str) -> String {
    format!("{label}: vul een bestaande datum in, met het jaar in vier cijfers. {hint}.")
}
