//! Whom families can call: the name, telephone number, e-mail address, privacy statement and logo of a partner, which every
//! page and mail of its families shows. Set by the operator.

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::partner::{PartnerSetting, SetPartnerError, change, checked_email, checked_name, http_url};
use super::theme::check_content;
use crate::base::limits::{LOGO_BYTES_MAX, PHONE_CHARS_MAX};
use crate::base::{ErrorChain, lower_hex};
use crate::model::Partner;
use crate::services::Services;

/// A field and its new value; `None` removes it.
#[derive(Clone, Debug)]
pub enum OrganisationField<'a> {
    ShownName(Option<&'a str>),
    Phone(Option<&'a str>),
    Email(Option<&'a str>),
    PrivacyUrl(Option<&'a str>),
    /// The name of the file, which tells its format, and its content.
    Logo(Option<(&'a str, Bytes)>),
}

/// Sets one field.
pub async fn set_organisation(
    services: &Services,
    name: &str,
    field: OrganisationField<'_>,
) -> Result<Partner, SetPartnerError> {
    change(services, name, vec![PartnerSetting::Organisation(field)]).await
}

/// Checks a field and puts it into the partner. A logo is stored.
pub(super) async fn apply(
    services: &Services,
    partner: &mut Partner,
    field: OrganisationField<'_>,
) -> Result<(), SetPartnerError> {
    match field {
        OrganisationField::ShownName(name) => {
            partner.shown_name = name.map(checked_name).transpose()?.map(str::to_owned);
        }
        OrganisationField::Phone(phone) => partner.phone = phone.map(checked_phone).transpose()?,
        OrganisationField::Email(email) => partner.email = email.map(checked_email).transpose()?,
        OrganisationField::PrivacyUrl(url) => partner.privacy_url = url.map(http_url).transpose()?,
        OrganisationField::Logo(logo) => {
            partner.logo = match logo {
                Some((file, bytes)) => Some(store_logo(services, partner, file, bytes).await?),
                None => None,
            };
        }
    }
    Ok(())
}

/// Deletes the logo that the partner had before, if it has another one or none.
pub(super) async fn delete_replaced_logo(services: &Services, before: Option<String>, partner: &Partner) {
    if let Some(key) = before.filter(|key| partner.logo.as_ref() != Some(key))
        && let Err(error) = services.media.delete(&storage_key(&key)).await
    {
        tracing::warn!(partner_id = %partner.id, error = %ErrorChain(&error), "a replaced logo could not be deleted; it stays in the object store");
    }
}

/// A telephone number as people write it, such as `+31 (0)20 123 45 67`.
fn checked_phone(phone: &str) -> Result<String, SetPartnerError> {
    let phone = phone.trim();
    let is_written = phone.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '(' | ')'));
    let digits = phone.chars().filter(char::is_ascii_digit).count();
    if is_written && digits >= 3 && phone.chars().count() <= PHONE_CHARS_MAX {
        Ok(phone.to_owned())
    } else {
        Err(SetPartnerError::Phone(phone.to_owned()))
    }
}

/// Stores a logo and returns its key below `partner/`, with a digest of the content, so that an address never shows another
/// picture.
async fn store_logo(
    services: &Services,
    partner: &Partner,
    file: &str,
    bytes: Bytes,
) -> Result<String, SetPartnerError> {
    if bytes.len() > LOGO_BYTES_MAX {
        return Err(SetPartnerError::LogoSize(bytes.len()));
    }
    let extension = file.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let extension = extension.filter(|ext| ["svg", "png", "jpg", "jpeg", "webp"].contains(&ext.as_str()));
    let Some(extension) = extension else { return Err(SetPartnerError::LogoFormat(file.to_owned())) };
    let key = format!("{}-{}.{extension}", partner.id.simple(), lower_hex(&Sha256::digest(&bytes)[..8]));
    check_content(&key, &bytes).map_err(SetPartnerError::Logo)?;
    let put = services.media.put(&storage_key(&key), bytes).await;
    put.map_err(|error| SetPartnerError::Failed(error.into()))?;
    Ok(key)
}

fn storage_key(key: &str) -> String {
    format!("partner/{key}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_is_a_number_as_people_write_it() {
        for right in ["020 123 45 67", "+31 (0)20-1234567", "112"] {
            assert_eq!(checked_phone(right).ok().as_deref(), Some(right));
        }
        let longest = "1".repeat(PHONE_CHARS_MAX);
        assert!(checked_phone(&longest).is_ok() && checked_phone(&format!("{longest}1")).is_err());
        for wrong in ["", "bel ons", "12", "020\n123", "tel:020123"] {
            assert!(checked_phone(wrong).is_err(), "{wrong:?}");
        }
    }
}
