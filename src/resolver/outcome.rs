//! Converts the results of operations: user errors are data in the payload, failures are field errors.

use engine::FieldError;

use super::Context;
use crate::model::code;
use crate::model::{UserError, text};
use crate::operation::{Failure, OperationError};

impl Context {
    /// The two halves of a payload: what the operation made, or what is wrong with its input.
    pub(super) fn outcome<T>(
        &self,
        result: Result<T, OperationError>,
    ) -> Result<(Option<T>, Vec<UserError>), FieldError> {
        match result {
            Ok(made) => Ok((Some(made), Vec::new())),
            Err(OperationError::Refused(errors)) => {
                self.note_user_errors();
                Ok((None, errors))
            }
            Err(OperationError::KeyReused) => {
                Err(FieldError::new(code::IDEMPOTENCY_KEY_REUSED, text::IDEMPOTENCY_KEY_REUSED))
            }
            Err(OperationError::Failed(failure)) => Err(failed(failure)),
        }
    }
}

/// Logs a failure with its causes, which are not sent.
pub(super) fn failed(failure: impl Into<Failure>) -> FieldError {
    let failure = failure.into();
    let internal = FieldError::internal(&failure);
    if failure.is_unavailable() { FieldError::new(code::UNAVAILABLE, text::UNAVAILABLE) } else { internal }
}
