//! Version 2027-01: what it adds to 2026-10, one file for each trait.

mod mutation;
mod object;
mod query;
