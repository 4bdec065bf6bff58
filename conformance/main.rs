//! Conformance: the service seen from outside, over HTTP, row by row against the specification and the decisions.
//!
//! Every test has its own server, database, clock and randomness ([`app::TestApp`]); every body that touches the
//! database runs on SQLite and on PostgreSQL ([`on_both_databases`]). One folder per side of the service.

#![allow(clippy::disallowed_methods)] // tests set the environment, the clock and clients of the service
#![allow(unreachable_pub)] // a test program has no users

#[macro_use]
mod app;

mod access;
mod browser;
mod budget;
mod chaos;
mod cli;
mod fuzz;
mod guide;
mod http;
mod mail;
mod media;
mod mutation;
mod postgres;
mod query;
mod schema;
mod source_rules;
mod typed_client;
mod web;
mod webhook;
mod webhook_receiver;
