//! card/update.

use super::card::FamilyContactInput;
use super::*;
use crate::base::{GlobalId, Kind};
use crate::model::Actor;

impl Fixture {
    async fn update(&self, id: Uuid, input: CardInput) -> Result<Card, OperationError> {
        let id = GlobalId::new(Kind::Card, id).to_string();
        card::update(&self.services, &self.caller, &id, input).await
    }
}

fn day(text: &str) -> Patch<Parsed<chrono::NaiveDate>> {
    Patch::Value(Parsed::Value(text.parse().expect("a day")))
}

fn full() -> CardInput {
    CardInput {
        external_funeral_director_id: text("De Linde"),
        deceased: Patch::Value(DeceasedInput {
            first_name: text("Anna"),
            last_name: text("de Vries"),
            date_of_birth: day("1940-05-01"),
            date_of_death: day("2026-10-01"),
            photo_url: Patch::Absent,
        }),
        livestream_url: Patch::Value(Parsed::Value(HttpUrl::trusted("https://live.voorbeeld.nl/1"))),
        family_contact: Patch::Value(FamilyContactInput { name: text("Bram"), email: text("bram@voorbeeld.nl") }),
        ..CardInput::default()
    }
}

#[tokio::test]
async fn update_changes_the_fields_that_are_sent_with_one_event() {
    let fixture = Fixture::new().await;
    let before = fixture.card("1", full()).await;
    fixture.wait();
    let input = CardInput {
        external_funeral_director_id: Patch::Null,
        ..deceased(DeceasedInput { first_name: text("Annie"), date_of_death: Patch::Null, ..DeceasedInput::default() })
    };
    let after = fixture.update(before.id, input).await.expect("the input is right");
    let mut expected = before.clone();
    expected.external_funeral_director_id = None;
    expected.deceased.first_name = Some("Annie".to_owned());
    expected.deceased.date_of_death = None;
    expected.updated_at = fixture.services.clock.now();
    expected.event_count = 2;
    assert_eq!(after, expected);
    assert_eq!(fixture.stored(before.id).await, expected);
    let changed = ["externalFuneralDirectorId", "deceased.firstName", "deceased.dateOfDeath"].map(String::from);
    assert_eq!(fixture.events(before.id).await[1], ("CARDS_UPDATE", changed.to_vec()));
    let events = fixture.services.store.events_of(before.id).await.expect("the store works");
    assert!(events.iter().all(|event| event.actor == Actor::Partner));
}

#[tokio::test]
async fn update_with_null_clears_whole_objects() {
    let fixture = Fixture::new().await;
    let before = fixture.card("1", full()).await;
    let input = CardInput { deceased: Patch::Null, family_contact: Patch::Null, ..CardInput::default() };
    let after = fixture.update(before.id, input).await.expect("the input is right");
    assert_eq!((after.deceased, after.family_contact), Default::default());
    assert_eq!(after.livestream_url, before.livestream_url);
}

#[tokio::test]
async fn update_that_changes_nothing_writes_nothing() {
    let fixture = Fixture::new().await;
    let before = fixture.card("1", full()).await;
    fixture.wait();
    for input in [CardInput::default(), full(), deceased(DeceasedInput::default())] {
        assert_eq!(fixture.update(before.id, input).await.expect("the input is right"), before);
    }
    assert_eq!(fixture.stored(before.id).await, before);
    assert_eq!(fixture.events(before.id).await.len(), 1);
}

#[tokio::test]
async fn update_of_an_unknown_foreign_or_malformed_card_says_so_and_nothing_else() {
    let mut fixture = Fixture::new().await;
    let card = fixture.card("1", CardInput::default()).await;
    fixture.caller = Fixture::partner(&fixture.services, "ander").await;
    let wrong = || CardInput { external_funeral_director_id: text(&"a".repeat(201)), ..fixture.photos.input("/photo") };
    let expected = [(UserErrorCode::NotFound, vec!["id"])];
    assert_eq!(refused(fixture.update(card.id, wrong()).await), expected);
    assert_eq!(refused(fixture.update(Uuid::from_u128(1), wrong()).await), expected);
    for id in ["", "1", "gid://service/Theme/00000000-0000-0000-0000-000000000001", "gid://service/Card/x\0"] {
        let result = card::update(&fixture.services, &fixture.caller, id, wrong()).await;
        assert_eq!(refused(result), expected, "{id:?}");
    }
    assert_eq!(fixture.photos.asked(), 0);
}

#[tokio::test]
async fn update_with_the_address_that_was_read_keeps_the_photo() {
    let fixture = Fixture::new().await;
    let before = fixture.card("1", fixture.photos.input("/photo")).await;
    let own = fixture.services.photo_address(before.deceased.photo.as_ref().expect("a photo"));
    let after = fixture.update(before.id, photo_input(own.as_str())).await.expect("the input is right");
    assert_eq!((after, fixture.photos.asked()), (before, 1));
}

#[tokio::test]
async fn update_with_another_address_fetches_a_new_copy_and_null_clears_it() {
    let fixture = Fixture::new().await;
    let before = fixture.card("1", fixture.photos.input("/photo")).await;
    let after = fixture.update(before.id, fixture.photos.input("/photo")).await.expect("the input is right");
    assert!(after.deceased.photo.is_some() && after.deceased.photo != before.deceased.photo);
    let cleared = deceased(DeceasedInput { photo_url: Patch::Null, ..DeceasedInput::default() });
    let cleared = fixture.update(before.id, cleared).await.expect("the input is right");
    assert_eq!(cleared.deceased.photo, None);
    let changed = vec!["deceased.photoUrl".to_owned()];
    let events = fixture.events(before.id).await;
    assert_eq!(events[1..], [("CARDS_UPDATE", changed.clone()), ("CARDS_UPDATE", changed)]);
}

#[tokio::test]
async fn update_with_a_photo_that_cannot_be_had_changes_nothing() {
    let fixture = Fixture::new().await;
    let before = fixture.card("1", CardInput::default()).await;
    let input = CardInput { external_funeral_director_id: text("ander"), ..fixture.photos.input("/missing") };
    match fixture.update(before.id, input).await {
        Err(OperationError::Refused(errors)) => {
            let message = "De foto kon niet worden opgehaald (status 404). De kaart is niet gewijzigd.";
            assert_eq!(errors[0].message, message);
        }
        other => panic!("the photo is not there: {other:?}"),
    }
    assert_eq!(fixture.stored(before.id).await, before);
}

#[tokio::test]
async fn update_compares_a_date_with_the_stored_one() {
    let fixture = Fixture::new().await;
    let card = fixture.card("1", full()).await;
    let born = |date| deceased(DeceasedInput { date_of_birth: day(date), ..DeceasedInput::default() });
    let errors = refused(fixture.update(card.id, born("2026-10-02")).await);
    assert_eq!(errors, [(UserErrorCode::Invalid, vec!["input", "deceased", "dateOfBirth"])]);
    fixture.update(card.id, born("2026-10-01")).await.expect("the same day is right");
}
