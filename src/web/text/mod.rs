//! Every Dutch text of the pages (decisions, section 8): formal, plain, full sentences, never blame, say what to do.
//!
//! One file for each environment; what all pages share stands here.

pub(super) mod card;
pub(super) mod customizer;
pub(super) mod error_pages;
pub(super) mod field;
pub(super) mod invitees;
pub(super) mod letter;
pub(super) mod session_link;

pub(super) const SITE: &str = "Gedenkkaart";
pub(super) const SKIP: &str = "Naar de inhoud";
pub(super) const FOOTER: &str = "Alleen wie een persoonlijke link heeft, kan deze pagina's openen.";
