//! The mail queue: claimed once, put back, finished, and written in the transaction of the change.

use futures_util::future::join_all;

use super::database::{TestDatabase, later, now};
use crate::base::Timestamp;
use crate::model::{Mail, MailKind, MailState};
use crate::store::MailBacklog;

on_both_engines! {
    mail_is_claimed_by_one_of_many_workers,
    expired_mail_lease_is_claimed_again_and_its_late_result_is_ignored,
    sent_mail_queues_the_next_one,
    finished_mails_expire_and_queued_ones_do_not,
}

async fn queued(db: &TestDatabase) -> Mail {
    let card_id = db.created(db.partner().await, &db.uuid().to_string()).await.id;
    let mail = Mail::order(db.uuid(), card_id, now());
    db.store.queue_mails(vec![mail.clone()]).await.unwrap();
    mail
}

fn backlog(queued: i64, due_since: Option<Timestamp>, failing_since: Option<Timestamp>) -> MailBacklog {
    MailBacklog { queued, due_since, failing_since }
}

async fn mail_is_claimed_by_one_of_many_workers(db: &TestDatabase) {
    let mut mails = Vec::new();
    for _ in 0..4 {
        mails.push(queued(db).await.id);
    }
    assert_eq!(db.store.claim_mail(later(-1), later(60)).await.unwrap(), None, "none is due yet");
    let mut claimed = Vec::new();
    while claimed.len() < 4 {
        // A worker that loses every candidate to others claims nothing, and tries again.
        let round = join_all((0..8).map(|_| db.store.claim_mail(now(), later(60)))).await;
        claimed.extend(round.into_iter().filter_map(|mail| mail.unwrap().map(|mail| mail.id)));
    }
    claimed.sort();
    mails.sort();
    assert_eq!(claimed, mails);
    assert_eq!(db.store.claim_mail(now(), later(60)).await.unwrap(), None);
}

async fn expired_mail_lease_is_claimed_again_and_its_late_result_is_ignored(db: &TestDatabase) {
    let mail = queued(db).await;
    let first = db.store.claim_mail(now(), later(60)).await.unwrap().expect("a mail");
    assert_eq!((first.id, first.attempts, first.state), (mail.id, 1, MailState::Due(later(60))));
    assert_eq!(db.store.claim_mail(later(59), later(120)).await.unwrap(), None);
    let second = db.store.claim_mail(later(60), later(120)).await.unwrap().expect("the mail is back");
    assert_eq!((second.id, second.attempts), (mail.id, 2));

    let next = Mail::card_online(db.uuid(), mail.card_id, now());
    assert!(!db.store.record_sent_mail(first.clone(), later(61), Some(next)).await.unwrap());
    assert!(!db.store.give_up_mail(first.clone(), later(61), true).await.unwrap());
    assert!(!db.store.postpone_mail(first, later(61), 0).await.unwrap());
    assert_eq!(db.store.mails_of(mail.card_id).await.unwrap(), std::slice::from_ref(&second));

    let second = Mail { answer: Some("451 later".to_owned()), ..second };
    assert_eq!(db.store.mail_backlog().await.unwrap(), backlog(1, Some(later(120)), None));
    assert!(db.store.postpone_mail(second, later(200), 1).await.unwrap());
    assert_eq!(db.store.mail_backlog().await.unwrap(), backlog(1, Some(later(200)), Some(now())));
    let third = db.store.claim_mail(later(200), later(260)).await.unwrap().expect("the mail is due again");
    assert_eq!((third.attempts, third.answer.as_deref()), (2, Some("451 later")));
    assert!(db.store.give_up_mail(third, later(201), true).await.unwrap());
    assert_eq!(db.store.mails_of(mail.card_id).await.unwrap()[0].state, MailState::Refused(later(201)));
    assert_eq!(db.store.claim_mail(later(9_999), later(9_999)).await.unwrap(), None);
    assert_eq!(db.store.mail_backlog().await.unwrap(), backlog(0, None, None));
    assert!(db.store.mail_lost_since(later(201)).await.unwrap());
    assert!(!db.store.mail_lost_since(later(202)).await.unwrap());
}

async fn sent_mail_queues_the_next_one(db: &TestDatabase) {
    let mail = queued(db).await;
    let claimed = db.store.claim_mail(now(), later(60)).await.unwrap().expect("a mail");
    let next = Mail::card_online(db.uuid(), mail.card_id, later(1));
    assert!(db.store.record_sent_mail(claimed.clone(), later(1), Some(next.clone())).await.unwrap());
    assert!(!db.store.record_sent_mail(claimed, later(2), None).await.unwrap(), "it is sent already");
    let mails = db.store.mails_of(mail.card_id).await.unwrap();
    assert_eq!(mails.iter().map(|mail| mail.kind).collect::<Vec<_>>(), [MailKind::Order, MailKind::CardOnline]);
    assert_eq!((mails[0].state, &mails[1]), (MailState::Sent(later(1)), &next));

    // The next mail is in the same transaction: if it cannot be written, the first is not marked as sent.
    let claimed = db.store.claim_mail(later(1), later(60)).await.unwrap().expect("the next mail");
    let orphan = Mail::card_online(db.uuid(), db.uuid(), now());
    assert!(db.store.record_sent_mail(claimed, later(2), Some(orphan)).await.is_err());
    assert!(matches!(db.store.mails_of(mail.card_id).await.unwrap()[1].state, MailState::Due(_)));
}

async fn finished_mails_expire_and_queued_ones_do_not(db: &TestDatabase) {
    let (sent, waiting) = (queued(db).await, queued(db).await);
    let claimed = db.store.claim_mail(now(), later(60)).await.unwrap().expect("a mail");
    db.store.record_sent_mail(claimed.clone(), now(), None).await.unwrap();
    assert_eq!(db.store.delete_expired_mails(now()).await.unwrap(), 0, "it is not older than that");
    assert_eq!(db.store.delete_expired_mails(later(1)).await.unwrap(), 1);
    let left = [&sent, &waiting].into_iter().find(|mail| mail.id != claimed.id).expect("the other one");
    assert_eq!(db.count("mails").await, 1);
    assert_eq!(db.store.mails_of(left.card_id).await.unwrap(), std::slice::from_ref(left));
}
