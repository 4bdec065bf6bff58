//! PostgreSQL beyond a network: how connections are protected, and what happens when it falls silent (docs/operating.md,
//! docs/security.md).

mod address;
mod proxy;
mod silence;
mod tls;
