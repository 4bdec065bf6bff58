//! The Dutch texts of the pages: formal, plain, in full sentences, without blame, and saying what to do (decisions, section 8).
//!
//! One file for each environment; this file holds what all pages share.

pub(super) mod accessibility;
pub(super) mod card;
pub(super) mod customizer;
pub(super) mod error_pages;
pub(super) mod invitees;
pub(super) mod mail;

use std::time::Duration;

use crate::base::Retention;

pub(super) const HOME_TITLE: &str = "Een kaart ter nagedachtenis";
pub(super) const HOME: &str = "Op deze site maken families een gedenkkaart voor een overledene. Een kaart opent u met de link die \
    u van de familie hebt gekregen. Een kaart maken kan met de link van uw uitvaartonderneming.";
pub(super) const SITE: &str = "Gedenkkaart";
pub(super) const SKIP: &str = "Naar de inhoud";
pub(super) const SENDING: &str = "Bezig met versturen…";
pub(super) const UNSENT: &str =
    "Het versturen is niet gelukt. Controleer of u een goede internetverbinding hebt en probeer het opnieuw.";
pub(super) const SUMMARY: &str = "Controleer uw gegevens";
pub(super) const ERROR: &str = "Let op: ";
pub(super) const HELP: &str = "Vragen? Wij helpen u graag.";
pub(super) const PRIVACY: &str = "Privacyverklaring";
pub(super) const ACCESSIBILITY: &str = "Toegankelijkheid";

/// Says what the operator lets the service delete after a time; empty if nothing.
pub(super) fn retention(kept: &Retention) -> String {
    let sentences = [
        kept.drafts.map(|kept| format!("Wordt een kaart niet besteld, dan verwijderen wij de kaart {} na de laatste wijziging.", days(kept))),
        kept.cards.map(|kept| format!("Wij verwijderen een kaart {} nadat de kaart online is gekomen.", days(kept))),
        kept.invitees.map(|kept| {
            format!("Wij verwijderen genodigden {} nadat zij op de lijst zijn gezet. Hun persoonlijke link werkt dan niet meer.", days(kept))
        }),
    ];
    sentences.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn days(kept: Duration) -> String {
    match kept.as_secs() / (24 * 60 * 60) {
        1 => "1 dag".to_owned(),
        days => format!("{days} dagen"),
    }
}
