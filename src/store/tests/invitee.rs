//! Invitee lists: addresses are unique, invitations limited, and cards separate.

use std::time::Duration;

use chrono::NaiveDate;
use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::model::{Invitee, InviteeListLink, Mail};
use crate::store::{Invitation, InvitationLimits, InviteeAddition};

on_both_engines! {
    address_is_on_a_list_once_in_any_case,
    list_holds_no_more_than_its_maximum,
    invitation_is_counted_and_limited,
    invitations_of_a_day_are_counted_for_card_and_partner,
    invitee_of_another_card_is_not_found_invited_or_removed,
    first_time_seen_is_kept,
    list_link_is_found_until_it_is_deleted,
    old_invitees_are_deleted_in_batches,
}

async fn card(db: &TestDatabase) -> Uuid {
    db.created(db.partner().await, &db.uuid().to_string()).await.id
}

fn day(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, day).expect("a day")
}

fn limits() -> InvitationLimits {
    let again_after = Duration::from_secs(60);
    InvitationLimits { per_address: 2, again_after, day: day(10), per_card: 9, per_partner: 9 }
}

async fn listed(db: &TestDatabase, card_id: Uuid) -> Invitee {
    let invitee = db.invitee("Aal", Some("aal@voorbeeld.nl"));
    let added = db.store.add_invitees(card_id, vec![invitee.clone()], 10).await.unwrap();
    assert_eq!(added, [InviteeAddition::Added]);
    Invitee { card_id, ..invitee }
}

async fn address_is_on_a_list_once_in_any_case(db: &TestDatabase) {
    let (one, other) = (card(db).await, card(db).await);
    let people = vec![
        db.invitee("Aal", Some("aal@voorbeeld.nl")),
        db.invitee("Aal", Some("Aal@Voorbeeld.nl")),
        db.invitee("Zonder adres", None),
        db.invitee("Zonder adres", None),
    ];
    let added = db.store.add_invitees(one, people, 10).await.unwrap();
    assert_eq!(
        added,
        [InviteeAddition::Added, InviteeAddition::Duplicate, InviteeAddition::Added, InviteeAddition::Added]
    );
    assert_eq!(db.store.invitees_of(one).await.unwrap().len(), 3);
    assert_eq!(db.store.invitees_of(other).await.unwrap(), []);
    listed(db, other).await; // the same address on another list
}

async fn list_holds_no_more_than_its_maximum(db: &TestDatabase) {
    let card_id = card(db).await;
    let people = ["a", "b", "a", "c"].map(|name| db.invitee(name, Some(&format!("{name}@voorbeeld.nl")))).to_vec();
    let added = db.store.add_invitees(card_id, people, 2).await.unwrap();
    assert_eq!(
        added,
        [InviteeAddition::Added, InviteeAddition::Added, InviteeAddition::Duplicate, InviteeAddition::Full]
    );
}

async fn invitation_is_counted_and_limited(db: &TestDatabase) {
    let card_id = card(db).await;
    let invitee = listed(db, card_id).await;
    let invite = async |seconds: i64| {
        let mail = Mail::invitation(db.uuid(), card_id, invitee.id, later(seconds));
        db.store.invite(mail, limits()).await.unwrap()
    };
    assert_eq!(invite(0).await, Invitation::Queued);
    assert_eq!(invite(59).await, Invitation::TooSoon(later(60)));
    assert_eq!(invite(60).await, Invitation::Queued);
    assert_eq!(invite(999).await, Invitation::TooMany);
    let stored = db.store.invitee(card_id, invitee.id).await.unwrap().expect("the invitee");
    assert_eq!((stored.mail_count, stored.last_mail_at), (2, Some(later(60))));
    assert_eq!(db.store.mails_of(card_id).await.unwrap().len(), 2, "a refusal queues nothing");

    let silent = db.invitee("Zonder adres", None);
    db.store.add_invitees(card_id, vec![silent.clone()], 10).await.unwrap();
    let mail = Mail::invitation(db.uuid(), card_id, silent.id, now());
    assert_eq!(db.store.invite(mail, limits()).await.unwrap(), Invitation::NotFound);

    assert!(db.store.delete_invitee(card_id, invitee.id).await.unwrap());
    assert_eq!(db.store.mails_of(card_id).await.unwrap(), [], "mails to somebody who was removed are not sent");

    // The count stays when the address is added again.
    let again = db.invitee("Aal", Some("AAL+nog@voorbeeld.nl"));
    db.store.add_invitees(card_id, vec![again.clone()], 10).await.unwrap();
    let mail = Mail::invitation(db.uuid(), card_id, again.id, later(9_999));
    assert_eq!(db.store.invite(mail.clone(), limits()).await.unwrap(), Invitation::TooMany);
    // Until the operator clears the list.
    assert_eq!(db.store.delete_invitees_of(card_id).await.unwrap(), 2);
    db.store.add_invitees(card_id, vec![again], 10).await.unwrap();
    assert_eq!(db.store.invite(mail, limits()).await.unwrap(), Invitation::Queued);
}

