//! The application: reads the settings, builds the services, and runs the server.
//!
//! Called by the commands and by the tests. The only module that reads the environment.

mod assembly;
mod log;
mod server;
mod settings;
mod watchdog;

pub use assembly::{LocalServer, StartError, media_store, media_store_at, services};
pub use log::start_log;
pub use server::Server;
pub use settings::{ConfigFile, SettingError, Settings, ShownSetting};
pub use watchdog::{Watchdog, notify_manager};
