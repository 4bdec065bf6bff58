//! Runs every statement of the store once, for the tests of plans.

use std::time::Duration;

use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use super::operator_statement::{read_by_operator, write_by_operator};
use crate::base::{Entropy, Progress};
use crate::model::{
    AccessKey, AdminSession, Attempt, AttemptOutcome, Card, Delivery, DeliveryState, InvitationNote, InviteeListLink,
    KeyMode, Mail, MailStateKind, PageRequest, PageStart, PhotoKey, Scope, SessionId, SessionLink, SessionSelection,
    SessionTarget, ThemeRef, Topic, WebhookSecret,
};
use crate::store::{
    ActivityFilter, CardEffects, CardFilter, CardScope, ClaimRequest, DeliveryFilter, Finished, IdempotencyClaim,
    IdempotencyKey, IdempotencyOutcome, InvitationLimits, LastAttempts, Lease, Verdict,
};

/// Parts of statements that may read a table, without the quotes of names, each with its reason.
const READS_WHOLE: [(&str, &str); 7] = [
    (
        "idempotency_keys.response LIKE",
        "deletion of a card: keys live for a day, and an index would cost each new card a write",
    ),
    ("idempotency_keys.card_id =", "the same"),
    ("COUNT(*) FROM deliveries WHERE (deliveries.finished_at IS NULL)", "metrics: the index of what waits is counted"),
    ("ORDER BY usage.day LIMIT", "the first row of the primary key"),
    ("usage.version =", "usage show: the rows of a command are sorted in memory"),
    ("cards.created_at <", "deletion of test cards: those of a partner are sorted in memory"),
    ("access_keys.mode =", "checks of a service with live keys: a partner has a few keys"),
];

/// Returns whether a statement may read a table.
pub(super) fn may_read_whole(text: &str) -> bool {
    let plain = text.replace(['`', '"'], "");
    READS_WHOLE.iter().any(|(part, _)| plain.contains(part))
}

/// Runs every write.
pub(super) async fn write_once(db: &TestDatabase) {
    let store = &db.store;
    let partner_id = db.partner().await;
    let key = AccessKey {
        id: db.uuid(),
        partner_id,
        mode: KeyMode::Live,
        digest: [1; 32],
        last_four: String::new(),
        label: None,
        created_at: now(),
        expires_at: None,
        revoked_at: None,
        last_used_at: None,
    };
    let id = key.id;
    store.issue_key(key).await.unwrap();
    store.touch_key(id, now()).await.unwrap();
    store.revoke_key(id, now()).await.unwrap();
    store.put_theme(db.theme("a", 1)).await.unwrap();

    let photos = ["a", "b"].map(PhotoKey::trusted);
    for photo in &photos {
        store.put_photo(photo.clone(), 1, now(), now()).await.unwrap();
    }
    let key = IdempotencyKey { partner_id, mode: KeyMode::Live, text: "k".to_owned() };
    // A new claim, a repeated one, and one that replaces an expired claim.
    for (dossier, made_at) in [("a", now()), ("b", now()), ("c", later(86_401))] {
        let claim = IdempotencyClaim::new(key.clone(), [1; 32], made_at);
        let mut new = db.new_card(partner_id, dossier, Some(claim));
        new.card.deceased.photo = Some(photos[0].clone());
        let card_id = new.card.id;
        store.create_card(new).await.unwrap();
        let (event, photo) = (db.event(Topic::CardsUpdate), photos[1].clone());
        let change = move |card: &mut Card| {
            card.deceased.photo = Some(photo);
            Ok::<_, ()>(vec![event])
        };
        store.change_card(CardScope::Any { id: card_id }, now(), change.clone()).await.unwrap();
        store
            .change_card(CardScope::Owned { scope: Scope::account(partner_id), id: card_id }, now(), change)
            .await
            .unwrap();
    }
    let outcome = IdempotencyOutcome { request: [1; 32], response: String::new() };
    store.store_outcome(key.clone(), outcome.clone()).await.unwrap();
    store.store_outcome_of_creates(key, outcome).await.unwrap();
    store.delete_expired_claims(now()).await.unwrap();
    let session = SessionLink {
        digest: [1; 32],
        card_id: db.created(partner_id, "d").await.id,
        target: SessionTarget::Customizer,
        created_at: now(),
        expires_at: now(),
        used_at: None,
        key_id: None,
    };
    store.add_session_link(session).await.unwrap();
    store.redeem_session([1; 32], [2; 32], now()).await.unwrap();
    let subscription = db.subscription(partner_id, Topic::CardsUpdate, "https://example.org");
    let id = subscription.id;
    store.create_subscription(subscription, 20).await.unwrap();
    move_deliveries(db, partner_id, id).await;
    store.delete_subscription(Scope::account(partner_id), id).await.unwrap();
    let secret = |seconds| WebhookSecret::generate(partner_id, &Entropy::system(), later(seconds));
    let first = store.rotate_webhook_secret(secret(1), None, later(2)).await.unwrap().remove(0);
    store.issue_webhook_secret(secret(3), 2).await.unwrap();
    store.revoke_webhook_secret(first.id, now()).await.unwrap();
    store.mark_photo_for_deletion(photos[0].clone()).await.unwrap();
    store.delete_photo(photos[0].clone()).await.unwrap();
    store.claim_photo_to_render(later(1), later(2), 3).await.unwrap();
    store.postpone_rendering(photos[1].clone()).await.unwrap();
    store.record_rendering(photos[1].clone(), None).await.unwrap();
    store.forget_renditions(photos[1].clone(), Some(now())).await.unwrap();
    store.use_quota("a".to_owned(), 1, 1, now(), later(1)).await.unwrap();
    store.delete_expired_quotas(later(1)).await.unwrap();
    write_family_once(db, partner_id).await;
    write_by_operator(db, partner_id).await;
}

