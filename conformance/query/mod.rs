//! The queries of section 4.1, one file per root field; and what version 2027-01 adds, one file for each addition.

mod card;
mod card_by_external_dossier_id;
mod node;
mod page;
mod theme;
mod webhook_deliveries;
mod webhook_subscription;
