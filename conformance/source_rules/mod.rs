//! Rules of the house that a machine keeps (house style and design, section 4).

mod citations;
mod files;
mod layers;
mod migration;
mod owners;
mod packaging;
mod root_fields;
mod source;
