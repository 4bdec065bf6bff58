//! Whose fault a failed mail is (decisions S10a): the answers of a scripted mail server at each stage. `mail/fault.rs` of the
//! service has the table of answers; this one holds what becomes of the mail, and of the checks.

use std::sync::{Arc, Mutex};

use card_service::base::limits;
use card_service::model::{Mail, MailStateKind};
use chrono::Duration;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::app::{FreshDatabase, TestApp};

/// An SMTP server that takes every mail, except at the stage of its script.
#[derive(Clone)]
struct ScriptedServer {
    /// The stage (`CONNECT`, a verb, or `MESSAGE`) with its answer.
    script: Arc<Mutex<(&'static str, &'static str)>>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl ScriptedServer {
    /// Starts a server that offers these extensions; returns it with its address for a user with a password.
    async fn start(extensions: &'static str) -> (Self, String) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("smtp://kaart:geheim@{}", listener.local_addr().expect("an address"));
        let server = Self { script: Arc::default(), heard: Arc::default() };
        let serving = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let server = serving.clone();
                tokio::spawn(async move { server.serve(stream, extensions).await });
            }
        });
        (server, url)
    }

    fn answer_at(&self, stage: &'static str, answer: &'static str) {
        *self.script.lock().expect("no test panics here") = (stage, answer);
    }

    fn answer(&self, stage: &str, usual: &str) -> String {
        let (scripted, answer) = *self.script.lock().expect("no test panics here");
        if scripted == stage { answer.to_owned() } else { usual.to_owned() }
    }

    fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no test panics here").clone()
    }

    /// Serves a connection until the client or the script ends it.
    async fn serve(&self, stream: TcpStream, extensions: &str) -> Option<()> {
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read).lines();
        let greeting = self.answer("CONNECT", "220 scripted ESMTP");
        write.write_all(format!("{greeting}\r\n").as_bytes()).await.ok()?;
        while let Some(line) = lines.next_line().await.ok()? {
            self.heard.lock().expect("no test panics here").push(line.clone());
            let verb = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
            let usual = match verb.as_str() {
                "EHLO" => &format!("250-scripted\r\n250 {extensions}"),
                "AUTH" => "235 2.7.0 welcome",
                "DATA" => "354 go on",
                "QUIT" => "221 2.0.0 bye",
                _ => "250 2.0.0 fine",
            };
            let answer = self.answer(&verb, usual);
            write.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
            if verb == "DATA" && answer.starts_with("354") {
                while lines.next_line().await.ok()?? != "." {}
                let answer = self.answer("MESSAGE", "250 2.0.0 taken");
                write.write_all(format!("{answer}\r\n").as_bytes()).await.ok()?;
            }
        }
        Some(())
    }
}

async fn app_with(database: &FreshDatabase, smtp: &str, name: &str) -> TestApp {
    TestApp::start_with(database, name, &[("SMTP_URL", smtp), ("MAIL_FROM", "Gedenkkaart <post@kaarten.example>")])
        .await
}

/// What became of a mail after its first attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    /// Waits for the mail server; the attempt does not count.
    Blocked,
    /// Waits for its recipient.
    Deferred,
    Refused,
    Sent,
}

fn fate(mail: &Mail) -> Fate {
    match (mail.state.kind(), mail.blocked_since.is_some(), mail.attempts) {
        (MailStateKind::Queued, true, 0) => Fate::Blocked,
        (MailStateKind::Queued, false, 1) => Fate::Deferred,
        (MailStateKind::Refused, false, 1) => Fate::Refused,
        (MailStateKind::Sent, ..) => Fate::Sent,
        other => panic!("{other:?}"),
    }
}

