pub mod base;
pub mod graphql;
pub mod media;
pub mod model;
pub mod outbound;
pub mod store;
