//! The outcome of the checks of an input, and the portrait that it names (decisions V4).

use super::input::{CONTACT_EMAIL, CONTACT_NAME, LIVESTREAM_URL, Path};
use crate::base::{HttpUrl, Patch};
use crate::model::messages::Consequence;
use crate::model::{PhotoKey, UserError};
use crate::operation::{Caller, OperationError, photo};
use crate::services::Services;

/// The fields behind `photoUrl` in the schema.
const FOLLOWERS_OF_PHOTO_URL: [Path; 3] = [LIVESTREAM_URL, CONTACT_NAME, CONTACT_EMAIL];

/// A checked input.
#[derive(Debug)]
pub(super) struct Checked {
    /// Where the portrait is to be fetched.
    pub photo_source: Patch<HttpUrl>,
    /// In the order of the schema.
    pub errors: Vec<UserError>,
}

impl Checked {
    /// Returns the errors, if there are any.
    pub(super) fn refuse_errors(self) -> Result<(), Vec<UserError>> {
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }

    /// Fetches the portrait, also beside other errors, so that all errors of an input are reported at once. A portrait of a
    /// refused input is deleted.
    pub(super) async fn fetch_photo(
        self,
        services: &Services,
        caller: &Caller,
        consequence: Consequence,
    ) -> Result<Patch<PhotoKey>, OperationError> {
        let Self { photo_source, mut errors } = self;
        let photo = match photo_source {
            Patch::Absent => Patch::Absent,
            Patch::Null => Patch::Null,
            // A large future, and rare.
            Patch::Value(source) => match Box::pin(photo::fetch(services, caller, &source, consequence)).await {
                Ok(key) => Patch::Value(key),
                Err(OperationError::Refused(refused)) => {
                    let follows = |error: &UserError| FOLLOWERS_OF_PHOTO_URL.iter().any(|path| error.field == *path);
                    let at = errors.iter().position(follows).unwrap_or(errors.len());
                    errors.splice(at..at, refused);
                    Patch::Absent
                }
                Err(failure) => return Err(failure),
            },
        };
        if errors.is_empty() {
            return Ok(photo);
        }
        if let Patch::Value(key) = &photo {
            photo::delete_unused(services, key).await?;
        }
        Err(OperationError::Refused(errors))
    }
}
