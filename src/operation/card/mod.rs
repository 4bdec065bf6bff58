//! Operations on a card (specification, sections 3 and 4.2; decisions W4).

mod checked;
mod create;
mod delete;
mod edit;
mod find;
mod input;
mod order;
mod order_address;
mod transition;
mod update;

pub use create::{CreateCard, create};
pub use delete::{Deletion, delete, test_cards};
pub use edit::{CardEdit, EditError, FarewellInput, edit, try_edit};
pub use find::{CardExport, export, find, find_by_dossier};
pub use input::{CardInput, DeceasedInput, FamilyContactInput};
pub use order::{FamilyOrder, MissingField, OrderError, missing_fields, order_by_family, order_by_operator};
pub use transition::{CardStateError, activate, put_online, take_offline};
pub use update::update;
