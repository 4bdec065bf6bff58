//! PostgreSQL over a network: TLS, and a server that stops answering (docs/operating.md,
//! docs/security.md).

mod address;
mod proxy;
mod silence;
mod tls;
