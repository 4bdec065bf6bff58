//! A request that has arrived, but for its body.
//!
//! Made by the router, read by all that answer.

use std::time::Instant;

use http::request::Parts;

use super::accept::Media;
use super::connection_table::Client;
use super::route::Route;
use crate::base::Timestamp;

/// What is known of a request as soon as its head is there.
pub struct RequestHead<'a> {
    pub parts: &'a Parts,
    pub route: Route<'a>,
    /// `None`: the caller accepts nothing that the API answers with.
    pub accepted: Option<Media>,
    pub id: &'a str,
    pub time: Time,
    /// Whose connection it came on; `None` where that is a proxy's.
    pub client: Option<Client>,
}

/// When it was, on both clocks. They are read once for each request: a look costs as much as a hundred instructions.
#[derive(Clone, Copy, Debug)]
pub struct Time {
    /// On the machine's clock that only goes forward.
    pub instant: Instant,
    /// On the service's clock.
    pub moment: Timestamp,
}
