//! Operations on a card (specification, sections 3 and 4.2; decisions W4).

mod activate;
mod change;
mod create;
mod delete;
mod edit;
mod export;
mod find;
mod find_by_dossier;
mod input;
mod input_digest;
#[cfg(test)]
mod input_tests;
mod order;
mod update;
mod validator;

pub use activate::activate;
pub use change::CardStateError;
pub use create::{CreateCard, create};
pub use delete::{Deletion, delete, test_cards};
pub use edit::{CardEdit, EditError, edit};
pub use export::{CardExport, export};
pub use find::find;
pub use find_by_dossier::find_by_dossier;
pub use input::{CardInput, DeceasedInput, FamilyContactInput};
pub use order::{FamilyOrder, Lacking, OrderError, lacking, order, place};
pub use update::update;
pub(super) use validator::is_email;
