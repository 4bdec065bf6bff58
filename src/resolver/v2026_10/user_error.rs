//! User errors as the payloads show them (specification, section 7).

use std::borrow::Cow;

use crate::generated::v2026_10::{
    CardUserError, CardUserErrorCode, WebhookSubscriptionUserError, WebhookSubscriptionUserErrorCode,
};
use crate::model::{UserError, UserErrorCode};

impl From<UserError> for CardUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Blank => CardUserErrorCode::Blank,
            UserErrorCode::Invalid => CardUserErrorCode::Invalid,
            UserErrorCode::Taken => CardUserErrorCode::Taken,
            UserErrorCode::NotFound => CardUserErrorCode::NotFound,
            UserErrorCode::Immutable => CardUserErrorCode::Immutable,
            UserErrorCode::Unprocessable => CardUserErrorCode::Unprocessable,
        };
        Self { code: Some(code), field: field(error.field), message: error.message.into() }
    }
}

impl From<UserError> for WebhookSubscriptionUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::Blank => Some(WebhookSubscriptionUserErrorCode::Blank),
            UserErrorCode::Invalid => Some(WebhookSubscriptionUserErrorCode::Invalid),
            UserErrorCode::Taken => Some(WebhookSubscriptionUserErrorCode::Taken),
            UserErrorCode::NotFound => Some(WebhookSubscriptionUserErrorCode::NotFound),
            // Reasons without a code in this schema version; `code` is nullable.
            UserErrorCode::Immutable | UserErrorCode::Unprocessable => None,
        };
        Self { code, field: field(error.field), message: error.message.into() }
    }
}

/// The path of an error; `None` if it is about no field.
pub(in crate::resolver) fn field(path: Vec<&'static str>) -> Option<Vec<Cow<'static, str>>> {
    (!path.is_empty()).then(|| path.into_iter().map(Cow::Borrowed).collect())
}

/// The errors of a payload.
pub(in crate::resolver) fn user_errors<E: From<UserError>>(errors: Vec<UserError>) -> Vec<E> {
    errors.into_iter().map(E::from).collect()
}
