//! Session links (decisions S3). A title says what happened, and the text why and what to do: a page shows both, and the message
//! for a program consists of both.

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
pub(crate) const GO_ON: &str = "Verdergaan";
