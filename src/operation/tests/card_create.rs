//! card/create.

use super::*;
use crate::model::CardStatus;
use crate::operation::fixture::PHOTO;

#[tokio::test]
async fn create_writes_a_draft_with_its_event() {
    let fixture = Fixture::new().await;
    let theme = fixture.theme("zee").await;
    let fields = CardInput {
        theme_id: text(&theme.number.to_string()),
        external_funeral_director_id: text("Uitvaart De Linde"),
        ..deceased(DeceasedInput { first_name: text("Anna"), ..DeceasedInput::default() })
    };
    let card = fixture.card(" 2026-0142 ", fields).await;
    assert_eq!(card, fixture.stored(card.id).await);
    assert_eq!((card.status, card.test, card.slug.as_deref()), (CardStatus::Draft, false, None));
    assert_eq!((card.created_at, card.updated_at), (fixture.services.clock.now(), fixture.services.clock.now()));
    assert_eq!((card.theme_id, card.external_dossier_id.as_str()), (Some(theme.id), " 2026-0142 "));
    assert_eq!(fixture.events(card.id).await, [("CARDS_CREATE", vec![])]);
}

#[tokio::test]
async fn create_with_a_test_key_makes_a_test_card() {
    let mut fixture = Fixture::new().await;
    fixture.caller.mode = KeyMode::Test;
    assert!(fixture.card("1", CardInput::default()).await.test);
}

#[tokio::test]
async fn create_of_a_used_dossier_is_taken_within_the_account_only() {
    let mut fixture = Fixture::new().await;
    fixture.card("1", CardInput::default()).await;
    let taken = fixture.create("1", CardInput::default()).await;
    assert_eq!(refused(taken), [(UserErrorCode::Taken, vec!["input", "externalDossierId"])]);
    fixture.caller.mode = KeyMode::Test;
    let taken = fixture.create("1", CardInput::default()).await;
    assert_eq!(refused(taken), [(UserErrorCode::Taken, vec!["input", "externalDossierId"])]);
    fixture.card("1 ", CardInput::default()).await;
    fixture.caller = Fixture::partner(&fixture.services, "ander").await;
    fixture.card("1", CardInput::default()).await;
}

#[tokio::test]
async fn create_keeps_its_own_copy_of_the_photo() {
    let fixture = Fixture::new().await;
    let card = fixture.card("1", fixture.photos.input("/photo")).await;
    let key = card.deceased.photo.expect("a photo");
    let (name, format) = key.as_str().split_once('.').expect("a name and a format");
    assert_eq!((name.len(), format), (43, "gif"));
    let kept = fixture.services.media.get(&format!("photo/{}", key.as_str())).await.expect("the media works");
    assert_eq!(kept.as_deref(), Some(PHOTO));
    let address = fixture.services.photo_address(&key);
    assert_eq!(address.as_str(), format!("https://kaarten.example/media/photo/{}", key.as_str()));
}

#[tokio::test]
async fn create_with_a_photo_that_cannot_be_had_makes_no_card() {
    let fixture = Fixture::new().await;
    let field = vec!["input", "deceased", "photoUrl"];
    for (photo, code) in [
        (fixture.photos.input("/missing"), UserErrorCode::Unprocessable),
        (photo_input("http://127.0.0.1:1/photo"), UserErrorCode::Unprocessable),
        (photo_input("http://onbekend.voorbeeld.nl/photo"), UserErrorCode::Unprocessable),
        (fixture.photos.input("/text"), UserErrorCode::Invalid),
    ] {
        assert_eq!(refused(fixture.create("1", photo).await), [(code, field.clone())]);
    }
    fixture.card("1", CardInput::default()).await;
}

#[tokio::test]
async fn create_with_another_error_does_not_fetch_the_photo() {
    let fixture = Fixture::new().await;
    let fields = CardInput { theme_id: text("99"), ..fixture.photos.input("/photo") };
    let errors = refused(fixture.create(" ", fields).await);
    let expected = [
        (UserErrorCode::Blank, vec!["input", "externalDossierId"]),
        (UserErrorCode::NotFound, vec!["input", "themeId"]),
    ];
    assert_eq!(errors, expected);
    assert_eq!(fixture.photos.asked(), 0);
}

#[tokio::test]
async fn create_of_a_used_dossier_does_not_fetch_the_photo() {
    let fixture = Fixture::new().await;
    fixture.card("1", CardInput::default()).await;
    let taken = fixture.create("1", fixture.photos.input("/missing")).await;
    assert_eq!(refused(taken), [(UserErrorCode::Taken, vec!["input", "externalDossierId"])]);
    assert_eq!(fixture.photos.asked(), 0);
}

#[tokio::test]
async fn create_resent_under_its_key_gives_the_same_card_and_fetches_nothing() {
    let mut fixture = Fixture::new().await;
    fixture.under_key("sleutel", 1);
    let first = fixture.card("1", fixture.photos.input("/photo")).await;
    fixture.wait();
    match fixture.create("1", fixture.photos.input("/photo")).await.expect("the first card") {
        CreatedCard::Bound(card) => assert_eq!(card, first),
        CreatedCard::Fresh(_) => panic!("a second card was made"),
    }
    assert_eq!(fixture.photos.asked(), 1);
    assert_eq!(fixture.events(first.id).await.len(), 1);
}

#[tokio::test]
async fn create_under_a_key_of_a_different_request_is_refused() {
    let mut fixture = Fixture::new().await;
    fixture.under_key("sleutel", 1);
    fixture.card("1", CardInput::default()).await;
    fixture.under_key("sleutel", 2);
    let reused = fixture.create("2", CardInput::default()).await;
    assert!(matches!(reused, Err(OperationError::KeyReused)), "{reused:?}");
}

#[tokio::test]
async fn create_that_was_refused_leaves_its_key_free() {
    let mut fixture = Fixture::new().await;
    fixture.under_key("sleutel", 1);
    refused(fixture.create("", CardInput::default()).await);
    fixture.under_key("sleutel", 2);
    fixture.card("1", CardInput::default()).await;
}

#[tokio::test]
async fn create_under_a_key_of_a_day_ago_is_a_new_request() {
    let mut fixture = Fixture::new().await;
    fixture.under_key("sleutel", 1);
    fixture.card("1", CardInput::default()).await;
    fixture.services.clock.advance(chrono::Duration::hours(24) + chrono::Duration::milliseconds(1));
    let taken = fixture.create("1", CardInput::default()).await;
    assert_eq!(refused(taken), [(UserErrorCode::Taken, vec!["input", "externalDossierId"])]);
}
