//! Partner accounts: made by the operator, found by name (decisions K2, section 9).
//!
//! Called by the commands of the operator.

use super::{Failure, Services};
use crate::base::limits::NAME_CHARS_MAX;
use crate::model::Partner;

/// Why no partner was added.
#[derive(Debug, thiserror::Error)]
pub enum AddPartnerError {
    #[error("The name of a partner cannot be empty.")]
    Blank,
    #[error("The name of a partner has at most {NAME_CHARS_MAX} characters.")]
    TooLong,
    #[error("The name of a partner cannot hold control characters.")]
    ControlCharacter,
    #[error("There is a partner \"{0}\" already.")]
    Taken(String),
    #[error("The partner could not be added.")]
    Failed(#[source] Failure),
}

/// Why a partner was not found.
#[derive(Debug, thiserror::Error)]
pub enum FindPartnerError {
    #[error("There is no partner \"{0}\".")]
    Unknown(String),
    #[error("The partner could not be looked up.")]
    Failed(#[source] Failure),
}

/// Adds a partner; its name is trimmed and unique.
pub async fn add(services: &Services, name: &str) -> Result<Partner, AddPartnerError> {
    let name = name.trim();
    match name.chars().count() {
        0 => return Err(AddPartnerError::Blank),
        1..=NAME_CHARS_MAX => {}
        _ => return Err(AddPartnerError::TooLong),
    }
    if name.chars().any(char::is_control) {
        return Err(AddPartnerError::ControlCharacter);
    }
    let now = services.clock.now();
    let partner = Partner::new(services.entropy.uuid(now), name, now);
    let added = services.store.add_partner(partner.clone()).await.map_err(|e| AddPartnerError::Failed(e.into()))?;
    if added { Ok(partner) } else { Err(AddPartnerError::Taken(partner.name)) }
}

/// The partner of this name.
pub async fn find(services: &Services, name: &str) -> Result<Partner, FindPartnerError> {
    let name = name.trim();
    let found = services.store.partner_by_name(name).await.map_err(|e| FindPartnerError::Failed(e.into()))?;
    found.ok_or_else(|| FindPartnerError::Unknown(name.to_owned()))
}

/// Every partner.
pub async fn list(services: &Services) -> Result<Vec<Partner>, Failure> {
    Ok(services.store.partners().await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::fixture::Fixture;

    #[tokio::test]
    async fn partner_is_added_once_under_its_trimmed_name() {
        let fixture = Fixture::new().await;
        let services = &fixture.services;
        let added = add(services, "  Uitvaartzorg Één ").await.expect("the name is free");
        assert_eq!(added.name, "Uitvaartzorg Één");
        assert!(matches!(add(services, "Uitvaartzorg Één").await, Err(AddPartnerError::Taken(_))));
        assert_eq!(find(services, " Uitvaartzorg Één").await.expect("it was added"), added);
        assert!(list(services).await.expect("the store works").contains(&added));
    }

    #[tokio::test]
    async fn name_is_counted_in_characters() {
        let fixture = Fixture::new().await;
        let longest = "é".repeat(NAME_CHARS_MAX);
        assert!(add(&fixture.services, &longest).await.is_ok());
        assert!(matches!(add(&fixture.services, &(longest + "é")).await, Err(AddPartnerError::TooLong)));
    }

    #[tokio::test]
    async fn name_that_says_nothing_or_controls_a_terminal_is_refused() {
        let fixture = Fixture::new().await;
        assert!(matches!(add(&fixture.services, " \t ").await, Err(AddPartnerError::Blank)));
        let control = add(&fixture.services, "a\u{1b}[2Jb").await;
        assert!(matches!(control, Err(AddPartnerError::ControlCharacter)));
        assert!(matches!(find(&fixture.services, "nobody").await, Err(FindPartnerError::Unknown(_))));
    }
}
