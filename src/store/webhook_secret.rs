//! Why a secret is not added (decisions W2).

use diesel::result::Error as DieselError;

use super::StoreError;

/// Why no secret was added. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AddSecretError {
    #[error("the partner has no active secret that another one could follow")]
    NoneActive,
    #[error("the partner has as many active secrets as it may have")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<DieselError> for AddSecretError {
    fn from(error: DieselError) -> Self {
        AddSecretError::Store(error.into())
    }
}
