pub mod base;
pub mod model;
pub mod outbound;
pub mod media;
