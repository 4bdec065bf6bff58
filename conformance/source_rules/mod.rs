//! Rules of the source code that a test can check (docs/STYLE.md; decisions, section 4).

mod citations;
mod documents;
mod files;
mod layers;
mod migration;
mod owners;
mod packaging;
mod paths;
mod root_fields;
mod source;
mod words;
