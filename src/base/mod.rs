//! The foundation of all modules: time, randomness, ids, limits and small types. Imports no other module of this crate.

#![warn(missing_docs)]

mod byte_budget;
mod clock;
pub mod email_address;
mod entropy;
mod enum_text;
mod global_id;
mod http_url;
#[allow(missing_docs)] // a name says what it limits and in which unit; comments give the source of each group
pub mod limits;
mod pace;
mod policy;
pub(crate) mod private;
mod progress;
pub(crate) mod request_id;
pub(crate) mod rfc3339;
mod system;
mod timestamp;
mod visible;

pub use byte_budget::{ByteBudget, ByteReservation, Holder};
pub use clock::Clock;
pub use dated_graphql::{ErrorChain, Parsed, Patch};
pub use entropy::Entropy;
pub(crate) use enum_text::text_enum;
pub use global_id::{GlobalId, Kind, lower_hex};
pub use http_url::{HttpUrl, has_unescaped_password, is_loopback};
pub use pace::Pace;
pub use policy::{FrontLimits, Policy, RateLimit, Retention, RetrySchedule};
pub use progress::{Count, Interruption, Progress, Step, StepView};
pub use system::{ProcessUse, disk_free_bytes};
pub use timestamp::Timestamp;
pub use visible::{is_blank, is_hidden, is_invisible, trim_invisible};
