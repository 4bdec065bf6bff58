//! The administration: the operator's pages, in English, on a listener of their own (decisions S11, S12).
//!
//! `site` routes a request. `access` opens a session by a one-time link and guards every other page and form; a change goes
//! through the operation of the command with the same name, and leaves the same audit record. `page` is the layout. The other
//! files are the pages, one for each noun.

mod access;
mod card;
mod check;
mod order;
mod page;
mod partner;
mod site;
mod subscription;
mod theme;

pub(crate) use site::AdminSite;
