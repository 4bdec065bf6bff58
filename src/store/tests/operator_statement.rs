//! Runs the statements of the operator's commands, of the checks and of the workers that clean up, for the tests of plans.

use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::base::{Entropy, HttpUrl, Patch};
use crate::model::{
    AccessKey, BrowserSession, KeyMode, PhotoKey, Scope, SessionId, SessionSelection, SessionTarget, Topic, Usage,
    VersionNotice, WebhookSecret,
};
use crate::store::SubscriptionChange;

/// Runs the writes of the operator's commands, and those of the workers that clean up.
pub(super) async fn write_by_operator(db: &TestDatabase, partner_id: Uuid) {
    let store = &db.store;
    let scope = Scope::account(partner_id);
    store.record_command().await.unwrap();
    let secret = WebhookSecret::generate(partner_id, &Entropy::system(), now());
    let partner = store.partner(partner_id).await.unwrap().unwrap();
    assert!(!store.add_partner(partner.clone(), secret).await.unwrap(), "its name is taken");
    store.rename_partner(partner_id, "nieuw".to_owned()).await.unwrap();
    store.change_partner(partner).await.unwrap();
    for blocked in [true, false] {
        store.set_partner_blocked(partner_id, blocked).await.unwrap();
    }
    let keys = store.keys_of(partner_id).await.unwrap();
    let new = AccessKey { id: db.uuid(), digest: [2; 32], ..keys[0].clone() };
    store.rotate_key(new, keys[0].id, now()).await.unwrap();
    let theme = store.theme_by_handle("a").await.unwrap().unwrap();
    store.retire_theme(theme.id, Some(now())).await.unwrap();

    let subscription = db.subscription(partner_id, Topic::CardsOrdered, "https://example.org");
    let id = subscription.id;
    store.create_subscription(subscription, 20).await.unwrap();
    let callback_url = Some(HttpUrl::trusted("https://example.net".to_owned()));
    let change = SubscriptionChange { callback_url, name: Patch::Value("a".to_owned()) };
    store.change_subscription(scope, id, change, now()).await.map(|_| ()).unwrap();

    let card = db.created(partner_id, "f").await;
    let session = BrowserSession {
        digest: [3; 32],
        card_id: card.id,
        target: SessionTarget::Customizer,
        created_at: now(),
        seen_at: now(),
        key_id: None,
    };
    store.add_browser_session(session).await.unwrap();
    store.touch_browser_session([3; 32], later(1)).await.unwrap();
    for of in [
        SessionSelection::Card(card.id),
        SessionSelection::Key(keys[0].id),
        SessionSelection::Partner(partner_id),
        SessionSelection::One(SessionId([1; 8])),
    ] {
        store.revoke_sessions(of, now()).await.unwrap();
    }
    store.delete_expired_browser_sessions(later(1)).await.unwrap();
    store.postpone_activation(card.id, later(1), 1).await.unwrap();
    store.delete_activation(card.id).await.unwrap();
    store.delete_invitees_of(card.id).await.unwrap();
    store.delete_invitees_before(now(), 9).await.unwrap();
    store.delete_card(card.id, now()).await.unwrap();

    let day = now().utc().date_naive();
    let (version, coordinate) = ("2026-10".to_owned(), "Card.id".to_owned());
    let used = Usage { day, version: version.clone(), partner_id, mode: KeyMode::Live, coordinate, count: 1 };
    store.add_usage(vec![used]).await.unwrap();
    store.delete_expired_usage(day).await.unwrap();
    let notice = VersionNotice { version: version.clone(), deprecated: day, sunset: day, link: None, retired_at: None };
    store.put_version_notice(notice).await.unwrap();
    store.delete_version_notice(version).await.unwrap();
}

/// Runs the reads of the operator's commands and of the checks.
pub(super) async fn read_by_operator(db: &TestDatabase, id: Uuid) {
    let store = &db.store;
    let day = now().utc().date_naive();
    store.audit_since(now(), 9).await.unwrap();
    store.audit_before(now()).await.unwrap();
    store.events_before(now()).await.unwrap();
    store.invitees_before(now()).await.unwrap();
    store.invitation_notes_before(now()).await.unwrap();
    store.session_links_before(now()).await.unwrap();
    store.test_cards(id, now()).await.unwrap();
    store.cards_of_dossier("a").await.unwrap();
    store.earlier_card(&db.card(id, "a"), None).await.map(|_| ()).unwrap();
    store.outbox().await.unwrap();
    store.body_of(id).await.unwrap();
    store.order_of(id).await.unwrap();
    store.card_of_order("K-1").await.unwrap();
    store.order_lines(now(), later(1)).await.unwrap();
    store.activations_due(now(), 9).await.unwrap();
    store.live_key_exists(now()).await.unwrap();
    store.photo_is_there(&PhotoKey::trusted("a")).await.unwrap();
    store.all_themes().await.unwrap();
    store.usage_since().await.unwrap();
    for version in [None, Some("2026-10")] {
        store.usage_from(day, version).await.unwrap();
    }
    store.version_notices().await.unwrap();
}
