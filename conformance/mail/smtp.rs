//! The way out: a real SMTP server, refusals for now and for good, and one that is not there (decisions S10).

use card_service::base::limits;
use card_service::model::{Mail, MailState};
use chrono::Duration;
use serde_json::json;

use crate::app::mail::SmtpServer;
use crate::app::{FreshDatabase, TestApp};

async fn app_with(database: &FreshDatabase, smtp: &str, name: &str) -> TestApp {
    TestApp::start_with(database, name, &[("SMTP_URL", smtp), ("MAIL_FROM", "Gedenkkaart <post@kaarten.example>")])
        .await
}

/// A card that is ordered and online, with this family contact: its order mail is on its way.
async fn ordered(app: &TestApp, partner: &str, email: &str) -> String {
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
        let gid = ordered(&app, "1", "pieter@voorbeeld.nl").await;
        let sent = server.taken(1).await.remove(0);
        let mail = app.queued(&gid).await.remove(0);
        assert_eq!((sent.to.as_str(), sent.message_id), ("pieter@voorbeeld.nl", format!("{}@kaarten.example", mail.id)));
        assert_eq!(sent.subject, "Uw bestelling van de gedenkkaart voor Johanna");
        assert!(sent.text.starts_with("Geachte Pieter,"), "{}", sent.text);
        for part in [&sent.text, &sent.html] {
            assert!(part.contains("/kaart/") && part.contains("/gasten/open/"), "{part}");
        }
        app.queued_until(&gid, is_sent).await;
        app.stop().await;
    }

    async fn mail_that_is_refused_for_now_is_tried_again_after_its_wait(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "busy").await;
        let gid = ordered(&app, "1", "busy@voorbeeld.nl").await;
        for (attempt, wait) in (1..).zip(&limits::MAIL_RETRY_AFTER[..2]) {
            app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(attempt)).await;
            if attempt == 2 {
                server.is_free_again();
            }
            app.pass(Duration::from_std(*wait).expect("a wait fits"));
        }
        assert_eq!(server.taken(1).await[0].to, "busy@voorbeeld.nl");
        let queued = app.queued_until(&gid, is_sent).await;
        assert_eq!(queued[0].attempts, 3);
        app.stop().await;
    }

    async fn order_mail_that_waits_for_the_server_reaches_the_address_of_the_order(database: FreshDatabase) {
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
        let sent = server.taken(1).await.remove(0);
        assert_eq!(sent.to, "busy@voorbeeld.nl");
        assert!(sent.text.contains("/kaart/") && sent.text.contains("/gasten/open/"), "{}", sent.text);
        app.queued_until(&gid, is_sent).await;
        app.stop().await;
    }

    async fn mail_that_is_refused_for_good_is_given_up_at_once(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "unknown").await;
        let gid = ordered(&app, "1", "unknown@voorbeeld.nl").await;
        let queued = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Failed(_))).await;
        assert_eq!(queued[0].attempts, 1);
        server.taken(0).await;
        app.stop().await;
    }

    async fn mail_is_given_up_after_its_last_attempt_and_others_are_not_held_up(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server.url(), "given up").await;
        let gid = ordered(&app, "1", "busy@voorbeeld.nl").await;
        for (attempt, wait) in (1..).zip(limits::MAIL_RETRY_AFTER) {
            app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(attempt)).await;
            if attempt == 2 {
                let other = ordered(&app, "2", "aal@voorbeeld.nl").await;
                app.queued_until(&other, is_sent).await;
            }
            app.pass(Duration::from_std(wait).expect("a wait fits"));
        }
        let queued = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Failed(_))).await;
        assert_eq!(queued[0].attempts, limits::MAIL_RETRY_AFTER.len() as i32 + 1);
        assert_eq!(server.taken(1).await[0].to, "aal@voorbeeld.nl");
        app.stop().await;
    }

    async fn mail_waits_for_a_server_that_is_not_there(database: FreshDatabase) {
        let gone = SmtpServer::start().url(); // it ends here
        let app = app_with(&database, &gone, "gone").await;
        let gid = ordered(&app, "1", "pieter@voorbeeld.nl").await;
        let queued = app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(1)).await;
        assert_eq!(queued[0].attempts, 1);
        app.stop().await;
    }
}