/// Runs the writes of mails and invitee lists.
async fn write_family_once(db: &TestDatabase, partner_id: Uuid) {
    let store = &db.store;
    let card_id = db.created(partner_id, "e").await.id;
    let invitees = vec![db.invitee("A", Some("a@example.org")), db.invitee("B", Some("A@example.org"))];
    let id = invitees[0].id;
    store.add_invitees(card_id, invitees, 1).await.unwrap();
    let day = now().utc().date_naive();
    let limits = InvitationLimits { per_address: 9, again_after: Duration::ZERO, day, per_card: 9, per_partner: 9 };
    for _ in 0..4 {
        store.invite(Mail::invitation(db.uuid(), card_id, id, now()), limits).await.unwrap();
    }
    let claimed = async || store.claim_mail(now(), later(9)).await.unwrap().expect("a mail is due");
    store.record_sent_mail(claimed().await, now(), None).await.unwrap();
    store.give_up_mail(claimed().await, now(), true).await.unwrap();
    store.postpone_mail(claimed().await, later(9), 1).await.unwrap();
    store.delete_expired_mails(now()).await.unwrap();
    store.queue_mails(vec![Mail::order(db.uuid(), card_id, now())]).await.unwrap();
    let mail_again = Some(Mail::order(db.uuid(), card_id, now()));
    let readdress = move |card: &mut Card| {
        card.family_contact.email = Some("nieuw@voorbeeld.nl".to_owned());
        Ok::<_, ()>(CardEffects { mail_again, ..CardEffects::default() })
    };
    store.change_card_with(CardScope::Any { id: card_id }, now(), readdress).await.unwrap();
    let last = LastAttempts { mail: later(99), activation: later(99), delivery: later(99) };
    store.shorten_waits(now(), last).await.unwrap();
    store.delete_expired_invitation_days(day).await.unwrap();
    store.note_seen(id, now()).await.unwrap();
    for (note, seen) in [("a", None), ("", Some(now()))] {
        let note = InvitationNote { card_id, note: note.to_owned(), answers: false, changed_at: now() };
        assert!(store.change_invitation_note(note, seen).await.unwrap());
    }
    store.change_invitee(card_id, id, "C".to_owned(), Some("c@example.org".to_owned())).await.unwrap();
    store.delete_invitee(card_id, id).await.unwrap();
    let link = InviteeListLink { digest: [1; 32], card_id, created_at: now(), expires_at: now() };
    store.add_invitee_list_link(link).await.unwrap();
    store.delete_expired_invitee_list_links(now()).await.unwrap();
    store.set_card_offline(card_id, Some(now())).await.unwrap();
    store.delete_session_links_before(now(), 9).await.unwrap();
    let link = AdminSession {
        id: db.uuid(),
        link: [1; 32],
        operator: String::new(),
        created_at: now(),
        expires_at: later(9),
        opened_at: None,
        cookie: None,
        seen_at: None,
        ended_at: None,
    };
    let id = link.id;
    store.add_admin_link(link).await.unwrap();
    assert!(store.open_admin_link([1; 32], [2; 32], now()).await.unwrap());
    store.touch_admin_session(id, now()).await.unwrap();
    assert!(store.end_admin_session(id, now()).await.unwrap());
    store.delete_admin_sessions_before(now()).await.unwrap();
    store.delete_audit_before(now(), 9).await.unwrap();
    store.delete_events_before(now(), 9).await.unwrap();
}

