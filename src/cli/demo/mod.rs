//! `demo`: a server with a partner, a test key, the bundled themes, and a receiver of its notifications.

mod graphiql;
mod notifications;
mod run;

pub(super) use run::run;
