//! The service's own pages, as a browser without script sees them (decisions, section 5).

mod conflict;
mod customizer;
mod entry;
mod order;
mod safety;
