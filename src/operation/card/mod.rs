//! What happens to a card in its life (specification, sections 3 and 4.2; decisions W4).

mod activate;
mod change;
mod check;
mod create;
mod delete;
mod edit;
mod export;
mod find;
mod find_by_dossier;
mod findings;
mod input;
mod input_digest;
mod order;
mod update;

pub use activate::activate;
pub use change::CardStateError;
pub use create::{CreateCard, create};
pub use delete::{Deletion, delete, test_cards};
pub use edit::{CardEdit, EditError, edit};
pub use export::{CardExport, export};
pub use find::find;
pub use find_by_dossier::find_by_dossier;
pub(super) use findings::is_email;
pub use input::{CardInput, DeceasedInput, FamilyContactInput};
pub use order::{FamilyOrder, Lacking, OrderError, lacking, order, place};
pub use update::update;
