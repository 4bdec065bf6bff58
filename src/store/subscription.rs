//! Why a subscription is not made (decisions W5).

use diesel::result::Error as DieselError;

use super::StoreError;

/// Why no subscription was made. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateSubscriptionError {
    #[error("the partner already has a subscription with this topic and address")]
    Taken,
    #[error("the partner has as many subscriptions on this topic as it may have")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for CreateSubscriptionError {
    fn from(error: DieselError) -> Self {
        CreateSubscriptionError::Store(error.into())
    }
}
