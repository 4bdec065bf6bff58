//! Changes of cards: the rows that are written, and the errors.

use chrono::{NaiveDate, NaiveTime};

use super::database::{TestDatabase, later, now};
use crate::base::HttpUrl;
use crate::model::{
    Card, CardStatus, Deceased, FamilyContact, Farewell, FocalPoint, Layout, LeadIn, PhotoKey, Scope, Topic, Visibility,
};
use crate::store::{CardScope, ChangeCardError, CreateCardError, NewCard, StoreError};

on_both_engines! {
    every_field_of_a_new_card_is_read_back,
    panicking_change_writes_nothing,
    change_writes_the_mutable_columns_only,
    events_of_one_change_are_numbered_in_order,
    taken_slug_is_a_failure,
    text_with_nul_is_an_error_or_stored,
}

/// Names every field, so that the compiler asks for a new one.
async fn every_field_of_a_new_card_is_read_back(db: &TestDatabase) {
    let (partner_id, photo) = (db.partner().await, PhotoKey::trusted("a.jpeg"));
    let theme_id = db.store.put_theme(db.theme("rozen", 1)).await.unwrap().id;
    db.store.put_photo(photo.clone(), 1, now(), now()).await.unwrap();
    let text = |text: &str| Some(text.to_owned());
    let (day, time) = (NaiveDate::from_ymd_opt(2026, 11, 3), NaiveTime::from_hms_opt(14, 30, 0));
    let card = Card {
        id: db.uuid(),
        partner_id,
        external_dossier_id: "2026-1".to_owned(),
        external_funeral_director_id: text("director"),
        theme_id: Some(theme_id),
        deceased: Deceased {
            first_name: text("Anna"),
            last_name: text("de Vries"),
            date_of_birth: day,
            date_of_death: day,
            photo: Some(photo),
            focal_point: FocalPoint::parse("5,3"),
        },
        livestream_url: Some(HttpUrl::trusted("https://live.example/")),
        family_contact: FamilyContact { name: text("Bep"), email: text("bep@voorbeeld.nl") },
        layout: Layout::SideBySide,
        visibility: Visibility::Invitation,
        lead_in: LeadIn::WithLove,
        text: text("Lieve mama"),
        farewell: Farewell {
            date: day,
            time,
            until: time,
            place: text("De Kerk"),
            address: text("Dorpsstraat 1"),
            note: text("Geen bloemen"),
        },
        status: CardStatus::Active,
        slug: text("anna-de-vries"),
        test: true,
        created_at: now(),
        updated_at: later(1),
        ordered_at: Some(later(2)),
        activated_at: Some(later(3)),
        offline_since: Some(later(4)),
        event_count: 1,
    };
    assert!(card.deceased.focal_point.is_some());
    let new = NewCard { card: card.clone(), event: db.event(Topic::CardsCreate), claim: None };
    assert_eq!(*db.store.create_card(new).await.unwrap(), card);
    assert_eq!(db.store.any_card(card.id).await.unwrap().as_deref(), Some(&card));
}

async fn panicking_change_writes_nothing(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let card = db.created(partner_id, "d").await;
    let (store, id) = (db.store.clone(), card.id);
    let panicking = tokio::spawn(async move {
        store.change_card::<(), _>(CardScope::Any { id }, later(5), |_| panic!("on purpose")).await
    });
    // On SQLite the writer catches the panic; on PostgreSQL it is in the caller's task.
    match panicking.await {
        Ok(outcome) => assert!(matches!(outcome, Err(ChangeCardError::Store(StoreError::Failed(_)))), "{outcome:?}"),
        Err(panic) => assert!(panic.is_panic()),
    }
    assert_eq!(db.store.any_card(card.id).await.unwrap(), Some(card.into()));
    db.created(partner_id, "e").await;
}

async fn change_writes_the_mutable_columns_only(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let (before, other) = (db.created(partner_id, "d").await, db.created(partner_id, "e").await);
    let (event, theirs) = (db.event(Topic::CardsOrdered), other.clone());
    let scope = CardScope::Owned { scope: Scope::account(partner_id), id: before.id };
    let after = db.store.change_card::<(), _>(scope, later(5), move |card| {
        *card = Card { status: CardStatus::Ordered, external_funeral_director_id: Some("f".to_owned()), ..theirs };
        Ok(vec![event])
    });
    let after = after.await.unwrap().unwrap();
    let expected = Card {
        status: CardStatus::Ordered,
        external_funeral_director_id: Some("f".to_owned()),
        updated_at: later(5),
        event_count: 2,
        ..before
    };
    assert_eq!(after, expected);
    assert_eq!(db.store.any_card(after.id).await.unwrap(), Some(expected.into()));
    assert_eq!(db.store.any_card(other.id).await.unwrap(), Some(other.into()));
}

async fn events_of_one_change_are_numbered_in_order(db: &TestDatabase) {
    let card = db.created(db.partner().await, "d").await;
    let mut events = vec![db.event(Topic::CardsUpdate), db.event(Topic::CardsOrdered)];
    events[0].changed_fields = vec!["theme", "deceased.firstName"];
    db.store
        .change_card::<(), _>(CardScope::Any { id: card.id }, later(5), move |card| {
            card.order(later(5)).map_err(|_| ())?;
            Ok(events)
        })
        .await
        .unwrap();
    let events = db.store.events_of(card.id).await.unwrap();
    let seen: Vec<_> = events.iter().map(|e| (e.sequence, e.topic, e.changed_fields.len())).collect();
    assert_eq!(seen, [(1, Topic::CardsCreate, 0), (2, Topic::CardsUpdate, 2), (3, Topic::CardsOrdered, 0)]);
    assert_eq!(events[1].changed_fields, ["theme", "deceased.firstName"]);
    assert_eq!(events[2].occurred_at, later(5));
}

async fn taken_slug_is_a_failure(db: &TestDatabase) {
    let partner_id = db.partner().await;
    for (dossier, goes) in [("a", true), ("b", false)] {
        let card = db.created(partner_id, dossier).await;
        let changed = db.store.change_card::<(), _>(CardScope::Any { id: card.id }, later(5), |card| {
            card.status = CardStatus::Active;
            card.slug = Some("slug".to_owned());
            Ok(vec![])
        });
        let outcome = changed.await;
        let refused = matches!(outcome, Err(ChangeCardError::Store(StoreError::Failed(_))));
        assert_eq!((outcome.is_ok(), refused), (goes, !goes), "{outcome:?}");
    }
}

async fn text_with_nul_is_an_error_or_stored(db: &TestDatabase) {
    // PostgreSQL cannot store U+0000, SQLite can. The operations refuse it; here it must not break anything else.
    let partner_id = db.partner().await;
    match db.store.create_card(db.new_card(partner_id, "a\0b", None)).await {
        Ok(card) => {
            assert_eq!(db.store.card(Scope::account(partner_id), card.id).await.unwrap(), Some(card));
        }
        Err(CreateCardError::Store(_)) => {}
        Err(other) => panic!("{other:?}"),
    }
    db.created(partner_id, "ab").await;
}
