//! Partner accounts: created and changed by the operator (decisions K2, section 9).

use super::Failure;
use super::organisation::{OrganisationField, apply, delete_replaced_logo};
use crate::base::limits::{LOGO_BYTES_MAX, NAME_CHARS_MAX, PHONE_CHARS_MAX, URL_CHARS_MAX};
use crate::base::{HttpUrl, email_address, trim_invisible};
use crate::model::{Partner, Price, WebhookSecret};
use crate::services::Services;
use crate::store::Queue;

/// Why a partner cannot have a name.
#[derive(Debug, thiserror::Error)]
pub enum NameError {
    #[error("The name of a partner cannot be empty.")]
    Blank,
    #[error("The name of a partner has at most {NAME_CHARS_MAX} characters.")]
    TooLong,
    #[error("The name of a partner cannot hold control characters.")]
    ControlCharacter,
    #[error("There is a partner \"{0}\" already.")]
    Taken(String),
}

/// Why no partner was added.
#[derive(Debug, thiserror::Error)]
pub enum AddPartnerError {
    #[error(transparent)]
    Name(#[from] NameError),
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

/// Returns the name without white space around it, if a partner can have it.
pub(super) fn checked_name(name: &str) -> Result<&str, NameError> {
    let name = trim_invisible(name);
    match name.chars().count() {
        0 => Err(NameError::Blank),
        1..=NAME_CHARS_MAX if name.chars().any(char::is_control) => Err(NameError::ControlCharacter),
        1..=NAME_CHARS_MAX => Ok(name),
        _ => Err(NameError::TooLong),
    }
}

/// Adds a partner with its first signing secret. Its name is trimmed and must be unique.
pub async fn add(services: &Services, name: &str) -> Result<(Partner, WebhookSecret), AddPartnerError> {
    let (name, now) = (checked_name(name)?, services.clock.now());
    let partner = Partner::new(services.entropy.uuid(now), name, now);
    let secret = WebhookSecret::generate(partner.id, &services.entropy, now);
    let added = services.store.add_partner(partner.clone(), secret.clone()).await;
    let added = added.map_err(|e| AddPartnerError::Failed(e.into()))?;
    if added { Ok((partner, secret)) } else { Err(NameError::Taken(partner.name).into()) }
}

/// The partner with this name.
pub async fn find(services: &Services, name: &str) -> Result<Partner, FindPartnerError> {
    let name = name.trim();
    let found = services.store.partner_by_name(name).await.map_err(|e| FindPartnerError::Failed(e.into()))?;
    found.ok_or_else(|| FindPartnerError::Unknown(name.to_owned()))
}

/// Every partner.
pub async fn list(services: &Services) -> Result<Vec<Partner>, Failure> {
    Ok(services.store.partners().await?)
}

/// Why a partner was not changed.
#[derive(Debug, thiserror::Error)]
pub enum SetPartnerError {
    #[error(transparent)]
    Find(#[from] FindPartnerError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(
        "\"{0}\" is not an e-mail address: it has letters and digits without accents before the @, no quotes, and a domain \
         such as voorbeeld.nl behind it."
    )]
    Email(String),
    #[error("\"{0}\" is not an http or https address of at most {URL_CHARS_MAX} characters.")]
    Url(String),
    #[error(
        "\"{0}\" is not a telephone number of digits, spaces, +, - and brackets, of at most {PHONE_CHARS_MAX} characters."
    )]
    Phone(String),
    #[error("The logo has {0} bytes; the most is {LOGO_BYTES_MAX}.")]
    LogoSize(usize),
    #[error("\"{0}\" does not end in .svg, .png, .jpg, .jpeg or .webp.")]
    LogoFormat(String),
    #[error("The logo is refused: {0}")]
    Logo(String),
    #[error("\"{0}\" is not a price in euros, such as 49,50, of at most {max}.", max = Price::MAX)]
    Price(String),
    #[error("The partner could not be changed.")]
    Failed(#[source] Failure),
}

/// A setting of a partner with its new value; `None` removes it.
#[derive(Clone, Debug)]
pub enum PartnerSetting<'a> {
    /// The name under which the operator's commands find it from then on. Its API is unchanged.
    Name(&'a str),
    /// The recipient of all mail of its test cards (specification, section 5).
    TestAddress(Option<&'a str>),
    /// The page where a family asks for a new session link.
    RefreshAddress(Option<&'a str>),
    /// The price of a card for the family in euros, including VAT.
    Price(&'a str),
    Organisation(OrganisationField<'a>),
}

/// Changes settings of a partner: all of them, or none if one is refused.
pub async fn change(
    services: &Services,
    name: &str,
    settings: Vec<PartnerSetting<'_>>,
) -> Result<Partner, SetPartnerError> {
    let mut partner = find(services, name).await?;
    let (logo, mut new_name) = (partner.logo.clone(), None);
    for setting in settings {
        match setting {
            PartnerSetting::Name(name) => new_name = Some(checked_name(name)?.to_owned()),
            PartnerSetting::TestAddress(email) => partner.test_address = email.map(checked_email).transpose()?,
            PartnerSetting::RefreshAddress(url) => partner.refresh_address = url.map(http_url).transpose()?,
            PartnerSetting::Price(euros) => {
                partner.price = Price::parse(euros).ok_or_else(|| SetPartnerError::Price(euros.to_owned()))?;
            }
            PartnerSetting::Organisation(field) => apply(services, &mut partner, field).await?,
        }
    }
    if let Some(name) = new_name {
        let renamed = services.store.rename_partner(partner.id, name.clone()).await;
        if !renamed.map_err(|error| SetPartnerError::Failed(error.into()))? {
            return Err(NameError::Taken(name).into());
        }
        partner.name = name;
    }
    let changed = services.store.change_partner(partner.clone()).await;
    changed.map_err(|error| SetPartnerError::Failed(error.into()))?;
    delete_replaced_logo(services, logo, &partner).await;
    Ok(partner)
}

/// Blocks or unblocks a partner. While it is blocked, its requests are refused and its notifications wait.
pub async fn set_blocked(services: &Services, name: &str, blocked: bool) -> Result<Partner, SetPartnerError> {
    let mut partner = find(services, name).await?;
    partner.blocked = blocked;
    let changed = services.store.set_partner_blocked(partner.id, blocked).await;
    changed.map_err(|error| SetPartnerError::Failed(error.into()))?;
    services.store.notify(Queue::Deliveries);
    Ok(partner)
}

/// Parses an address of a partner.
pub(super) fn http_url(url: &str) -> Result<HttpUrl, SetPartnerError> {
    let fits = |address: &HttpUrl| address.as_str().chars().count() <= URL_CHARS_MAX;
    HttpUrl::parse(url).filter(fits).ok_or_else(|| SetPartnerError::Url(url.to_owned()))
}

/// Returns the e-mail address, if it is one.
pub(super) fn checked_email(email: &str) -> Result<String, SetPartnerError> {
    email_address::parse(email).map(str::to_owned).ok_or_else(|| SetPartnerError::Email(email.to_owned()))
}
