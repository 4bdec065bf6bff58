pub mod base;

pub mod model;

pub mod graphql;

pub mod store;

pub mod outbound;

pub mod media;

pub mod mail;

pub mod webhook;

pub mod services;

pub mod operation;

#[rustfmt::skip] // formatted by its generator
#[path = "../generated/mod.rs"]
pub mod generated;

pub mod resolver;

pub mod web;

pub mod http;

pub mod worker;

pub mod app;

pub mod cli;
