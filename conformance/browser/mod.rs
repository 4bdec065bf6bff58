//! The service's own pages in a real Chromium: with and without script, by keyboard alone, on a narrow telephone, and
//! checked by axe-core (WCAG 2.2 AA).
//!
//! Needs Chromium, its chromedriver and npm; `bash .ci/test` installs them. A test that lacks one of them fails.

mod admin;
mod axe;
mod card;
mod chromium;
mod finish;
mod gallery;
mod graphiql;
mod journey;
mod large;
mod live;
mod name;
mod reference;
mod speed;
mod stage;
mod unsaved;
mod upload;
