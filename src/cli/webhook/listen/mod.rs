//! `webhook listen`: brings the notifications of a partner's test cards to an address on the developer's machine.
//!
//! The service reaches public addresses only. So the command reads the deliveries from the API (version 2027-01), with the
//! developer's test key, and posts each one, signed as the service signs it. It needs no database, and its requests do not pass the
//! egress policy of a server: the developer names both addresses.

mod cursor;
mod forward;
mod service;

pub(in crate::cli) use forward::{Listen, run};
pub(in crate::cli) use service::ServiceError;
