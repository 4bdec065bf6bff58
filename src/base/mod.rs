//! What everything stands on: time, randomness, ids and limits. Imports nothing of ours.

mod causes;
mod choices;
mod clock;
mod entropy;
mod global_id;
pub mod limits;
mod moment;
mod parsed;
mod patch;
pub mod private;
pub mod request_id;
pub mod trace;
mod wake;
mod web_address;

pub use causes::Causes;
pub use choices::{Choices, FrontLimits, RateLimit, RetrySchedule};
pub use clock::Clock;
pub use entropy::Entropy;
pub use global_id::{GlobalId, Kind};
pub use moment::{Moment, date_text};
pub use parsed::Parsed;
pub use patch::Patch;
pub use wake::Wake;
pub use web_address::WebAddress;
