//! Error pages (decisions S3).

pub(crate) const NOT_FOUND_TITLE: &str = "Deze pagina bestaat niet";
pub(crate) const NOT_FOUND: &str = "Op dit adres staat geen pagina. Controleer of u het hele adres hebt overgenomen.";
pub(crate) const INTERNAL_TITLE: &str = "Er is iets misgegaan";
pub(crate) const INTERNAL: &str =
    "Door een fout bij ons kan deze pagina nu niet worden getoond. Probeer het later opnieuw.";
pub(crate) const UNAVAILABLE_TITLE: &str = "De pagina is even niet bereikbaar";
pub(crate) const UNAVAILABLE: &str =
    "De pagina is tijdelijk niet bereikbaar. Probeer het over een paar minuten opnieuw.";
pub(crate) const TOO_LARGE_TITLE: &str = "Het bestand is te groot";
pub(crate) const TOO_LARGE: &str = "Wat u hebt verstuurd is te groot. Gebruik een foto van hoogstens 10 MB.";
pub(crate) const TO_FORM: &str = "Terug naar het formulier";
pub(crate) const BAD_FORM_TITLE: &str = "Uw gegevens zijn niet goed aangekomen";
pub(crate) const BAD_FORM: &str = "De verbinding is onderbroken voordat alles binnen was. Er is niets gewijzigd.";
pub(crate) const TOO_SLOW: &str = "Er kwam te lang niets of te weinig binnen. Er is niets gewijzigd. Controleer of u een goede internetverbinding hebt.";
pub(crate) const TOO_MANY_UPLOADS_TITLE: &str = "Er worden al foto's van u verwerkt";
pub(crate) const TOO_MANY_UPLOADS: &str =
    "U verstuurt al twee foto's tegelijk. Wacht tot die zijn opgeslagen. Deze foto is niet opgeslagen.";
pub(crate) const TOO_MANY_REQUESTS_TITLE: &str = "Dit gaat te snel";
pub(crate) const TOO_MANY_REQUESTS: &str =
    "U vraagt in korte tijd te veel pagina's op. Wat u net hebt verstuurd, is niet opgeslagen. Wacht een halve minuut.";
pub(crate) const TOO_BUSY_TITLE: &str = "Het is nu te druk";
pub(crate) const TOO_BUSY: &str = "Er worden op dit moment te veel bestanden tegelijk verstuurd. Uw gegevens zijn nog niet opgeslagen. Wacht een minuut.";
pub(crate) const GO_BACK: &str = "Ga terug naar de vorige pagina en probeer het opnieuw.";
pub(crate) const FOREIGN_FORM_TITLE: &str = "Controleer uw invoer en sla hem op";
pub(crate) const FOREIGN_FORM: &str = "Dit formulier hoort bij een eerdere pagina. Er is niets gewijzigd.";
pub(crate) const FILL_IN_AGAIN_TITLE: &str = "Vul het formulier opnieuw in";
pub(crate) const FILL_IN_AGAIN: &str = "Ga terug, ververs de pagina en vul het opnieuw in.";
pub(crate) const LOOK_AND_SAVE: &str = "Hieronder staat wat u hebt ingevuld. Controleer het en sla het alsnog op.";
pub(crate) const SAVE: &str = "Opslaan";
pub(crate) const NO_SESSION_TITLE: &str = "Uw toegang is verlopen";
pub(crate) const LINK_NEEDED_TITLE: &str = "U hebt een link nodig om deze pagina te openen";
pub(crate) const NO_SESSION: &str =
    "Om uw gegevens te beschermen blijft deze pagina een beperkte tijd open. Wat u hebt opgeslagen, is bewaard.";

/// `partner`: from whom the family has its link, if that is known.
pub(crate) fn link_needed(partner: Option<&str>) -> String {
    let from = partner.map(|partner| format!(" van {partner}")).unwrap_or_default();
    format!("Deze pagina is beschermd. Open de pagina met de link die u{from} hebt gekregen.")
}

pub(crate) const READ_ONLY_TITLE: &str = "U kunt nu niets wijzigen";

/// The notice while the partner is blocked.
pub(crate) fn card_offline(partner: &str) -> String {
    format!(
        "De kaart is tijdelijk offline: niemand kan de kaart zien, en uitnodigingen worden pas daarna verstuurd. Neem voor \
         vragen contact op met {partner}."
    )
}

pub(crate) fn read_only(partner: &str) -> String {
    format!(
        "U kunt deze pagina's nu alleen bekijken. Wijzigen en bestellen kan op dit moment niet. Neem contact op met \
         {partner}."
    )
}

pub(crate) const UNSAVED: &str =
    "Wat u net hebt ingevuld, is nog niet opgeslagen. Het staat hieronder, zodat u het niet kwijtraakt.";
pub(crate) const FILE_UNSAVED: &str =
    "De foto die u net hebt gekozen, is nog niet opgeslagen. Kies de foto opnieuw als u weer toegang hebt.";
pub(crate) const GO_ON_TITLE: &str = "Zo gaat u verder";
pub(crate) const GO_ON: &str = "Laat deze pagina openstaan. Vraag een nieuwe link aan en open die op dit apparaat. Kom daarna terug naar deze pagina \
     en sla uw invoer alsnog op.";
pub(crate) const NEW_TAB: &str = "(opent in een nieuw tabblad)";
pub(crate) const SAVE_AFTER_ALL: &str = "Mijn invoer alsnog opslaan";
pub(crate) const COPY: &str = "Kopiëren";
pub(crate) const COPIED: &str = "Gekopieerd";

pub(crate) const USED_TITLE: &str = "Deze link is al gebruikt";
pub(crate) const USED: &str = "Om uw gegevens te beschermen werkt een link één keer. Vraag een nieuwe link aan.";
pub(crate) const EXPIRED_TITLE: &str = "Deze link is verlopen";
pub(crate) const EXPIRED: &str = "Om uw gegevens te beschermen werkt een link tien minuten. Vraag een nieuwe link aan.";
pub(crate) const REVOKED_TITLE: &str = "Deze link is ingetrokken";
pub(crate) const REVOKED: &str = "Om uw gegevens te beschermen werkt deze link niet meer. Vraag een nieuwe link aan.";
pub(crate) const UNKNOWN_TITLE: &str = "Deze link is niet bekend";
pub(crate) const UNKNOWN: &str = "Controleer of u het hele adres hebt overgenomen.";

pub(crate) const REQUEST_NEW: &str = "Nieuwe link aanvragen";
pub(crate) const ASK_SENDER: &str =
    "Ga terug naar de organisatie van wie u de link hebt gekregen en vraag daar een nieuwe link.";
pub(crate) const STILL_OPEN: &str = "U hebt deze pagina's op dit apparaat nog openstaan. U kunt daar verdergaan.";
pub(crate) const GO_ON_BUTTON: &str = "Verdergaan";
