//! The assembly: settings from the environment, services from settings, a server from services.
//!
//! Called by the commands and by the tests. The only place that knows what the environment says.

mod assembly;
mod exposed;
mod server;
mod settings;
mod telemetry;
mod traces;
mod watchdog;

pub use assembly::{StartError, services};
pub use server::Server;
pub use settings::{ConfigFile, SettingError, Settings, ShownSetting};
pub use telemetry::{Telemetry, start_telemetry};
pub use traces::TraceSettings;
pub use watchdog::Watchdog;
