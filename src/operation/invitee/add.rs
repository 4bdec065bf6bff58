//! The family adds people to the invitee list (decisions S6).

use uuid::Uuid;

use crate::base::limits;
use crate::model::Invitee;
use crate::operation::{Failure, Services};
use crate::store::InviteeAddition;

/// A person with a checked name and address (see [`super::read_lines`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInvitee {
    pub name: String,
    pub email: Option<String>,
}

/// The results, in the order of the people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    pub name: String,
    pub outcome: InviteeAddition,
}

/// Adds the people who are not on the list yet, up to the maximum.
pub async fn add(services: &Services, card_id: Uuid, people: Vec<NewInvitee>) -> Result<Vec<Added>, Failure> {
    let now = services.clock.now();
    let names: Vec<_> = people.iter().map(|person| person.name.clone()).collect();
    let invitees = people
        .into_iter()
        .map(|person| Invitee {
            id: services.entropy.uuid(now),
            card_id,
            name: person.name,
            email: person.email,
            token: services.entropy.unguessable(),
            created_at: now,
            mail_count: 0,
            last_mail_at: None,
            seen_at: None,
        })
        .collect();
    let outcomes = services.store.add_invitees(card_id, invitees, limits::INVITEES_MAX).await?;
    Ok(names.into_iter().zip(outcomes).map(|(name, outcome)| Added { name, outcome }).collect())
}