on_both_databases! {
    async fn refusal_before_the_recipient_waits_for_the_operator(database: FreshDatabase) {
        let (server, url) = ScriptedServer::start("AUTH PLAIN LOGIN").await;
        let app = app_with(&database, &url, "whose fault").await;
        let live = app.live().await;
        let mut cards = Vec::new();
        for (number, (stage, answer, expected)) in [
            ("RCPT", "250 2.1.5 fine", Fate::Sent),
            ("RCPT", "550 5.1.1 nobody of that name", Fate::Refused),
            ("RCPT", "552 5.2.2 mailbox full", Fate::Refused),
            ("MESSAGE", "552 5.3.4 too big", Fate::Refused),
            ("RCPT", "452 4.2.2 mailbox full", Fate::Deferred),
            ("RCPT", "450 4.2.0 greylisted", Fate::Deferred),
            ("CONNECT", "554 5.7.1 no service for you", Fate::Blocked),
            ("EHLO", "504 5.5.2 need fully-qualified hostname", Fate::Blocked),
            ("AUTH", "535 5.7.8 authentication failed", Fate::Blocked),
            ("MAIL", "530 5.7.1 Authentication required", Fate::Blocked),
            ("MAIL", "553 5.7.1 sender address rejected: not owned by user", Fate::Blocked),
            ("MAIL", "452 4.3.1 insufficient system storage", Fate::Blocked),
            ("RCPT", "554 5.7.1 relay access denied", Fate::Blocked),
            ("RCPT", "454 4.7.1 relay access denied", Fate::Blocked),
            ("MESSAGE", "554 5.7.1 not permitted to send as this sender", Fate::Blocked),
        ].into_iter().enumerate() {
            server.answer_at(stage, answer);
            let contact = json!({ "name": "Pieter", "email": format!("pieter{number}@voorbeeld.nl") });
            let gid = live.create(json!({ "externalDossierId": number.to_string(), "familyContact": contact })).await.gid();
            app.online(&gid).await;
            let is_tried = |mails: &[Mail]| mails[0].answer.is_some() || mails[0].state.kind() == MailStateKind::Sent;
            let mail = app.queued_until(&gid, is_tried).await.remove(0);
            assert_eq!((fate(&mail), stage, answer), (expected, stage, answer), "{mail:?}");
            let stored = (expected != Fate::Sent).then_some(answer);
            assert_eq!(mail.answer.as_deref(), stored, "{stage}");
            cards.push((gid, expected));
        }
        let operator = app.operator().set("SMTP_URL", &url);
        let doctor = tokio::task::spawn_blocking(move || operator.run(&["doctor", "--json"])).await.expect("it ends");
        assert!(String::from_utf8_lossy(&doctor.stdout).contains("the mail server refuses the service"), "{doctor:?}");
        // RFC 5321, section 4.1.4.
        assert!(server.heard().contains(&"EHLO kaarten.example".to_owned()), "{:?}", server.heard());

        // The operator mends it: everything that waited leaves at its next attempt, and no attempt was counted.
        server.answer_at("CONNECT", "220 scripted ESMTP");
        app.pass(Duration::from_std(limits::MAIL_BLOCKED_RETRY[0]).expect("a wait fits"));
        for (gid, fate) in cards {
            if fate == Fate::Blocked {
                let mails = app.queued_until(&gid, |mails| mails[0].state.kind() == MailStateKind::Sent).await;
                assert_eq!((mails[0].attempts, &mails[0].answer), (1, &None));
            }
        }
        assert!(!app.store().mail_is_blocked().await.expect("the store answers"));
    }

    async fn mail_waits_for_days_for_a_server_that_lacks_what_it_needs(database: FreshDatabase) {
        let (server, url) = ScriptedServer::start("AUTH CRAM-MD5").await;
        let app = app_with(&database, &url, "lacking").await;
        let live = app.live().await;
        let contact = json!({ "email": "pieter@voorbeeld.nl" });
        let gid = live.create(json!({ "externalDossierId": "1", "familyContact": contact })).await.gid();
        app.online(&gid).await;
        let mail = app.queued_until(&gid, |mails| mails[0].answer.is_some()).await.remove(0);
        let words = "the mail server offers no way to log in that this service knows (AUTH PLAIN, AUTH LOGIN)";
        assert_eq!((fate(&mail), mail.answer.as_deref()), (Fate::Blocked, Some(words)));
        assert!(!server.heard().iter().any(|line| line.starts_with("MAIL")), "{:?}", server.heard());
        app.pass(Duration::from_std(limits::MAIL_BLOCKED_MAX).expect("days fit"));
        let mail = app.queued_until(&gid, |mails| mails[0].state.kind() == MailStateKind::GivenUp).await.remove(0);
        assert_eq!(mail.answer.as_deref(), Some(words));
        let operator = app.operator().set("SMTP_URL", &url);
        let test = move || operator.expect_failure(&["mail", "test", "a@voorbeeld.nl"]);
        let said = tokio::task::spawn_blocking(test).await.expect("it ends");
        assert!(said.contains(words), "{said}");
    }

    async fn order_mails_leave_at_once_when_their_cards_are_activated(database: FreshDatabase) {
        use card_service::model::{Actor, CardActivation};
        use card_service::operation;
        use crate::app::card_id;

        let (_server, url) = ScriptedServer::start("AUTH PLAIN").await;
        let app = app_with(&database, &url, "at once").await;
        let live = app.live().await;
        let mut cards = Vec::new();
        for number in 0..6 {
            let contact = json!({ "email": format!("pieter{number}@voorbeeld.nl") });
            let gid = live.create(json!({ "externalDossierId": number.to_string(), "familyContact": contact })).await.gid();
            app.complete(&gid).await;
            let ordered =
                operation::card::order_by_operator(app.services(), card_id(&gid), Actor::Family, CardActivation::Automatic).await;
            ordered.expect("the card can be ordered");
            cards.push(gid);
        }
        // The clock of the test stands still: a mail that is put off never leaves.
        for gid in cards {
            let mails = app.queued_until(&gid, |mails| mails[0].state.kind() == MailStateKind::Sent).await;
            assert_eq!((mails.len(), mails[0].attempts), (1, 1), "it holds the address of the card");
        }
    }

    async fn mail_that_a_clock_ahead_put_off_for_a_year_leaves(database: FreshDatabase) {
        let (server, url) = ScriptedServer::start("AUTH PLAIN").await;
        server.answer_at("RCPT", "450 4.2.0 greylisted");
        let app = app_with(&database, &url, "a year ahead").await;
        let live = app.live().await;
        let contact = json!({ "email": "pieter@voorbeeld.nl" });
        let gid = live.create(json!({ "externalDossierId": "1", "familyContact": contact })).await.gid();
        app.online(&gid).await;
        let mail = app.queued_until(&gid, |mails| mails[0].answer.is_some()).await.remove(0);
        server.answer_at("CONNECT", "220 scripted ESMTP");
        let year = Duration::days(365);
        app.store().postpone_mail(mail.clone(), app.now().plus(year), 1).await.expect("the store answers");
        card_service::worker::housekeeping::step(app.services()).await.expect("the store answers");
        app.due_until(&gid, |mails| mails[0].state.kind() == MailStateKind::Sent).await;
        assert!(app.now() < mail.created_at.plus(Duration::days(1)));
    }
}
