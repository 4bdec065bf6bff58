//! Invitee lists: counted invitations, and the deletion of old rows.

use std::time::Duration;

use chrono::NaiveDate;
use uuid::Uuid;

use super::database::{TestDatabase, later, now};
use crate::model::{Invitee, InviteeListLink, Mail};
use crate::store::{Invitation, InvitationLimits, InviteeAddition};

on_both_engines! {
    invitation_is_counted_and_limited,
    invitation_counts_of_past_days_are_deleted,
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
    assert_eq!(db.store.mails_of(card_id).await.unwrap().len(), 2, "a refusal queues nothing");
    let counted = async || {
        let stored = db.store.invitee(card_id, invitee.id).await.unwrap().expect("the invitee");
        (stored.mail_count, stored.last_mail_at)
    };
    assert_eq!(counted().await, (0, None), "none is sent yet");
    let claimed = db.store.claim_mail(later(60), later(120)).await.unwrap().expect("an invitation");
    assert!(db.store.give_up_mail(claimed, later(61), true).await.unwrap());
    assert_eq!(counted().await, (0, None), "it was refused");
    let claimed = db.store.claim_mail(later(60), later(120)).await.unwrap().expect("an invitation");
    assert!(db.store.record_sent_mail(claimed.clone(), later(62), None).await.unwrap());
    assert!(!db.store.record_sent_mail(claimed, later(63), None).await.unwrap());
    assert_eq!(counted().await, (1, Some(later(62))));

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

async fn invitation_counts_of_past_days_are_deleted(db: &TestDatabase) {
    let card_id = card(db).await;
    for (name, number) in [("a", 10), ("b", 11)] {
        let invitee = db.invitee(name, Some(&format!("{name}@voorbeeld.nl")));
        db.store.add_invitees(card_id, vec![invitee.clone()], 99).await.unwrap();
        let mail = Mail::invitation(db.uuid(), card_id, invitee.id, now());
        let limits = InvitationLimits { day: day(number), ..limits() };
        assert_eq!(db.store.invite(mail, limits).await.unwrap(), Invitation::Queued);
    }
    assert!(db.store.invitations_used_up(day(10), 1).await.unwrap());
    assert!(!db.store.invitations_used_up(day(10), 2).await.unwrap(), "another day's are not counted");
    assert_eq!(db.store.delete_expired_invitation_days(day(11)).await.unwrap(), 2, "of the card and its partner");
    assert_eq!(db.store.delete_expired_invitation_days(day(12)).await.unwrap(), 2);
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
