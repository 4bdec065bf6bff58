//! The HTTP interface: GraphQL over HTTP, versions, tokens, limits, idempotency, media (specification, sections 4, 5, 7.3,
//! 8 and 9; decisions H1 to H9, K1, K2 and section 4).

mod accept;
mod body;
mod checks;
mod connections;
mod cost;
mod crash;
mod disconnect;
mod drain;
mod health;
mod host;
mod idempotency;
mod limits;
mod media;
mod metrics;
mod tls;
mod token;
mod unsent;
mod usage;
mod version;
mod version_life;
