//! session/create.

use sha2::{Digest as _, Sha256};

use super::*;
use crate::base::{GlobalId, Kind};
use crate::model::SessionTarget;
use crate::operation::session;

#[tokio::test]
async fn session_link_lasts_ten_minutes_and_is_stored_as_a_digest() {
    let fixture = Fixture::new().await;
    let card = fixture.card("1", CardInput::default()).await;
    let id = GlobalId::new(Kind::Card, card.id).to_string();
    let created = session::create(&fixture.services, &fixture.caller, &id, SessionTarget::InviteeList).await;
    let created = created.expect("the card is there");
    let token = created.url.as_str().strip_prefix("https://kaarten.example/s/").expect("a link");
    assert_eq!(token.len(), 43);
    let digest = Sha256::digest(token.as_bytes()).into();
    let stored = fixture.services.store.session_by_digest(&digest).await.expect("the store works");
    let stored = stored.expect("the session is stored");
    assert_eq!((stored.card_id, stored.target, stored.used_at), (card.id, SessionTarget::InviteeList, None));
    assert_eq!(stored.expires_at, created.expires_at);
    assert_eq!(created.expires_at.millis() - fixture.services.clock.now().millis(), 600_000);
}

#[tokio::test]
async fn session_of_an_unknown_foreign_or_malformed_card_is_not_found() {
    let mut fixture = Fixture::new().await;
    let card = fixture.card("1", CardInput::default()).await;
    fixture.caller = Fixture::partner(&fixture.services, "ander").await;
    let foreign = GlobalId::new(Kind::Card, card.id).to_string();
    let unknown = GlobalId::new(Kind::Card, Uuid::from_u128(1)).to_string();
    for id in [foreign.as_str(), &unknown, "", "gid://service/Card/", "gid://service/Theme/1"] {
        let result = session::create(&fixture.services, &fixture.caller, id, SessionTarget::Customizer).await;
        assert_eq!(refused(result), [(UserErrorCode::NotFound, vec!["cardId"])], "{id:?}");
    }
}
