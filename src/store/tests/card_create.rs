//! Creation of cards, also concurrent.

use std::collections::HashSet;

use chrono::NaiveDate;
use futures_util::future::join_all;
use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::base::HttpUrl;
use crate::model::{Actor, Card, Deceased, Event, FamilyContact, KeyMode, Scope, Topic};
use crate::store::{CreateCardError, CreatedCard, IdempotencyClaim, IdempotencyKey};

on_both_engines! {
    card_with_every_field_reads_back_as_it_was,
    dossier_created_concurrently_creates_one_card,
    key_sent_20_times_concurrently_creates_one_card,
    key_of_another_request_is_refused,
    key_of_a_request_that_failed_in_part_takes_the_corrected_request,
    key_of_the_other_mode_is_another_key,
    key_binds_each_card_of_its_request,
    taken_dossier_leaves_no_claim,
    bound_card_and_taken_dossier_are_found_before_the_create,
    expired_claim_is_replaced_by_one_of_20,
    text_with_nul_is_a_failure_or_stored,
}

fn key(partner_id: Uuid, text: &str) -> IdempotencyKey {
    IdempotencyKey { partner_id, mode: KeyMode::Live, text: text.to_owned() }
}

fn claim(partner_id: Uuid, text: &str, fingerprint: u8) -> IdempotencyClaim {
    IdempotencyClaim {
        key: key(partner_id, text),
        ordinal: 0,
        fingerprint: [fingerprint; 32],
        input: [7; 32],
        not_before: later(-86_400),
    }
}

async fn card_with_every_field_reads_back_as_it_was(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let theme = db.store.put_theme(db.theme("roos", 1)).await.unwrap();
    let mut new = db.new_card(partner_id, "dossier 🌹 é", None);
    new.card.external_funeral_director_id = Some("x".repeat(200));
    new.card.theme_id = Some(theme.id);
    new.card.deceased = Deceased {
        first_name: Some("Zoë".to_owned()),
        last_name: Some("\u{1F339}".repeat(255)),
        date_of_birth: NaiveDate::from_ymd_opt(1, 1, 1),
        date_of_death: NaiveDate::from_ymd_opt(9999, 12, 31),
        photo: None,
    };
    new.card.livestream_url = HttpUrl::parse("https://example.org/live?a=b");
    new.card.family_contact = FamilyContact { name: Some("A".to_owned()), email: Some("a@example.org".to_owned()) };
    new.card.test = true;
    let expected = Card { event_count: 1, ..new.card.clone() };
    let event = new.event.id;

    assert_eq!(db.store.create_card(new).await.unwrap(), CreatedCard::Fresh(expected.clone()));
    assert_eq!(db.store.card(Scope::account(partner_id), expected.id).await.unwrap(), Some(expected.clone()));
    assert_eq!(db.store.any_card(expected.id).await.unwrap(), Some(expected.clone()));
    let stored = Event {
        id: event,
        partner_id,
        card_id: expected.id,
        topic: Topic::CardsCreate,
        sequence: 1,
        actor: Actor::Partner,
        changed_fields: vec![],
        test: true,
        occurred_at: now(),
    };
    assert_eq!(db.store.events_of(expected.id).await.unwrap(), [stored]);
}

async fn dossier_created_concurrently_creates_one_card(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let creates = (0..12).map(|_| db.store.create_card(db.new_card(partner_id, "2026-0142", None)));
    let outcomes = join_all(creates).await;
    let fresh = outcomes.iter().filter(|o| matches!(o, Ok(CreatedCard::Fresh(_)))).count();
    let taken = outcomes.iter().filter(|o| matches!(o, Err(CreateCardError::Taken { by_test_card: false }))).count();
    assert_eq!((fresh, taken), (1, 11), "{outcomes:?}");
    assert_eq!((db.count("cards").await, db.count("events").await), (1, 1));
}

async fn key_sent_20_times_concurrently_creates_one_card(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let creates =
        (0..20).map(|_| db.store.create_card(db.new_card(partner_id, "2026-0142", Some(claim(partner_id, "k", 1)))));
    one_fresh_and_the_rest_bound(join_all(creates).await, 20);
    assert_eq!((db.count("cards").await, db.count("events").await), (1, 1));

    // Another partner's key of the same name is another key.
    let other = db.partner().await;
    let foreign = db.store.create_card(db.new_card(other, "2026-0142", Some(claim(other, "k", 2)))).await.unwrap();
    assert!(matches!(foreign, CreatedCard::Fresh(_)));
}

