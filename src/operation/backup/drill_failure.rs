//! Why a drill failed: a backup was restored, and the service did not come back from it.

use std::path::PathBuf;

use crate::outbound::FetchError;

/// Why a drill failed.
#[derive(Debug, thiserror::Error)]
pub enum DrillFailure {
    #[error("Another drill is running in {}.", .0.display())]
    Running(PathBuf),
    #[error("The folder {} cannot be used.", .0.display())]
    Folder(PathBuf, #[source] std::io::Error),
    #[error("--database names the database of the service, not a restored one.")]
    OwnDatabase,
    #[error("A card or theme shows {0}, which is not in the copy of the media.")]
    Picture(String),
    #[error("No version of the API is available on the restored database.")]
    NoVersion,
    #[error("The restored service did not answer with the card {0}.")]
    Card(String),
    #[error("The restored service could not be asked for {0}.")]
    Request(String, #[source] FetchError),
    #[error("The client of the drill cannot be made.")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}