/// Runs the writes of deliveries: claimed, finished, sent again, deleted.
async fn move_deliveries(db: &TestDatabase, partner_id: Uuid, subscription_id: Uuid) {
    let store = &db.store;
    let card_id = db.created(partner_id, "followed").await.id;
    for name in ["A", "B", "C"] {
        let event = db.event(Topic::CardsUpdate);
        let change = move |card: &mut Card| {
            card.deceased.first_name = Some(name.to_owned());
            Ok::<_, ()>(vec![event])
        };
        store.change_card(CardScope::Any { id: card_id }, now(), change).await.unwrap();
    }
    for (outcome, verdict) in [
        (AttemptOutcome::Answered(200), Verdict::Delivered),
        (AttemptOutcome::TimeOut, Verdict::Exhausted),
        (AttemptOutcome::Answered(410), Verdict::Retry { at: later(9) }),
    ] {
        let due = store.subscriptions_due(now()).await.unwrap();
        let lease = Lease { id: db.uuid(), until: later(60) };
        let requests = vec![ClaimRequest { subscription_id: due[0].id, count_max: 9 }];
        let claimed = store.claim_deliveries(requests, now(), lease).await.unwrap();
        let Delivery { id, attempt_count, .. } = claimed[0].delivery;
        let number = attempt_count + 1;
        let attempt = Attempt { delivery_id: id, number, started_at: now(), duration_ms: 1, outcome, cause: None };
        let attempt = Some((attempt, verdict));
        let finished = Finished { delivery_id: id, subscription_id, card_id, lease: lease.id, attempt };
        store.finish_deliveries(vec![finished], now()).await.unwrap();
        store.resend(id, now()).await.unwrap();
        store.delivery(id).await.unwrap().unwrap();
        store.attempts_of(id).await.unwrap();
        assert!(!store.webhook_delivery(Scope::account(partner_id), id).await.unwrap().unwrap().attempts.is_empty());
    }
    store.any_subscription(subscription_id).await.unwrap().unwrap();
    store.deliveries_among(vec![db.uuid()]).await.unwrap();
    store.deliveries_in_state(subscription_id, DeliveryState::Due, 9).await.unwrap();
    store.delivery_count(subscription_id, DeliveryState::Due).await.unwrap();
    store.pause_subscription(subscription_id, now()).await.unwrap();
    store.resume_subscription(subscription_id, now(), &Progress::default()).await.unwrap().unwrap();
    store.replay_deliveries(subscription_id, now(), now(), &Progress::default()).await.unwrap().unwrap();
    store.recover_deliveries(Scope::account(partner_id), now()).await.unwrap();
    for recovering in store.recovering().await.unwrap() {
        while store.recover_batch(recovering, 9, now()).await.unwrap() {}
    }
    store.sequence_page(subscription_id, Uuid::nil(), now()).await.unwrap();
    store.next_unfinished(Uuid::nil()).await.unwrap();
    store.delete_unfinished(subscription_id, now()).await.unwrap();
    store.delete_expired_deliveries(later(1), now()).await.unwrap();
}

