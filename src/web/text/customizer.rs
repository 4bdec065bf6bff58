//! The customizer: where the family fills in the card and orders it (decisions S5, S8).

use crate::model::{CardSection, Layout, Visibility};
use crate::operation::card::MissingField;

/// The texts of one section.
pub struct PartText {
    pub title: &'static str,
    pub intro: &'static str,
}

pub const fn part(part: CardSection) -> PartText {
    match part {
        CardSection::Theme => PartText {
            title: "Kies een thema",
            intro: "Het thema bepaalt de kleuren, de letters en de beelden van de kaart. U kunt het wijzigen tot u de kaart bestelt.",
        },
        CardSection::Layout => {
            PartText { title: "Kies een indeling", intro: "De indeling bepaalt waar de foto en de tekst staan." }
        }
        CardSection::Visibility => {
            PartText { title: "Wie mag de kaart zien?", intro: "U kunt dit later altijd wijzigen." }
        }
        CardSection::Names => {
            PartText { title: "Wie herdenkt u?", intro: "Vul de naam in zoals u die op de kaart wilt lezen." }
        }
        CardSection::Dates => PartText {
            title: "Geboorte en overlijden",
            intro: "U kunt een datum leeg laten. Die staat dan niet op de kaart.",
        },
        CardSection::Portrait => PartText {
            title: "Een foto",
            intro: "Een foto is niet verplicht. U kunt een foto kiezen die op uw telefoon of computer staat.",
        },
        CardSection::Text => PartText {
            title: "De tekst op de kaart",
            intro: "Schrijf wat u wilt vertellen: een herinnering, een gedicht of de gegevens van het afscheid.",
        },
        CardSection::Broadcast => PartText {
            title: "Uitzending van de uitvaart",
            intro: "Is de uitvaart online te volgen, vul dan hier het adres van de uitzending in. U kunt dit ook later nog doen.",
        },
        CardSection::Contact => PartText {
            title: "Uw gegevens",
            intro: "Op dit e-mailadres ontvangt u de bestelling, met de link naar de kaart en naar de lijst met genodigden.",
        },
    }
}

// Around each step.

pub fn step_of(number: usize, count: usize) -> String {
    format!("Stap {number} van {count}")
}

pub const SAVE_AND_GO_ON: &str = "Opslaan en verder";
pub const SAVE: &str = "Opslaan";
pub const BACK: &str = "Vorige stap";
pub const ALL_STEPS: &str = "Alle stappen";
pub const TO_OVERVIEW: &str = "Naar het overzicht";
pub const GO_ON: &str = "Verder";
pub const ERROR_TITLE: &str = "Let op: ";

// Fields.

pub const FIRST_NAME: &str = "Voornaam of voornamen";
pub const LAST_NAME: &str = "Achternaam";
pub const BIRTH: &str = "Geboortedatum";
pub const DEATH: &str = "Overlijdensdatum";
pub const PHOTO: &str = "Kies een foto";
pub const PHOTO_HINT: &str = "Een bestand van hoogstens 10 MB, in het formaat jpeg, png, webp, gif of heic.";
pub const PHOTO_NOW: &str = "De foto die nu op de kaart staat";
pub const PHOTO_CHOSEN: &str = "De foto die u hebt gekozen";
pub const PHOTO_KEPT: &str = "Er hoort een foto bij de kaart. De foto kan nu niet worden getoond.";
pub const PHOTO_REMOVE: &str = "De foto van de kaart halen";
pub const PHOTO_WRONG_FORMAT: &str =
    "Dit bestand heeft geen bruikbaar formaat. Kies een foto in het formaat jpeg, png, webp, gif of heic.";
pub const PHOTO_TOO_LARGE: &str = "De foto is te groot. Kies een foto van hoogstens 10 MB.";
pub const PHOTO_UNREADABLE: &str =
    "Deze foto kan niet worden gelezen. Misschien is het bestand beschadigd. Kies een andere foto.";
pub const PHOTO_TOO_MANY_PIXELS: &str = "Deze foto heeft te veel beeldpunten. Kies een kleinere versie van de foto.";
pub const PHOTO_BUSY: &str = "De foto kon nu niet worden verwerkt. Probeer het over een paar minuten opnieuw.";
pub fn photo_too_many(max: i64, free_at: &str) -> String {
    format!("U hebt in een uur al {max} foto's verstuurd. Vanaf {free_at} uur kunt u weer een foto versturen.")
}

pub fn photo_no_space(free_at: &str) -> String {
    format!("Er kunnen nu geen foto's meer worden opgeslagen. Vanaf {free_at} uur kunt u weer een foto versturen.")
}

pub const PHOTO_GONE: &str = "De gekozen foto is niet meer beschikbaar. Kies de foto opnieuw.";
pub const TEXT: &str = "Uw tekst";
pub const TEXT_HINT: &str = "Hoogstens 5.000 tekens. Een nieuwe regel blijft een nieuwe regel.";
pub const LIVESTREAM: &str = "Adres van de uitzending";
pub const LIVESTREAM_HINT: &str = "Bijvoorbeeld https://www.uitvaart.nl/uitzending";
pub const CONTACT_NAME: &str = "Uw naam";
pub const EMAIL: &str = "Uw e-mailadres";
pub const EMAIL_HINT: &str = "Bijvoorbeeld naam@voorbeeld.nl";
pub const THEME_CHOOSE: &str = "Kies een thema om verder te gaan.";
pub const NO_THEMES: &str = "Er zijn nu geen thema's om uit te kiezen. Neem contact op met uw uitvaartverzorger.";
pub const THEME_FIXED: &str = "De kaart is besteld. Het thema kan niet meer worden gewijzigd.";
pub const THEME_NOW: &str = "Gekozen thema";

