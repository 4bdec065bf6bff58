//! card/order and card/activate.

use super::card::{CardStateError, Lacking, OrderError};
use super::*;
use crate::base::{GlobalId, Kind};
use crate::model::{Actor, CardStatus, TransitionError};

#[tokio::test]
async fn card_is_ordered_then_activated_each_with_its_event() {
    let fixture = Fixture::new().await;
    let draft = fixture.complete_card("1").await;
    fixture.wait();
    let ordered = card::order(&fixture.services, draft.id, Actor::Operator).await.expect("a draft");
    assert_eq!((ordered.status, ordered.slug.as_deref()), (CardStatus::Ordered, None));
    assert!(ordered.updated_at > draft.updated_at);
    let active = card::activate(&fixture.services, draft.id, Actor::Service).await.expect("an ordered card");
    let slug = active.slug.clone().expect("an address");
    assert_eq!((active.status, slug.len()), (CardStatus::Active, 43));
    assert_eq!(fixture.stored(draft.id).await, active);
    let fields = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let expected = [
        ("CARDS_CREATE", vec![]),
        ("CARDS_ORDERED", fields(&["status"])),
        ("CARDS_ACTIVATED", fields(&["status", "cardUrl"])),
    ];
    assert_eq!(fixture.events(draft.id).await, expected);
}

#[tokio::test]
async fn card_moves_only_along_the_table() {
    use CardStatus::{Active, Draft};
    let fixture = Fixture::new().await;
    let id = fixture.complete_card("1").await.id;
    let ordered_before = |result| matches!(result, Err(OrderError::Ordered));
    let refused = |result| match result {
        Err(CardStateError::Transition(TransitionError { from, to })) => (from, to),
        other => panic!("the table does not hold this: {other:?}"),
    };
    assert_eq!(refused(card::activate(&fixture.services, id, Actor::Operator).await), (Draft, Active));
    card::order(&fixture.services, id, Actor::Operator).await.expect("a draft");
    assert!(ordered_before(card::order(&fixture.services, id, Actor::Operator).await));
    card::activate(&fixture.services, id, Actor::Operator).await.expect("an ordered card");
    assert_eq!(refused(card::activate(&fixture.services, id, Actor::Operator).await), (Active, Active));
    assert!(ordered_before(card::order(&fixture.services, id, Actor::Operator).await));
    assert_eq!(fixture.events(id).await.len(), 3);
    let unknown = card::order(&fixture.services, Uuid::from_u128(1), Actor::Operator).await;
    assert!(matches!(unknown, Err(OrderError::NotFound)), "{unknown:?}");
}

#[tokio::test]
async fn card_by_the_operators_hand_needs_what_the_familys_order_needs() {
    let fixture = Fixture::new().await;
    let bare = fixture.card("1", CardInput::default()).await;
    let all = [Lacking::Theme, Lacking::Name, Lacking::Email];
    match card::order(&fixture.services, bare.id, Actor::Operator).await {
        Err(error @ OrderError::Lacking(_)) => {
            assert!(
                error.to_string().ends_with("a theme, a first or last name, the e-mail address of the family contact")
            );
            assert!(matches!(error, OrderError::Lacking(lacking) if lacking == all));
        }
        other => panic!("nothing is filled in: {other:?}"),
    }
    assert_eq!(fixture.stored(bare.id).await, bare);
}

#[tokio::test]
async fn ordered_card_keeps_its_theme_and_takes_every_other_change() {
    let fixture = Fixture::new().await;
    let (theme, other) = (fixture.theme("zee").await, fixture.theme("bos").await);
    let gid = |theme: &Theme| text(&GlobalId::new(Kind::Theme, theme.id).to_string());
    let with = |theme_id| CardInput { theme_id, ..CardInput::default() };
    let card = fixture.complete_card("1").await;
    let id = GlobalId::new(Kind::Card, card.id).to_string();
    let update = |input| card::update(&fixture.services, &fixture.caller, &id, input);
    update(with(gid(&theme))).await.expect("a draft");
    card::order(&fixture.services, card.id, Actor::Family).await.expect("a draft");
    for theme_id in [gid(&other), Patch::Null] {
        let errors = refused(update(with(theme_id)).await);
        assert_eq!(errors, [(UserErrorCode::Immutable, vec!["input", "themeId"])]);
    }
    let live = Patch::Value(Parsed::Value(HttpUrl::trusted("https://live.voorbeeld.nl/2")));
    let input = CardInput { livestream_url: live, ..with(gid(&theme)) };
    assert_eq!(update(input).await.expect("the same theme").theme_id, Some(theme.id));
    assert_eq!(fixture.events(card.id).await[3], ("CARDS_UPDATE", vec!["livestreamUrl".to_owned()]));
}
