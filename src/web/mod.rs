//! The service's own pages: what a family and its invitees see, and partners' developers (specification, section 2.7; decisions, section 5).
//!
//! Called by `http`, which hands in a [`WebRequest`] and sends the [`WebAnswer`]; hyper stays there. The only place that
//! names maud. Everything works without script; script only adds comfort.
//!
//! - `route.rs` leads a path to its page; `layout.rs` is the frame of every page; `text/` holds all Dutch texts.
//! - `session_guard.rs` guards the environments behind a session link: the cookie, the card, the form with its token.
//! - `reference.rs` shows partners what the API is made of, as the crate `schema` writes it from the schemas.
//! - `session_link.rs` opens session links; `customizer/` is where the family fills in and orders the card.

mod answer;
mod asset;
mod body;
mod card;
mod cookie;
mod customizer;
mod date;
mod error_pages;
mod etag;
mod expired_form;
mod field;
mod form;
mod form_token;
mod graphiql;
mod invitees;
mod layout;
pub mod letter;
mod page_error;
mod reference;
mod request;
mod route;
mod session_guard;
mod session_link;
mod site;
mod text;
mod upload_budget;

pub use answer::WebAnswer;
pub use body::{Body, BodyError};
pub use etag::is_known_to_caller;
pub use request::WebRequest;
pub use route::{is_ours, route_name};
pub use site::Site;
