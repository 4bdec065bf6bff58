pub mod base;
pub mod model;
