//! The recipient of a mail; for a test card always the partner's test address (specification, section 5; decisions S10).
//!
//! Every mail takes its address from here.

use crate::model::{Card, Partner};
use crate::web::mail_template::Recipient;

/// Why a mail has no recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoRecipient {
    #[error("the card is of test mode, and its partner has no test address")]
    NoTestAddress,
    #[error("there is no address to send the mail to")]
    NoAddress,
    #[error("the card or invitee of the mail was deleted")]
    Gone,
}

/// Returns the recipient of a mail about `card` to a person with this name and address.
pub(super) fn recipient(
    card: &Card,
    partner: &Partner,
    name: Option<&str>,
    email: Option<&str>,
) -> Result<Recipient, NoRecipient> {
    let email = if card.test {
        partner.test_address.as_deref().ok_or(NoRecipient::NoTestAddress)?
    } else {
        email.ok_or(NoRecipient::NoAddress)?
    };
    Ok(Recipient { name: name.map(str::to_owned), email: email.to_owned(), test: card.test })
}
