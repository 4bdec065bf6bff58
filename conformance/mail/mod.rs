//! Mails: queued with their cause, sent by SMTP or into the data folder, and in test mode never to the family (specification,
//! section 5; decisions S10).

mod fault;
mod order;
mod smtp;
mod state;
mod tls;