pub const fn layout(layout: Layout) -> (&'static str, &'static str) {
    match layout {
        Layout::Portrait => ("Foto bovenaan", "Een grote foto, met de tekst eronder."),
        Layout::SideBySide => ("Foto naast de tekst", "Op een telefoon staat de foto boven de tekst."),
        Layout::Text => ("Tekst bovenaan", "De tekst staat voorop, met een kleine foto."),
    }
}

pub const fn visibility(visibility: Visibility) -> (&'static str, &'static str) {
    match visibility {
        Visibility::Open => ("Iedereen met de link", "Wie het adres van de kaart heeft, kan de kaart openen en delen."),
        Visibility::Invitation => {
            ("Alleen genodigden", "Alleen wie van u een persoonlijke uitnodiging krijgt, kan de kaart openen.")
        }
    }
}

// A conflict of two editors.

pub const OVERTAKEN_TITLE: &str = "Iemand anders heeft dit ook gewijzigd";
pub const OVERTAKEN: &str = "Terwijl u dit invulde, heeft iemand anders hetzelfde onderdeel opgeslagen. Uw invoer is nog niet bewaard. Kies wat er op de kaart komt.";
pub const YOURS: &str = "Uw invoer";
pub const THEIRS: &str = "Nu op de kaart";
pub const TAKE_YOURS: &str = "Mijn invoer gebruiken";
pub const LEAVE_THEIRS: &str = "Laten zoals het nu is";
pub const NOTHING: &str = "niet ingevuld";
pub const NO_PHOTO: &str = "geen foto";

// The overview.

pub const OVERVIEW_TITLE: &str = "De kaart";

pub fn card_of(name: &str) -> String {
    format!("De kaart van {name}")
}

pub const OVERVIEW_DRAFT: &str = "Hieronder ziet u alle onderdelen van de kaart. Alles wat u invult, wordt bij elke stap bewaard. U kunt later verdergaan.";
pub const OVERVIEW_ORDERED: &str = "De kaart is besteld. U kunt de onderdelen hieronder blijven wijzigen.";
pub const BEGIN: &str = "Beginnen";
pub const CONTINUE: &str = "Verdergaan";
pub const STEPS: &str = "Onderdelen";
pub const DONE: &str = "Ingevuld";
pub const OPEN: &str = "Nog niet ingevuld";
pub const SAVED: &str = "Uw wijziging is opgeslagen.";

// Preview and order.

pub const PREVIEW_TITLE: &str = "Zo komt de kaart eruit te zien";
pub const PREVIEW: &str = "Controleer de namen, de datums en de tekst.";
pub const PREVIEW_NEEDS_THEME: &str = "Kies eerst een thema. Daarna ziet u hier de kaart.";
pub const ORDER_TITLE: &str = "De kaart bestellen";
pub const ORDER: &str = "Na de bestelling komt de kaart online. U ontvangt een e-mail met de link naar de kaart.";
pub const LACKING: &str = "Er ontbreekt nog iets. Vul dit eerst in:";
pub const PRICE: &str = "Prijs";
pub const VAT: &str = "inclusief btw";

pub const fn missing_field(field: MissingField) -> &'static str {
    match field {
        MissingField::Theme => "Kies een thema.",
        MissingField::Name => "Vul de voornaam of de achternaam in.",
        MissingField::Email => "Vul uw e-mailadres in.",
    }
}

pub fn agree(price: &str) -> String {
    // The amount stays on one line.
    format!("Ik ga akkoord met de prijs van {}, inclusief btw.", price.replace(' ', "\u{a0}"))
}

pub const ORDER_BUTTON: &str = "Bestellen met betalingsverplichting";
pub const ORDER_BUTTON_FREE: &str = "Bestellen";
pub const NOT_AGREED: &str = "Geef aan dat u akkoord gaat met de prijs.";
pub const CHANGED: &str =
    "De kaart of de prijs is gewijzigd sinds u deze pagina opende. Controleer de gegevens en bestel opnieuw.";
pub const NO_TEST_ADDRESS: &str = "Er is nog geen testadres ingesteld. Daarom kan deze testkaart niet worden besteld.";
pub const TEST_CARD: &str = "Dit is een testkaart. Alle e-mail gaat naar het testadres, niet naar de familie.";
pub const FOR: &str = "Kaart voor";
pub const MAIL_TO: &str = "E-mail naar";
pub const CHOSEN_THEME: &str = "Thema";
pub const WHO_SEES: &str = "Zichtbaar voor";

pub const ORDERED_TITLE: &str = "De kaart is besteld";
pub const ORDERED: &str = "Dank u wel. Uw bestelling is ontvangen.";
pub const ORDERED_WAITING: &str = "De kaart komt binnenkort online. U ontvangt een e-mail met de link.";
pub const ORDERED_ACTIVE: &str = "De kaart staat online.";
pub const LOOK_AGAIN: &str = "Opnieuw kijken";
pub const OPEN_CARD: &str = "De kaart bekijken";
pub const ORDER_NUMBER: &str = "Bestelnummer";

// Fields of a form.

pub const SUMMARY: &str = "Controleer uw gegevens";
pub const ERROR: &str = "Let op: ";
pub const DAY: &str = "Dag";
pub const MONTH: &str = "Maand";
pub const YEAR: &str = "Jaar";
pub const DATE_HINT: &str = "Bijvoorbeeld 12 4 1938";
pub const DATE_INVALID: &str = "Vul een bestaande datum in, met het jaar in vier cijfers. Bijvoorbeeld 12 4 1938.";
