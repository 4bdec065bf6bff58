//! Whom a mail goes to: the address it is meant for, or in test mode the partner's test address and nobody else
//! (specification, section 5; decisions S10). Every mail takes its address from here.

use crate::model::{Card, Partner};
use crate::web::letter::Addressee;

/// Why there is nobody to send a mail to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoAddressee {
    #[error("the card is of test mode, and its partner has no test address")]
    NoTestAddress,
    #[error("nobody's address is known any more")]
    NoAddress,
    #[error("what the mail is about is no longer there")]
    Gone,
}

/// The addressee of a mail about `card` that is meant for somebody with this name and address.
pub(super) fn addressee(
    card: &Card,
    partner: &Partner,
    name: Option<&str>,
    email: Option<&str>,
) -> Result<Addressee, NoAddressee> {
    let email = if card.test {
        partner.test_address.as_deref().ok_or(NoAddressee::NoTestAddress)?
    } else {
        email.ok_or(NoAddressee::NoAddress)?
    };
    Ok(Addressee { name: name.map(str::to_owned), email: email.to_owned(), test: card.test })
}
