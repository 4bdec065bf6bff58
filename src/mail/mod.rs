//! Mails on their way out: to an SMTP server, or into a folder (decisions S10). The only place that names lettre.
//!
//! Called by the mail worker, which hands in a finished [`Letter`]. What is queued, and when it is tried again, is not
//! known here.

mod error;
mod letter;
mod mailer;
mod smtp;

pub use error::{MailError, MailerError, ServerAnswer};
pub use letter::Letter;
pub use mailer::Mailer;
