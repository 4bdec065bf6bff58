//! Sends mails to an SMTP server or into a folder (decisions S10). The only module that uses lettre.
//!
//! Called by the mail worker with a complete [`Email`]. Queueing and retries are the worker's.

mod email;
mod error;
mod mailer;
mod smtp;

pub use email::{Email, PICTURE_ID};
pub use error::{MailError, MailerError, ServerAnswer};
pub use mailer::Mailer;
