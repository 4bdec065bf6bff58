//! The Dutch texts of the pages: formal, plain, in full sentences, without blame, and saying what to do (decisions, section 8).
//!
//! One file for each environment; this file holds what all pages share.

pub(super) mod card;
pub(super) mod customizer;
pub(super) mod error_pages;
pub(super) mod invitees;
pub(super) mod mail;
pub(super) mod mail_state;
pub(super) mod session_link;

pub(super) const SITE: &str = "Gedenkkaart";
pub(super) const SKIP: &str = "Naar de inhoud";
pub(super) const FOOTER: &str = "Alleen wie een persoonlijke link heeft, kan deze pagina's openen.";
