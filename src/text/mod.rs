//! The Dutch texts of pages and letters: formal, plain, in full sentences, without blame, and saying what to do (decisions, section 8).
//!
//! One file for each environment; this file holds what all pages share. `date` writes dates and hours.

pub(crate) mod accessibility;
pub(crate) mod card;
pub(crate) mod customizer;
pub(crate) mod date;
pub(crate) mod error_pages;
pub(crate) mod invitees;
pub(crate) mod mail;
pub(crate) mod name;

use std::time::Duration;

use crate::base::Retention;

pub(crate) const HOME_TITLE: &str = "Een kaart ter nagedachtenis";
pub(crate) const HOME: &str = "Op deze site maken families een gedenkkaart voor een overledene. Een kaart opent u met de link die \
    u van de familie hebt gekregen. Een kaart maken kan met de link van uw uitvaartonderneming.";
pub(crate) const SITE: &str = "Gedenkkaart";
pub(crate) const SKIP: &str = "Naar de inhoud";
pub(crate) const SENDING: &str = "Bezig met versturen…";
pub(crate) const TYPED: &str = "Dit had u al ingevuld, maar niet opgeslagen.";
pub(crate) const UNSENT: &str =
    "Het versturen is niet gelukt. Controleer of u een goede internetverbinding hebt en probeer het opnieuw.";
pub(crate) const SUMMARY: &str = "Controleer uw gegevens";
pub(crate) const ERROR: &str = "Let op: ";
pub(crate) const HELP: &str = "Vragen? Wij helpen u graag.";
pub(crate) const PRIVACY: &str = "Privacyverklaring";
pub(crate) const ACCESSIBILITY: &str = "Toegankelijkheid";

/// Says what the operator lets the service delete after a time; empty if nothing.
pub(crate) fn retention(kept: &Retention) -> String {
    let sentences = [
        kept.drafts.map(|kept| format!("Wordt een kaart niet besteld, dan verwijderen wij de kaart {} na de laatste wijziging.", days(kept))),
        kept.cards.map(|kept| format!("Wij verwijderen een kaart {} nadat de kaart online is gekomen.", days(kept))),
        kept.invitees.map(|kept| {
            format!("Wij verwijderen genodigden {} nadat zij op de lijst zijn gezet. Hun persoonlijke link werkt dan niet meer.", days(kept))
        }),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Ends a sentence, unless its last word has a full stop already: `sr.`, `B.V.`.
pub(crate) fn full_stop(sentence: String) -> String {
    if sentence.ends_with('.') { sentence } else { sentence + "." }
}

fn days(kept: Duration) -> String {
    match kept.as_secs() / (24 * 60 * 60) {
        1 => "1 dag".to_owned(),
        days => format!("{days} dagen"),
    }
}
