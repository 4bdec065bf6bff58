//! TLS to the mail server: STARTTLS (RFC 3207) and implicit TLS (RFC 8314). If it fails, nothing is sent in the clear and
//! the mail waits (decisions S10).

use card_service::base::limits;
use card_service::model::MailState;
use chrono::Duration;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::json;

use crate::app::mail::{SmtpServer, SmtpTls};
use crate::app::{FreshDatabase, TestApp};

/// Returns a certificate for this name as PEM, without and with its key.
fn certificate(name: &str) -> (String, String) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(vec![name.to_owned()]).expect("a certificate can be made");
    (cert.pem(), cert.pem() + &signing_key.serialize_pem())
}

/// Starts an app that sends its mail to `smtp` and trusts these roots.
async fn app_with(database: &FreshDatabase, smtp: &str, roots: &[&str]) -> TestApp {
    let file = database.folder.path().join("mail-roots.pem");
    std::fs::write(&file, roots.concat()).expect("a file");
    let file = file.to_str().expect("UTF-8");
    TestApp::start_with(database, "smtp over TLS", &[("SMTP_URL", smtp), ("EGRESS_CA", file)]).await
}

/// Orders and activates a card, so that its order mail is queued.
async fn order(app: &TestApp) -> String {
    let input = json!({ "externalDossierId": "1", "familyContact": { "email": "pieter@voorbeeld.nl" } });
    let gid = app.live().await.create(input).await.gid();
    app.online(&gid).await;
    gid
}

/// The first wait for the mail server.
fn retry() -> Duration {
    Duration::from_std(limits::MAIL_BLOCKED_RETRY[0]).expect("a wait fits")
}

/// Asserts that a mail reaches a trusted server with this kind of TLS.
async fn goes_over(tls: SmtpTls, database: FreshDatabase) {
    let (root, with_key) = certificate("127.0.0.1");
    let server = SmtpServer::speaking(tls, &with_key);
    let app = app_with(&database, &server.url(), &[&root]).await;
    let gid = order(&app).await;
    let sent = server.received_mails(1).await.remove(0);
    assert_eq!((sent.to.as_str(), sent.came_over.as_deref()), ("pieter@voorbeeld.nl", Some("TLS")));
    assert!(!server.heard_in_the_clear());
    app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Sent(_))).await;
}

on_both_databases! {
    async fn mail_turns_to_tls_before_anything_is_said(database: FreshDatabase) {
        goes_over(SmtpTls::StartTls, database).await;
    }

    async fn mail_goes_over_tls_from_the_first_byte(database: FreshDatabase) {
        goes_over(SmtpTls::Implicit, database).await;
    }

    async fn mail_waits_until_the_certificate_is_valid(database: FreshDatabase) {
        let (root, right) = certificate("127.0.0.1");
        let (elsewhere_root, elsewhere) = certificate("post.example");
        let (_, unknown) = certificate("127.0.0.1");
        let server = SmtpServer::speaking(SmtpTls::StartTls, &unknown);
        let app = app_with(&database, &server.url(), &[&root, &elsewhere_root]).await;
        let gid = order(&app).await;
        // A certificate of an unknown root, and then one of a trusted root for another name.
        for (attempt, next) in [(1, &elsewhere), (2, &right)] {
            let wait = retry() * attempt;
            app.queued_until(&gid, |mails| app.waits_for_server(&mails[0]) == Some(wait)).await;
            server.received_mails(0).await;
            assert!(!server.heard_in_the_clear(), "attempt {attempt}");
            server.certify(next);
            app.pass(retry());
        }
        assert_eq!(server.received_mails(1).await[0].came_over.as_deref(), Some("TLS"));
        assert!(!server.heard_in_the_clear());
    }

    async fn mail_over_implicit_tls_waits_until_the_certificate_is_valid(database: FreshDatabase) {
        let (root, right) = certificate("127.0.0.1");
        let (_, unknown) = certificate("127.0.0.1");
        let server = SmtpServer::speaking(SmtpTls::Implicit, &unknown);
        let app = app_with(&database, &server.url(), &[&root]).await;
        let gid = order(&app).await;
        app.queued_until(&gid, |mails| app.waits_for_server(&mails[0]).is_some()).await;
        server.received_mails(0).await;
        server.certify(&right);
        app.pass(retry());
        assert_eq!(server.received_mails(1).await[0].came_over.as_deref(), Some("TLS"));
        assert!(!server.heard_in_the_clear());
    }

    async fn mail_waits_for_a_server_without_the_required_tls(database: FreshDatabase) {
        let server = SmtpServer::start();
        let (root, _) = certificate("127.0.0.1");
        let app = app_with(&database, &format!("{}?tls=required", server.url()), &[&root]).await;
        let gid = order(&app).await;
        app.queued_until(&gid, |mails| app.waits_for_server(&mails[0]).is_some()).await;
        server.received_mails(0).await;
        assert!(!server.heard_in_the_clear());
    }

    async fn mail_is_never_sent_in_the_clear_when_tls_is_not_trusted(database: FreshDatabase) {
        let ((root, _), (_, unknown)) = (certificate("127.0.0.1"), certificate("127.0.0.1"));
        let server = SmtpServer::speaking(SmtpTls::StartTls, &unknown);
        let opportunistic = server.url().replace("required", "opportunistic");
        let app = app_with(&database, &opportunistic, &[&root]).await;
        let gid = order(&app).await;
        app.queued_until(&gid, |mails| app.waits_for_server(&mails[0]).is_some()).await;
        server.received_mails(0).await;
        assert!(!server.heard_in_the_clear());
    }
}
