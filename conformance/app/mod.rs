//! The test app: the server on a free port, with a clock, randomness, names and servers that the test controls.

mod answer;
mod caller;
mod card;
mod database;
mod dump;
pub mod family;
pub mod mail;
pub mod mock_server;
mod operator;
pub mod picture;
mod process;
#[macro_use]
mod run;
mod s3;
mod start;
mod subscription;
mod terminal;

pub use answer::{Answer, UserFault, codes_of, user_faults};
pub use caller::{Caller, PartnerAccount};
pub use card::{Payload, card_id, create_document};
pub use database::{Database, FreshDatabase, tamper};
pub use mock_server::MockServer;
pub use process::{Program, Serving, free_addresses, lines_of};
pub(crate) use run::start_with;
pub use run::{run, run_alone, run_within, runtime};
pub use s3::{BrokenS3, S3Server};
pub use start::{PUBLIC_BASE, TestApp, http_client, keeping_client, wait_for};
pub use terminal::Terminal;
