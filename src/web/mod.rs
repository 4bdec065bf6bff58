//! The pages of the service: for families, their invitees, developers of partners, and the operator (specification, section
//! 2.7; decisions, section 5).
//!
//! Called by the router of `http`, through [`Site`]. The only owner of maud. Every page works without script.
//!
//! - `router` routes a request to its handler; `context` is what every page needs.
//! - `session_guard` checks the browser session for the customizer and the invitee list, and reads their forms (`form`) within the
//!   `upload_budget`; `session_link` opens a session.
//! - `customizer` is where the family fills in and orders the card, `invitees` is the list of invitees, `card` is the card.
//! - `admin` is for the operator, on a separate listener.
//! - `developers` has the reference and GraphiQL.
//! - `last_save` tells whether a form meets a save of its own.
//! - `page`, `field` and `error_pages` are shared by all pages.

mod admin;
mod asset;
mod card;
mod context;
mod customizer;
mod developers;
mod error_pages;
mod field;
mod form;
mod invitees;
mod last_save;
mod page;
mod router;
mod session_guard;
mod session_link;
mod share;
mod upload_budget;

pub(crate) use admin::AdminSite;
pub(crate) use developers::Graphiql;
pub(crate) use router::Site;
pub(crate) use upload_budget::FormReservation;
