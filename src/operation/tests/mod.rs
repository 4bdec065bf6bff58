//! The operations on a real store: what they write, and what they leave alone.

mod card_create;
mod card_state;
mod card_update;
mod session;
mod webhook;
mod webhook_secret;

use uuid::Uuid;

use super::OperationError;
use super::card::{self, CardInput, DeceasedInput};
use super::fixture::{Fixture, PhotoServer};
use crate::base::{HttpUrl, Parsed, Patch};
use crate::model::{Card, KeyMode, Theme, UserErrorCode};
use crate::store::CreatedCard;

impl PhotoServer {
    fn input(&self, path: &str) -> CardInput {
        photo_input(&self.address_of(path))
    }
}

fn photo_input(address: &str) -> CardInput {
    let address = HttpUrl::parse(address).expect("an address");
    deceased(DeceasedInput { photo_url: Patch::Value(Parsed::Value(address)), ..DeceasedInput::default() })
}

fn deceased(fields: DeceasedInput) -> CardInput {
    CardInput { deceased: Patch::Value(fields), ..CardInput::default() }
}

fn text(text: &str) -> Patch<String> {
    Patch::Value(text.to_owned())
}

/// The user errors of a refused operation, as code and path.
fn refused<T: std::fmt::Debug>(result: Result<T, OperationError>) -> Vec<(UserErrorCode, Vec<&'static str>)> {
    match result {
        Err(OperationError::Refused(errors)) => errors.into_iter().map(|error| (error.code, error.field)).collect(),
        other => panic!("the input is wrong, and was answered with {other:?}"),
    }
}
