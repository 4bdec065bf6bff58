//! Changes of cards, also concurrent ones.

use futures_util::future::join_all;

use super::database::{TestDatabase, later, now};
use crate::model::{Card, CardStatus, Scope, Topic};
use crate::store::{CardScope, ChangeCardError, StoreError};

on_both_engines! {
    card_changed_by_8_at_once_counts_every_event,
    unchanged_card_is_not_written,
    refused_change_writes_nothing,
    panicking_change_writes_nothing,
    card_out_of_scope_is_not_found,
    change_writes_the_mutable_columns_only,
    events_of_one_change_are_numbered_in_order,
    taken_slug_is_a_failure,
}

async fn card_changed_by_8_at_once_counts_every_event(db: &TestDatabase) {
    let partner_id = db.partner().await;
    let card = db.created(partner_id, "d").await;
    let change = async |task: i64| {
        for round in 0..10 {
            let event = db.event(Topic::CardsUpdate);
            let scope = CardScope::Owned { scope: Scope::account(partner_id), id: card.id };
            let changed = db.store.change_card::<(), _>(scope, later(task * 10 + round), move |card| {
                // Each change adds to the one before it, so a lost update shows.
                let seen: i64 = card.family_contact.name.as_deref().unwrap_or("0").parse().unwrap();
                card.family_contact.name = Some((seen + 1).to_string());
                Ok(vec![event])
            });
            changed.await.unwrap().unwrap();
        }
    };
    join_all((0..8).map(change)).await;
    let card = db.store.any_card(card.id).await.unwrap().unwrap();
    assert_eq!((card.family_contact.name.as_deref(), card.event_count), (Some("80"), 81));
    let sequence: Vec<i64> = db.store.events_of(card.id).await.unwrap().iter().map(|e| e.sequence).collect();
    assert_eq!(sequence, (1..=81).collect::<Vec<_>>());
}

async fn unchanged_card_is_not_written(db: &TestDatabase) {
    let card = db.created(db.partner().await, "d").await;
    let event = db.event(Topic::CardsUpdate);
    let scope = CardScope::Any { id: card.id };
    let unchanged = db.store.change_card::<(), _>(scope, later(5), move |_| Ok(vec![event])).await.unwrap();
    assert_eq!(unchanged, Some(card.clone()));
    assert_eq!(db.store.any_card(card.id).await.unwrap(), Some(card));
    assert_eq!(db.count("events").await, 1);
}

async fn refused_change_writes_nothing(db: &TestDatabase) {
    let card = db.created(db.partner().await, "d").await;
    let refused = db.store.change_card(CardScope::Any { id: card.id }, later(5), |card| {
        card.status = CardStatus::Ordered;
        Err("no")
    });
    assert!(matches!(refused.await, Err(ChangeCardError::Refused("no"))));
    assert_eq!(db.store.any_card(card.id).await.unwrap(), Some(card));
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
    assert_eq!(db.store.any_card(card.id).await.unwrap(), Some(card));
    db.created(partner_id, "e").await;
}

async fn card_out_of_scope_is_not_found(db: &TestDatabase) {
    let (owner, other) = (db.partner().await, db.partner().await);
    let card = db.created(owner, "d").await;
    for scope in [CardScope::Owned { scope: Scope::account(other), id: card.id }, CardScope::Any { id: db.uuid() }] {
        let changed = db.store.change_card::<(), _>(scope, now(), |_| panic!("there is no card to decide about"));
        assert_eq!(changed.await.unwrap(), None);
    }
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
    assert_eq!(db.store.any_card(after.id).await.unwrap(), Some(expected));
    assert_eq!(db.store.any_card(other.id).await.unwrap(), Some(other));
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
        assert_eq!(outcome.is_ok(), goes, "{outcome:?}");
        if !goes {
            assert!(matches!(outcome, Err(ChangeCardError::Store(StoreError::Failed(_)))));
        }
    }
}
