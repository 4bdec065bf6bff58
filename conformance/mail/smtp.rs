//! Delivery by SMTP: temporary and permanent refusals, and a missing server (decisions S10).

use card_service::base::limits;
use card_service::model::{Card, Mail, MailState};
use card_service::store::CardScope;
use chrono::Duration;
use serde_json::json;

use crate::app::family::{Browser, customizer};
use crate::app::mail::SmtpServer;
use crate::app::{FreshDatabase, TestApp, card_id};

async fn app_with(database: &FreshDatabase, smtp: &str, name: &str) -> TestApp {
    TestApp::start_with(database, name, &[("SMTP_URL", smtp), ("MAIL_FROM", "Gedenkkaart <post@kaarten.example>")])
        .await
}

/// Orders and activates a card with this family contact, so that its order mail is queued.
async fn order(app: &TestApp, partner: &str, email: &str) -> String {
    let live = app.partner(partner).await.live().await;
    let input = json!({ "externalDossierId": "1", "familyContact": { "name": "Pieter", "email": email } });
    let gid = live.create(input).await.gid();
    app.online(&gid).await;
    gid
}

fn is_sent(mails: &[Mail]) -> bool {
    mails.iter().all(|mail| matches!(mail.state, MailState::Sent(_)))
}

on_both_databases! {
    async fn mail_reaches_a_real_server_with_both_its_parts(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "smtp").await;
        let gid = order(&app, "1", "pieter@voorbeeld.nl").await;
        let sent = server.received_mails(1).await.remove(0);
        let mail = app.queued_mails(&gid).await.remove(0);
        assert_eq!((sent.to.as_str(), sent.message_id), ("pieter@voorbeeld.nl", format!("{}@kaarten.example", mail.id)));
        assert_eq!(sent.subject, "Uw bestelling van de gedenkkaart voor Johanna");
        assert!(sent.text.lines().any(|line| line == "Beste Pieter,"), "{}", sent.text);
        for part in [&sent.text, &sent.html] {
            assert!(part.contains("/kaart/") && part.contains("/gasten/open/"), "{part}");
        }
        app.queued_until(&gid, is_sent).await;
    }

    async fn mail_needs_no_smtputf8_for_a_domain_outside_ascii(database: FreshDatabase) {
        let server = SmtpServer::start();
        let sender = ("MAIL_FROM", "Gedenkkaart <post@kärten.example>");
        let app = TestApp::start_with(&database, "idn", &[("SMTP_URL", &server.url()), sender]).await;
        let gid = order(&app, "1", "a@münchen.de").await;
        let sent = server.received_mails(1).await.remove(0);
        assert_eq!((sent.to.as_str(), sent.from.1.as_str()), ("a@xn--mnchen-3ya.de", "post@xn--krten-gra.example"));
        assert!(sent.message_id.ends_with("@xn--krten-gra.example"), "{}", sent.message_id);
        app.queued_until(&gid, is_sent).await;
        assert_eq!(app.row(&gid).await.family_contact.email.as_deref(), Some("a@münchen.de"), "it is kept as typed");
        // The server repeats the address in ASCII, which is not stored with the mail.
        let gid = order(&app, "2", "unknown@münchen.de").await;
        let queued = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Refused(_))).await;
        assert_eq!(queued[0].answer.as_deref(), Some("550 5.1.1 …: nobody of that name"));
    }

    /// Earlier releases accepted such addresses.
    async fn stored_address_without_a_delivery_is_refused_at_once(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "stored").await;
        for (number, email) in ["\"a@b\"@c.nl", "zoë@voorbeeld.nl"].into_iter().enumerate() {
            let live = app.partner(email).await.live().await;
            let gid = live.draft(&number.to_string()).await;
            let store = move |card: &mut Card| {
                card.family_contact.email = Some(email.to_owned());
                Ok::<_, ()>(Vec::new())
            };
            let changed = app.store().change_card(CardScope::Any { id: card_id(&gid) }, app.now(), store).await;
            changed.expect("the store answers").expect("a card");
            assert_eq!(live.card(&gid).await["familyContact"]["email"], email, "it is read as it is");
            app.online(&gid).await;
            let queued = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Refused(_))).await;
            assert_eq!(queued[0].attempts, 1);
            assert!(queued[0].answer.as_deref().is_some_and(|said| said.contains("no mail can be sent to the address")), "{queued:?}");
            let page = Browser::at_customizer(&live, &gid).await.get(&customizer(&gid, "besteld")).await.text();
            for piece in ["kan geen e-mail worden gestuurd.", "Neem contact op met"] {
                assert!(page.contains(piece) && !page.contains("no mail can be sent"), "{piece}: {page}");
            }
        }
        server.received_mails(0).await;
    }

    async fn mail_that_is_refused_for_now_is_tried_again_after_its_wait(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "busy").await;
        let gid = order(&app, "1", "busy@voorbeeld.nl").await;
        for (attempt, wait) in (1..).zip(&limits::MAIL_RETRY_AFTER[..2]) {
            app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(attempt)).await;
            if attempt == 2 {
                server.is_free_again();
            }
            app.pass(Duration::from_std(*wait).expect("a wait fits"));
        }
        assert_eq!(server.received_mails(1).await[0].to, "busy@voorbeeld.nl");
        let queued = app.queued_until(&gid, is_sent).await;
        assert_eq!(queued[0].attempts, 3);
    }

    async fn delayed_order_mail_reaches_the_address_of_the_order(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "cleared").await;
        let live = app.partner("1").await.live().await;
        let contact = json!({ "name": "Pieter", "email": "busy@voorbeeld.nl" });
        let gid = live.create(json!({ "externalDossierId": "1", "familyContact": contact })).await.gid();
        app.online(&gid).await;
        app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(1)).await;
        live.update(&gid, json!({ "familyContact": null })).await.gid();
        server.is_free_again();
        app.pass(Duration::from_std(limits::MAIL_RETRY_AFTER[0]).expect("a wait fits"));
        let sent = server.received_mails(1).await.remove(0);
        assert_eq!(sent.to, "busy@voorbeeld.nl");
        assert!(sent.text.contains("/kaart/") && sent.text.contains("/gasten/open/"), "{}", sent.text);
        app.queued_until(&gid, is_sent).await;
    }

    async fn refused_mail_is_not_retried_and_keeps_the_server_reply(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "unknown").await;
        // The recipient and the contents.
        for (count, (email, answer)) in (1..).zip([
            ("unknown@voorbeeld.nl", "550 5.1.1 …: nobody of that name"),
            ("spam@voorbeeld.nl", "554 5.6.0 this is not wanted"),
        ]) {
            let gid = order(&app, email, email).await;
            let queued = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Refused(_))).await;
            assert_eq!((queued[0].attempts, queued[0].answer.as_deref()), (1, Some(answer)));
            assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"refused\"}").await, f64::from(count));
        }
        assert_eq!(app.mail_figure("queued").await, 0.0);
        server.received_mails(0).await;
        assert!(app.is_warned("one to the address of an order was refused").await);
        app.pass(Duration::hours(25));
        assert!(!app.is_warned("was refused").await, "it was logged for a day");
    }

    async fn mail_fails_after_its_last_attempt_and_delays_no_other(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "given up").await;
        let gid = order(&app, "1", "busy@voorbeeld.nl").await;
        for (attempt, wait) in (1..).zip(limits::MAIL_RETRY_AFTER) {
            app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(attempt)).await;
            if attempt == 2 {
                let other = order(&app, "2", "aal@voorbeeld.nl").await;
                app.queued_until(&other, is_sent).await;
            }
            app.pass(Duration::from_std(wait).expect("a wait fits"));
        }
        let queued = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::GivenUp(_))).await;
        assert_eq!(queued[0].attempts, limits::MAIL_RETRY_AFTER.len() as i32 + 1);
        assert_eq!(queued[0].answer.as_deref(), Some("450 4.2.0 …: come back later"));
        assert_eq!(server.received_mails(1).await[0].to, "aal@voorbeeld.nl");
        assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"given_up\"}").await, 1.0);
        assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"retried\"}").await, 7.0);
        assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"sent\"}").await, 1.0);
        assert!(app.is_warned("a mail was given up").await);
    }

    async fn mail_waits_for_a_server_that_is_not_there(database: FreshDatabase) {
        let gone = SmtpServer::start().url(); // it ends here
        let app = app_with(&database, &gone, "gone").await;
        let gid = order(&app, "1", "pieter@voorbeeld.nl").await;
        let queued = app.queued_until(&gid, |mails| app.waits_for_server(&mails[0]).is_some()).await;
        assert!(queued[0].answer.as_deref().is_some_and(|answer| answer.contains("cannot be reached")), "{queued:?}");
        assert_eq!(app.mail_figure("queued").await, 1.0);
        assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"retried\"}").await, 1.0);
        assert!(!app.is_warned("a mail has waited").await);
        app.pass(Duration::minutes(16));
        let next = Duration::minutes(16 + 15);
        app.queued_until(&gid, |mails| app.waits_for_server(&mails[0]) == Some(next)).await;
        assert!(app.mail_figure("waiting_seconds").await >= 16.0 * 60.0);
        assert!(app.is_warned("a mail has waited for more than 15 minutes").await);
        assert!(app.is_warned("the mail server of SMTP_URL accepts no connection").await);
    }

    async fn mails_to_several_recipients_that_wait_are_a_page(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "several").await;
        let mut waiting = Vec::new();
        for (count, host) in (1..).zip(["a.nl", "b.nl", "c.nl"]) {
            let gid = order(&app, host, &format!("busy@{host}")).await;
            app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(1)).await;
            waiting.push(gid);
            app.pass(Duration::minutes(16));
            for gid in &waiting {
                // Until then they are overdue, which is a page too.
                app.queued_until(gid, |mails| mails[0].state.time() > app.now() && !app.is_claimed(&mails[0])).await;
            }
            assert!(app.is_warned("a mail has waited for more than 15 minutes").await, "{host}");
            let is_page = app.is_warned("mails to several recipients have waited").await;
            assert_eq!(is_page, count >= limits::MAIL_RECIPIENTS_WAITING, "{host}");
        }
    }
}
