//! A partner's own program: typed clients, compiled against the schema of their version. An SDL change that breaks a
//! client of a version breaks the build.

mod v2026_10;
