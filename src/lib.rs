pub mod base;

pub mod model;

pub mod graphql;

pub mod store;

pub mod outbound;

pub mod media;

pub mod operation;

#[path = "../generated/mod.rs"]
pub mod generated;

pub mod resolver;

pub mod http;

pub mod app;
