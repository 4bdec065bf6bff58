//! PostgreSQL over a network: TLS, what requests ask, and a server that stops answering (docs/operating.md,
//! docs/security.md).

mod address;
mod proxy;
mod reconnect;
mod recorder;
mod silence;
mod statements;
mod tls;
mod unsuitable;