fn one_fresh_and_the_rest_bound(outcomes: Vec<Result<CreatedCard, CreateCardError>>, count: usize) {
    let mut ids: HashSet<Uuid> = HashSet::new();
    let mut fresh = 0;
    for outcome in outcomes {
        match outcome.expect("a retry of the same request is never refused") {
            CreatedCard::Fresh(card) => {
                fresh += 1;
                ids.insert(card.id);
            }
            CreatedCard::Bound(card) => {
                ids.insert(card.id);
            }
        }
    }
    assert_eq!((fresh, ids.len()), (1, 1), "of {count} requests");
}

async fn key_of_another_request_is_refused(db: &TestDatabase) {
    let partner_id = db.partner().await;
    db.store.create_card(db.new_card(partner_id, "a", Some(claim(partner_id, "k", 1)))).await.unwrap();
    db.store.bind_request(key(partner_id, "k"), [1; 32], None).await.unwrap();
    let reused = db.store.create_card(db.new_card(partner_id, "b", Some(claim(partner_id, "k", 2)))).await;
    assert!(matches!(reused, Err(CreateCardError::KeyReused)), "{reused:?}");
    // Also if the first request did not create its first card.
    let ordinal = IdempotencyClaim { ordinal: 1, ..claim(partner_id, "k", 2) };
    let reused = db.store.create_card(db.new_card(partner_id, "b", Some(ordinal))).await;
    assert!(matches!(reused, Err(CreateCardError::KeyReused)), "{reused:?}");
    assert_eq!(db.count("cards").await, 1);
}

