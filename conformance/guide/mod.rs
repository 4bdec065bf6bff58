//! The guide for partners (docs/partner): its programs run against the service, and its figures and codes are the service's.

mod changing;
mod drawing;
mod facts;
mod first_card;
