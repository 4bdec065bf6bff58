//! The Partner Card Service as a library: `main.rs`, the tests and the benches use it. Modules import only modules listed
//! before them (docs/ARCHITECTURE.md).

/// Time, randomness, ids, limits: what every module uses.
pub mod base;

/// Cards, themes, subscriptions and their rules, without I/O.
pub mod model;

/// Rows and queries on SQLite and PostgreSQL.
pub mod store;

/// The HTTP client for addresses of others, with its address policy.
pub mod outbound;

/// The object store of portraits and theme images, and their renditions.
pub mod media;

/// Sends mails by SMTP or into a folder.
pub mod mail;

/// Requests of notifications with their signatures.
pub mod webhook;

/// The dependencies of operations: the store, clients, metrics, checks and usage counts.
pub mod services;

/// The commands of partners, families and the operator, with their rules.
pub mod operation;

/// The Dutch texts of pages and letters.
mod text;

/// The look of cards outside their pages: colours, crops, the picture for link previews and letters.
mod drawing;

/// The mails to families and invitees, rendered.
mod letter;

/// The types, resolver traits and dispatch that the build generates from `schema/`.
#[rustfmt::skip] // formatted by its generator
#[path = "../generated/mod.rs"]
pub mod generated;

/// The generated resolver traits, implemented for each version.
mod resolver;

/// The head of a request, and its route.
mod request;

/// The response to a request, and its builder.
mod response;

/// The pages of the service.
mod web;

/// Connections, routes and the partner API.
pub mod http;

/// Background loops: webhooks, mails, renditions, clean-up.
pub mod worker;

/// Settings and the assembly of the services.
pub mod app;

/// The operator's command line.
pub mod cli;