async fn key_binds_each_card_of_its_request(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let mut ids = vec![];
    for (ordinal, dossier) in [(0, "a"), (1, "b"), (0, "a"), (1, "b")] {
        let claim = IdempotencyClaim { ordinal, ..claim(partner_id, "k", 1) };
        ids.push(match db.store.create_card(db.new_card(partner_id, dossier, Some(claim))).await.unwrap() {
            CreatedCard::Fresh(card) if ids.len() < 2 => card.id,
            CreatedCard::Bound(card) if ids.len() >= 2 => card.id,
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(ids[..2], ids[2..]);
}

async fn taken_dossier_leaves_no_claim(db: &TestDatabase) {
    let partner_id = db.partner().await;
    db.created(partner_id, "a").await;
    let taken = db.store.create_card(db.new_card(partner_id, "a", Some(claim(partner_id, "k", 1)))).await;
    assert!(matches!(taken, Err(CreateCardError::Taken { by_test_card: false })), "{taken:?}");
    assert_eq!(db.store.idempotency_record(&key(partner_id, "k"), later(-1)).await.unwrap(), None);
    assert_eq!(db.count("idempotency_keys").await, 0);
    // The request can be corrected and sent with the same key.
    let corrected = db.store.create_card(db.new_card(partner_id, "b", Some(claim(partner_id, "k", 2)))).await.unwrap();
    assert!(matches!(corrected, CreatedCard::Fresh(_)));
}

async fn bound_card_and_taken_dossier_are_found_before_the_create(db: &TestDatabase) {
    let (partner_id, other) = (db.partner().await, db.partner().await);
    assert_eq!(db.store.card_by_dossier(Scope::account(partner_id), "a").await.unwrap(), None);
    assert_eq!(db.store.bound_card(&claim(partner_id, "k", 1)).await.unwrap(), None);
    let created = db.store.create_card(db.new_card(partner_id, "a", Some(claim(partner_id, "k", 1)))).await.unwrap();
    let CreatedCard::Fresh(card) = created else { panic!("{created:?}") };

    assert_eq!(
        db.store.card_by_dossier(Scope::account(partner_id), "a").await.unwrap().unwrap().external_dossier_id,
        "a"
    );
    assert_eq!(db.store.card_by_dossier(Scope::account(other), "a").await.unwrap(), None);
    assert_eq!(db.store.dossier_holder_is_test(partner_id, "a").await.unwrap(), Some(false));
    assert_eq!(db.store.dossier_holder_is_test(other, "a").await.unwrap(), None);
    let bound = async |claim: IdempotencyClaim| db.store.bound_card(&claim).await;
    assert_eq!(bound(claim(partner_id, "k", 1)).await.unwrap(), Some(card.clone()));
    let not_bound = [
        claim(partner_id, "l", 1),
        claim(other, "k", 1),
        IdempotencyClaim { ordinal: 1, ..claim(partner_id, "k", 1) },
        IdempotencyClaim { not_before: later(1), ..claim(partner_id, "k", 1) },
    ];
    for claim in not_bound {
        assert_eq!(bound(claim.clone()).await.unwrap(), None, "{claim:?}");
    }
    let other_input = IdempotencyClaim { input: [8; 32], ..claim(partner_id, "k", 1) };
    assert!(matches!(bound(other_input).await, Err(CreateCardError::KeyReused)));
    // Another request finds the card too, until the key is bound to a request.
    assert_eq!(bound(claim(partner_id, "k", 2)).await.unwrap(), Some(card));
    db.store.bind_request(key(partner_id, "k"), [1; 32], None).await.unwrap();
    assert!(matches!(bound(claim(partner_id, "k", 2)).await, Err(CreateCardError::KeyReused)));
}

async fn key_of_a_request_that_failed_in_part_takes_the_corrected_request(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let create = async |dossier: &str, claim| db.store.create_card(db.new_card(partner_id, dossier, Some(claim))).await;
    let CreatedCard::Fresh(first) = create("a", claim(partner_id, "k", 1)).await.unwrap() else { panic!("it is new") };
    // The corrected request has another fingerprint. Its first field is unchanged, its second one failed before.
    let again = create("a", claim(partner_id, "k", 2)).await.unwrap();
    assert_eq!(again, CreatedCard::Bound(first));
    let changed = IdempotencyClaim { input: [8; 32], ..claim(partner_id, "k", 2) };
    let reused = create("c", changed).await;
    assert!(matches!(reused, Err(CreateCardError::KeyReused)), "{reused:?}");
    let second = IdempotencyClaim { ordinal: 1, input: [9; 32], ..claim(partner_id, "k", 2) };
    assert!(matches!(create("b", second).await.unwrap(), CreatedCard::Fresh(_)));
    db.store.bind_request(key(partner_id, "k"), [2; 32], None).await.unwrap();
    let reused = create("a", claim(partner_id, "k", 1)).await;
    assert!(matches!(reused, Err(CreateCardError::KeyReused)), "{reused:?}");
    assert_eq!((db.count("cards").await, db.count("events").await), (2, 2));
}

async fn key_of_the_other_mode_is_another_key(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let mut ids = HashSet::new();
    for (mode, dossier) in [(KeyMode::Test, "a"), (KeyMode::Live, "b")] {
        let mut claim = claim(partner_id, "k", 1);
        claim.key.mode = mode;
        let created = db.store.create_card(db.new_card(partner_id, dossier, Some(claim.clone()))).await.unwrap();
        let CreatedCard::Fresh(card) = created else { panic!("{created:?}") };
        db.store.bind_request(claim.key.clone(), [1; 32], Some(dossier.to_owned())).await.unwrap();
        let record = db.store.idempotency_record(&claim.key, later(-1)).await.unwrap().unwrap();
        assert_eq!(record.response.as_deref(), Some(dossier));
        ids.insert(db.store.bound_card(&claim).await.unwrap().unwrap().id);
        assert!(ids.contains(&card.id));
    }
    assert_eq!((ids.len(), db.count("idempotency_keys").await), (2, 2));
}

async fn expired_claim_is_replaced_by_one_of_20(db: &TestDatabase) {
    let partner_id = db.partner().await;
    db.store.create_card(db.new_card(partner_id, "old", Some(claim(partner_id, "k", 1)))).await.unwrap();
    db.store.bind_request(key(partner_id, "k"), [1; 32], Some("old".to_owned())).await.unwrap();
    let day_later = |n: usize| {
        let mut new = db.new_card(
            partner_id,
            "new",
            Some(IdempotencyClaim { not_before: later(1), ..claim(partner_id, "k", 2) }),
        );
        new.card.created_at = later(86_400 + n as i64);
        new.card.updated_at = new.card.created_at;
        new
    };
    let outcomes = join_all((0..20).map(|n| db.store.create_card(day_later(n)))).await;
    one_fresh_and_the_rest_bound(outcomes, 20);
    let record = db.store.idempotency_record(&key(partner_id, "k"), later(1)).await.unwrap().unwrap();
    assert_eq!((record.fingerprint, record.bound, record.response), ([2; 32], false, None));
    assert_eq!(db.count("idempotency_cards").await, 1);
}

async fn text_with_nul_is_a_failure_or_stored(db: &TestDatabase) {
    // PostgreSQL cannot store U+0000, SQLite can. The operations refuse it; here it must not break anything else.
    let partner_id = db.partner().await;
    match db.store.create_card(db.new_card(partner_id, "a\0b", None)).await {
        Ok(CreatedCard::Fresh(card)) => {
            assert_eq!(db.store.card(Scope::account(partner_id), card.id).await.unwrap(), Some(card));
        }
        Err(CreateCardError::Store(crate::store::StoreError::Failed(cause))) => {
            assert!(cause.to_string().contains("0x00"), "{cause}");
        }
        other => panic!("{other:?}"),
    }
    db.created(partner_id, "ab").await;
}
