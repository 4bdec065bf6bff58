//! Budgets: hostile input of n bytes costs the server at most k·n + c of processor time and of memory, in any shape.
//!
//! The server runs in a process of its own, and the kernel's counters of that process are read ([`meter`]), so that other
//! work on the machine does not change the result. While input is sent, a second client measures how long others wait.
//!
//! `cargo test` tries a fixed set and a few generated inputs. A longer run, on the build that is shipped:
//!
//! ```text
//! cargo build --release
//! BUDGET_BINARY=target/release/card-service BUDGET_SECONDS=3600 BUDGET_SEED=7 \
//!     cargo test --test conformance budget::run -- --nocapture --test-threads 1
//! ```
//!
//! It prints the seed, and for each family of inputs the maxima that were seen. Source: `docs/security.md`, "Budgets".

mod document;
mod frame;
mod head;
mod image;
mod meter;
mod random;
mod run;
mod target;

/// An input as it goes over the wire.
pub struct Input {
    /// What kind of input it is: budgets and maxima are kept for each family.
    pub family: &'static str,
    /// What tells it from others of its family.
    pub name: String,
    /// What is sent: over each of `connections` connections the same.
    pub bytes: Vec<u8>,
    pub connections: usize,
    /// Whether the input is read by us again: a client that takes no answers leaves them in the server.
    pub reads: bool,
}

impl Input {
    /// How many bytes the attacker sends in all.
    pub fn size(&self) -> usize {
        self.bytes.len() * self.connections
    }
}
