//! The guard as a whole: the corpus of addresses, and real sockets.

mod corpus;
