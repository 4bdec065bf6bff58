//! What the service sends out after a change was committed: workers, each a loop around one public step (design 4).

pub mod signature;
