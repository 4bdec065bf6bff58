//! Operations on a card (specification, sections 3 and 4.2; decisions W4).

mod create;
mod delete;
mod edit;
mod export;
mod farewell;
mod find;
mod input;
mod input_digest;
#[cfg(test)]
mod input_tests;
mod offline;
mod order;
mod transition;
mod update;
mod validator;

pub use create::{CreateCard, create};
pub use delete::{Deletion, delete, test_cards};
pub use edit::{CardEdit, EditError, edit, try_edit};
pub use export::{CardExport, export};
pub use farewell::FarewellInput;
pub use find::{find, find_by_dossier};
pub use input::{CardInput, DeceasedInput, FamilyContactInput};
pub use offline::{put_online, take_offline};
pub use order::{FamilyOrder, MissingField, OrderError, missing_fields, order, place};
pub use transition::{CardStateError, activate};
pub use update::update;
pub(super) use validator::is_email;
