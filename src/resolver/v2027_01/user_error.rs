//! User errors of deliveries.

use crate::generated::v2027_01::{WebhookDeliveryUserError, WebhookDeliveryUserErrorCode};
use crate::model::{UserError, UserErrorCode};
use crate::resolver::v2026_10::user_error::field;

impl From<UserError> for WebhookDeliveryUserError {
    fn from(error: UserError) -> Self {
        let code = match error.code {
            UserErrorCode::NotFound => Some(WebhookDeliveryUserErrorCode::NotFound),
            UserErrorCode::Unprocessable => Some(WebhookDeliveryUserErrorCode::Unprocessable),
            // Reasons without a code in this schema version; `code` is nullable.
            UserErrorCode::Blank | UserErrorCode::Invalid | UserErrorCode::Taken | UserErrorCode::Immutable => None,
        };
        Self { code, field: field(error.field), message: error.message.into() }
    }
}
