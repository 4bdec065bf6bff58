//! The application: reads the settings, builds the services, and runs the server.
//!
//! Called by the commands and by the tests. The only module that reads the environment.

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