/// Runs every read.
pub(super) async fn read_once(db: &TestDatabase) {
    let (store, id) = (&db.store, db.uuid());
    let scope = Scope { partner_id: id, mode: KeyMode::Test };
    store.ping().await.unwrap();
    store.check_writes().await.unwrap();
    store.server_time().await.unwrap();
    store.key_by_digest(&[1; 32]).await.unwrap();
    store.partner(id).await.unwrap();
    store.partner_by_name("a").await.unwrap();
    store.partners().await.unwrap();
    store.keys_of(id).await.unwrap();
    store.card(scope, id).await.unwrap();
    store.any_card(id).await.unwrap();
    store.card_ages(id, now(), 9).await.unwrap();
    store.card_by_dossier(scope, "a").await.unwrap();
    store.events_of(id).await.unwrap();
    store.newest_events(id, 9).await.unwrap();
    store.theme(id).await.unwrap();
    store.theme_by_number(1).await.unwrap();
    store.theme_by_handle("a").await.unwrap();
    for name in [ThemeRef::Id(id), ThemeRef::Number(1)] {
        store.theme_to_choose(name).await.unwrap();
    }
    store.subscription(scope, id).await.unwrap();
    store.active_webhook_secrets(id, KeyMode::Live, now()).await.unwrap();
    store.webhook_secrets_of(id).await.unwrap();
    let key = IdempotencyKey { partner_id: id, mode: KeyMode::Live, text: "k".to_owned() };
    let claim = IdempotencyClaim::new(key, [1; 32], now());
    store.find_claimed_key(&claim).await.unwrap();
    store.session_link(&[1; 32]).await.unwrap();
    store.session_key_is_revoked([1; 32]).await.unwrap();
    store.admin_session([1; 32]).await.unwrap();
    store.admin_sessions().await.unwrap();
    store.admin_sessions_before(now()).await.unwrap();
    store.browser_session(&[1; 32]).await.unwrap();
    for of in [
        SessionSelection::Card(id),
        SessionSelection::Key(id),
        SessionSelection::Partner(id),
        SessionSelection::One(SessionId([1; 8])),
    ] {
        store.open_sessions(of, now()).await.unwrap();
    }
    read_by_operator(db, id).await;
    store.photos_unused(now(), 10).await.unwrap();
    store.photos_shown("", 10).await.unwrap();
    store.latest_cards(CardFilter::default(), 10).await.unwrap();
    store.last_audited("backup drill").await.unwrap();
    store.portrait(&PhotoKey::trusted("a")).await.unwrap();
    store.card_by_slug("a").await.unwrap();
    store.contact_email_changes(id, now()).await.unwrap();
    store.mails_of(id).await.unwrap();
    store.mail(id).await.unwrap();
    for state in [None].into_iter().chain(MailStateKind::ALL.map(Some)) {
        store.latest_mails(state, 9).await.unwrap();
    }
    for partner_id in [None, Some(id)] {
        let filter = ActivityFilter { partner_id, test: false, from: now(), to: later(9) };
        store.count_cards(filter).await.unwrap();
        store.count_orders(filter).await.unwrap();
        let subscriptions = store.subscription_ids(partner_id).await.unwrap();
        store.count_failed_deliveries(subscriptions, filter).await.unwrap();
        store.waiting_mail_times(filter).await.unwrap();
        store.failed_mail_times(filter).await.unwrap();
    }
    store.waiting_mails(9).await.unwrap();
    store.newest_orders(now(), 9).await.unwrap();
    store.mail_backlog().await.unwrap();
    store.mail_lost_since(now()).await.unwrap();
    store.mail_recipients_waiting(now(), 9).await.unwrap();
    store.mail_is_blocked().await.unwrap();
    store.failed_mails_since(now(), 9).await.unwrap();
    store.invitations_used_up(now().utc().date_naive(), 9).await.unwrap();
    store.invitees_of(id).await.unwrap();
    store.invitee(id, id).await.unwrap();
    store.invitee_by_token("a").await.unwrap();
    store.invitee_list_link(&[1; 32]).await.unwrap();
    store.invitee_list_links_until(id).await.unwrap();
    store.invitation_note(id).await.unwrap();
    for start in [PageStart::First, PageStart::Last] {
        for (after, before) in [(false, false), (true, false), (false, true), (true, true)] {
            let ids = PageRequest { start, size: 2, after: after.then_some(id), before: before.then_some(id) };
            for filter in [
                DeliveryFilter { subscription_id: Some(id), ..DeliveryFilter::default() },
                DeliveryFilter { since: Some(now()), states: vec![DeliveryState::Failed], ..DeliveryFilter::default() },
            ] {
                store.webhook_deliveries_page(scope, &filter, &ids).await.unwrap();
            }
            store.subscriptions_page(scope, &[], &ids).await.unwrap();
            store.subscriptions_page(scope, &[Topic::CardsCreate, Topic::CardsUpdate], &ids).await.unwrap();
        }
    }
}

/// A method of the store whose statement nothing runs here would not be planned.
#[test]
fn every_method_with_a_statement_is_run() {
    let own = concat!(include_str!("every_statement.rs"), include_str!("operator_statement.rs"));
    let mut missing = Vec::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    for entry in std::fs::read_dir(folder).unwrap() {
        let Ok(text) = std::fs::read_to_string(entry.unwrap().path().join("mod.rs")) else { continue };
        for method in text.split("    pub async fn ").skip(1) {
            let (name, body) = method.split_once('(').unwrap();
            let name = name.split('<').next().unwrap_or(name);
            let body = body.split_once("\n    }\n").map_or(body, |(body, _)| body);
            if body.contains("query!(") && !own.contains(&format!("store.{name}(")) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