async fn invitations_of_a_day_are_counted_for_card_and_partner(db: &TestDatabase) {
    let (partner_id, other_partner) = (db.partner().await, db.partner().await);
    let mut cards = Vec::new();
    for partner in [partner_id, partner_id, other_partner] {
        cards.push(db.created(partner, &db.uuid().to_string()).await.id);
    }
    let limits = InvitationLimits { per_card: 2, per_partner: 3, ..limits() };
    let invite = async |card_id: Uuid, name: &str, day: NaiveDate| {
        let invitee = db.invitee(name, Some(&format!("{name}@voorbeeld.nl")));
        db.store.add_invitees(card_id, vec![invitee.clone()], 99).await.unwrap();
        let mail = Mail::invitation(db.uuid(), card_id, invitee.id, now());
        db.store.invite(mail, InvitationLimits { day, ..limits }).await.unwrap()
    };
    for (card, name, expected) in [
        (0, "a", Invitation::Queued),
        (0, "b", Invitation::Queued),
        (0, "c", Invitation::CardLimit),
        (1, "a", Invitation::Queued),
        (1, "b", Invitation::PartnerLimit { partner_id }),
        (2, "a", Invitation::Queued),
    ] {
        assert_eq!(invite(cards[card], name, day(10)).await, expected, "{card} {name}");
    }
    assert!(db.store.invitations_used_up(day(10), 3).await.unwrap());
    assert!(!db.store.invitations_used_up(day(10), 4).await.unwrap(), "a refusal is not counted");
    assert!(!db.store.invitations_used_up(day(11), 3).await.unwrap());
    assert_eq!(invite(cards[0], "d", day(11)).await, Invitation::Queued);
    assert_eq!(db.store.delete_expired_invitation_days(day(11)).await.unwrap(), 5, "three cards and two partners");
    assert_eq!(db.store.delete_expired_invitation_days(day(12)).await.unwrap(), 2);
}

async fn invitee_of_another_card_is_not_found_invited_or_removed(db: &TestDatabase) {
    let (own, foreign) = (card(db).await, card(db).await);
    let invitee = listed(db, own).await;
    assert_eq!(db.store.invitee(foreign, invitee.id).await.unwrap(), None);
    let mail = Mail::invitation(db.uuid(), foreign, invitee.id, now());
    assert_eq!(db.store.invite(mail, limits()).await.unwrap(), Invitation::NotFound);
    assert!(!db.store.delete_invitee(foreign, invitee.id).await.unwrap());
    assert_eq!(db.store.invitee(own, invitee.id).await.unwrap(), Some(invitee));
}

async fn first_time_seen_is_kept(db: &TestDatabase) {
    let invitee = listed(db, card(db).await).await;
    db.store.note_seen(invitee.id, later(5)).await.unwrap();
    db.store.note_seen(invitee.id, later(9)).await.unwrap();
    let seen = db.store.invitee_by_token(&invitee.token).await.unwrap().expect("the invitee");
    assert_eq!(seen.seen_at, Some(later(5)));
}

async fn list_link_is_found_until_it_is_deleted(db: &TestDatabase) {
    let link = InviteeListLink { digest: [7; 32], card_id: card(db).await, created_at: now(), expires_at: later(60) };
    db.store.add_invitee_list_link(link.clone()).await.unwrap();
    assert_eq!(db.store.invitee_list_link(&[7; 32]).await.unwrap(), Some(link));
    assert_eq!(db.store.delete_expired_invitee_list_links(later(60)).await.unwrap(), 0);
    assert_eq!(db.store.delete_expired_invitee_list_links(later(61)).await.unwrap(), 1);
    assert_eq!(db.store.invitee_list_link(&[7; 32]).await.unwrap(), None);
}

async fn old_invitees_are_deleted_in_batches(db: &TestDatabase) {
    let (one, other) = (card(db).await, card(db).await);
    let old = |name: &str| db.invitee(name, None);
    let young = Invitee { created_at: later(1), ..old("Jong") };
    db.store.add_invitees(one, vec![old("a"), young.clone(), old("b"), old("c")], 10).await.unwrap();
    db.store.add_invitees(other, vec![old("d"), old("e")], 10).await.unwrap();
    let mut gone = Vec::new();
    for _ in 0..3 {
        gone.push(db.store.delete_invitees_before(later(1), 2).await.unwrap());
    }
    assert_eq!(gone, [2, 2, 1]);
    assert_eq!(db.store.delete_invitees_before(later(1), 2).await.unwrap(), 0);
    assert_eq!(db.store.invitees_of(one).await.unwrap(), [Invitee { card_id: one, ..young }]);
    assert_eq!(db.store.invitees_of(other).await.unwrap(), []);
}
