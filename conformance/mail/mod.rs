//! Mails: written with their cause, sent through a real SMTP server or into the data folder, and in test mode never to
//! the family (specification, section 5; decisions S10).

mod order;
mod smtp;
mod tls;
