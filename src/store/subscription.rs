//! Why a subscription is not made or changed (decisions W5).

use diesel::result::Error as DieselError;

use super::StoreError;

/// Why no subscription was made. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum CreateSubscriptionError {
    #[error("the partner already has a subscription with this topic and address")]
    Taken {
        /// By a subscription that a test key made.
        by_test: bool,
    },
    #[error("the partner has as many subscriptions of this mode on this topic as it may have")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for CreateSubscriptionError {
    fn from(error: DieselError) -> Self {
        CreateSubscriptionError::Store(error.into())
    }
}

/// Why a subscription did not get another address. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ChangeCallbackError {
    #[error("the partner has no such subscription")]
    NotFound,
    #[error("the partner already has another subscription with this topic and address")]
    Taken {
        /// By a subscription that a test key made.
        by_test: bool,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for ChangeCallbackError {
    fn from(error: DieselError) -> Self {
        ChangeCallbackError::Store(error.into())
    }
}
