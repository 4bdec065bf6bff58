//! The additions of version 2027-01 to 2026-10: queries, mutations, and objects with their enums.

mod mutation;
mod object;
mod query;
