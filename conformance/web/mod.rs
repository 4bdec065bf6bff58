//! The service's own pages, as a browser without script sees them (decisions, section 5).

mod activation;
mod admin_access;
mod admin_change;
mod card;
mod conflict;
mod customizer;
mod dead_end;
mod entry;
mod farewell;
mod finish;
pub mod graphiql;
mod heic;
mod invitee_names;
mod invitees;
mod live;
mod log;
mod order;
mod organisation;
mod portrait;
mod preview;
mod reference;
mod revoked;
mod safety;
mod unsaved;
mod upload;
mod weight;
mod wording;
