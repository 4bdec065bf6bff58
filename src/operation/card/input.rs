//! What a caller may say about a card, as it arrived: three-state fields, unchecked texts (specification, section 2.10;
//! decisions V1, V2).

use chrono::NaiveDate;

use crate::base::{HttpUrl, Parsed, Patch};

/// The fields that can be set when a card is made and changed afterwards.
#[derive(Clone, Debug, Default)]
pub struct CardInput {
    /// A global id or a bare number.
    pub theme_id: Patch<String>,
    pub external_funeral_director_id: Patch<String>,
    pub deceased: Patch<DeceasedInput>,
    pub livestream_url: Patch<Parsed<HttpUrl>>,
    pub family_contact: Patch<FamilyContactInput>,
}

/// The fields of the person a card remembers.
#[derive(Clone, Debug, Default)]
pub struct DeceasedInput {
    pub first_name: Patch<String>,
    pub last_name: Patch<String>,
    pub date_of_birth: Patch<Parsed<NaiveDate>>,
    pub date_of_death: Patch<Parsed<NaiveDate>>,
    /// Where the portrait may be fetched.
    pub photo_url: Patch<Parsed<HttpUrl>>,
}

/// The fields of the family member who receives the order.
#[derive(Clone, Debug, Default)]
pub struct FamilyContactInput {
    pub name: Patch<String>,
    pub email: Patch<String>,
}

impl DeceasedInput {
    /// What the whole object says about its fields: an absent object keeps them all, null clears them all.
    pub(super) fn flatten(object: &Patch<Self>) -> Self {
        match object {
            Patch::Absent => Self::default(),
            Patch::Null => Self {
                first_name: Patch::Null,
                last_name: Patch::Null,
                date_of_birth: Patch::Null,
                date_of_death: Patch::Null,
                photo_url: Patch::Null,
            },
            Patch::Value(fields) => fields.clone(),
        }
    }
}

impl FamilyContactInput {
    /// What the whole object says about its fields: an absent object keeps them all, null clears them all.
    pub(super) fn flatten(object: &Patch<Self>) -> Self {
        match object {
            Patch::Absent => Self::default(),
            Patch::Null => Self { name: Patch::Null, email: Patch::Null },
            Patch::Value(fields) => fields.clone(),
        }
    }
}
