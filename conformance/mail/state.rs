//! The state of every mail, as the family and the operator see it, and `mail resend` (decisions S6, S10).

use std::collections::BTreeMap;

use card_service::base::limits;
use card_service::model::{Mail, MailKind, MailState, MailStateKind};
use card_service::operation::partner::PartnerSetting;
use chrono::Duration;
use serde_json::{Value, json};

use crate::app::family::{Browser, customizer, path_of};
use crate::app::mail::SmtpServer;
use crate::app::{Caller, FreshDatabase, TestApp, card_id};

const ANSWER: &str = "550 5.1.1 …: nobody of that name";

async fn app_with(database: &FreshDatabase, server: &SmtpServer, name: &str) -> TestApp {
    TestApp::start_with(database, name, &[("SMTP_URL", &server.url())]).await
}

async fn card(caller: &Caller, dossier: &str, email: &str) -> String {
    let contact = json!({ "name": "Pieter", "email": email });
    caller.create(json!({ "externalDossierId": dossier, "familyContact": contact })).await.gid()
}

/// The page after the order.
async fn ordered_page(caller: &Caller, gid: &str) -> String {
    Browser::at_customizer(caller, gid).await.get(&customizer(gid, "besteld")).await.text()
}

/// The states of a card's mails, oldest first.
async fn states(app: &TestApp, gid: &str) -> Vec<MailStateKind> {
    app.queued_mails(gid).await.iter().map(|mail| mail.state.kind()).collect()
}

fn ids(listed: &Value) -> Vec<String> {
    listed["mails"]
        .as_array()
        .expect("mails")
        .iter()
        .map(|mail| mail["id"].as_str().expect("an id").to_owned())
        .collect()
}

on_both_databases! {
    async fn refused_order_mail_is_shown_and_sent_again(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server, "refused").await;
        app.catch_up();
        let live = app.live().await;
        let gid = card(&live, "1", "unknown@voorbeeld.nl").await;
        app.online(&gid).await;
        let mail = app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Refused(_))).await.remove(0);
        let page = ordered_page(&live, &gid).await;
        for piece in [
            "De e-mail over uw bestelling is niet bezorgd. De mailserver van unknown@voorbeeld.nl neemt het bericht niet aan.",
            &format!("Antwoord van de mailserver: <q>{ANSWER}</q>"),
            "Neem contact op met Uitvaart Noord en vraag om een nieuwe link",
        ] {
            assert!(page.contains(piece), "{piece}: {page}");
        }
        let operator = app.operator();
        let listed = operator.json(&["mail", "list", "--state", "refused"]);
        assert_eq!(listed, json!({ "mails": [{
            "id": mail.id.to_string(), "card": gid, "kind": "ORDER", "invitee": null, "state": "REFUSED",
            "createdAt": mail.created_at.to_string(), "dueAt": null, "sentAt": null,
            "failedAt": listed["mails"][0]["failedAt"], "attempts": 1, "answer": ANSWER, "blockedSince": null,
        }] }));
        assert!(listed["mails"][0]["failedAt"].is_string(), "{listed}");
        assert_eq!(operator.json(&["card", "show", &gid])["card"]["mails"], listed["mails"]);
        for text in [operator.text(&["card", "show", &gid]), operator.text(&["mail", "list", "--card", &gid])] {
            assert!(text.contains("REFUSED") && text.contains(ANSWER) && !text.contains("voorbeeld.nl"), "{text}");
        }

        server.is_free_again();
        let again = operator.json(&["mail", "resend", &mail.id.to_string()]);
        assert_eq!((&again["mail"]["state"], &again["mail"]["kind"]), (&json!("QUEUED"), &json!("ORDER")));
        app.catch_up();
        let sent = server.received_mails(1).await.remove(0);
        let id = again["mail"]["id"].as_str().expect("an id");
        assert_eq!((sent.to.as_str(), sent.message_id.starts_with(id)), ("unknown@voorbeeld.nl", true));
        assert!(sent.text.contains("/kaart/") && sent.text.contains("/gasten/open/"), "{}", sent.text);
        app.queued_until(&gid, |mails| matches!(mails[1].state, MailState::Sent(_))).await;
        assert_eq!(states(&app, &gid).await, [MailStateKind::Refused, MailStateKind::Sent]);
        let page = ordered_page(&live, &gid).await;
        assert!(page.contains(" verstuurd naar unknown@voorbeeld.nl.") && !page.contains("niet bezorgd"), "{page}");
        let newest_first = [id.to_owned(), mail.id.to_string()];
        assert_eq!(ids(&operator.json(&["mail", "list"])), newest_first);
        assert_eq!(ids(&operator.json(&["mail", "list", "--limit", "1"])), newest_first[..1]);
        assert_eq!(ids(&operator.json(&["mail", "list", "--card", &gid, "--state", "sent"])), newest_first[..1]);
        for state in ["queued", "given-up"] {
            assert_eq!(operator.text(&["mail", "list", "--state", state]), "There are no such mails.\n");
        }
        let noted: Vec<_> = operator.audit_records().into_iter().map(|(command, ..)| command).collect();
        assert_eq!(noted, ["mail resend"]);
    }

    async fn all_mails_that_failed_since_a_time_are_sent_again_once(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server, "all that failed").await;
        app.catch_up();
        let live = app.live().await;
        let mut cards = Vec::new();
        for (number, email) in ["unknown@a.nl", "unknown@b.nl", "pieter@voorbeeld.nl"].into_iter().enumerate() {
            let gid = card(&live, &number.to_string(), email).await;
            app.online(&gid).await;
            app.queued_until(&gid, |mails| !matches!(mails[0].state, MailState::Due(_))).await;
            cards.push(gid);
        }
        server.is_free_again();
        let operator = app.operator();
        let none = ["mail", "resend", "--failed-since", "2100-01-01T00:00:00Z"];
        assert_eq!(operator.text(&none), "No mail failed since then that was not sent again.\n");
        let all = ["mail", "resend", "--failed-since", "2026-01-01T00:00:00Z"];
        let again = operator.json(&all);
        assert_eq!((again["mails"].as_array().map(Vec::len), &again["complete"]), (Some(2), &json!(true)), "{again}");
        assert_eq!(operator.json(&all)["mails"], json!([]), "each is sent again once");
        app.catch_up();
        server.received_mails(3).await;
        for (gid, expected) in cards.iter().zip([vec!["REFUSED", "SENT"], vec!["REFUSED", "SENT"], vec!["SENT"]]) {
            let is_done = |mails: &[Mail]| mails.iter().all(|mail| mail.state.kind() != MailStateKind::Queued);
            let mails = app.queued_until(gid, is_done).await;
            let mut states: Vec<_> = mails.iter().map(|mail| mail.state.kind().as_str()).collect();
            states.sort_unstable(); // the clocks of the command and of the test differ
            assert_eq!(states, expected);
        }
        let noted: Vec<_> = operator.audit_records().into_iter().map(|(command, ..)| command).collect();
        assert_eq!(noted, ["mail resend"]);
        for wrong in [vec!["mail", "resend"], vec!["mail", "resend", "1", "--failed-since", "1h"]] {
            assert_eq!(operator.run(&wrong).status.code(), Some(2), "{wrong:?}");
        }
    }

    async fn only_a_finished_mail_is_sent_again(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server, "finished").await;
        let live = app.live().await;
        let gid = card(&live, "1", "busy@voorbeeld.nl").await;
        app.online(&gid).await;
        let mail = app.queued_until(&gid, |mails| app.waits(&mails[0]) == Some(1)).await.remove(0);
        let page = ordered_page(&live, &gid).await;
        let message = "De e-mail over uw bestelling kon nog niet worden verstuurd naar busy@voorbeeld.nl. Wij proberen het opnieuw.";
        assert!(page.contains(message) && !page.contains("450"), "{page}");
        let id = mail.id.to_string();
        let refused = app.operator().expect_failure(&["mail", "resend", &id]);
        assert_eq!(refused, format!("The mail {id} is queued: the server sends it without a command.\n"));
        for unknown in ["1", "00000000-0000-7000-8000-000000000000"] {
            assert_eq!(app.operator().expect_failure(&["mail", "resend", unknown]), format!("There is no mail {unknown}.\n"));
        }
        assert_eq!(app.queued_mails(&gid).await.len(), 1);
        let listed = app.operator().json(&["mail", "list", "--state", "queued"]);
        assert_eq!((ids(&listed), &listed["mails"][0]["attempts"]), (vec![id], &json!(1)));
    }

    async fn order_mail_that_was_given_up_says_whom_to_ask(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        let gid = card(&test, "1", "pieter@voorbeeld.nl").await;
        app.order(&gid).await;
        let page = ordered_page(&test, &gid).await;
        assert!(page.contains("De e-mail over uw bestelling wordt verstuurd naar test@partner.example."), "{page}");
        app.set("Noord", PartnerSetting::TestAddress(None)).await;
        app.goes_online(&gid).await;
        app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::GivenUp(_))).await;
        let page = ordered_page(&test, &gid).await;
        assert!(page.contains("is niet bezorgd bij test@partner.example.") && page.contains("contact op met Noord"), "{page}");
        assert!(!page.contains("pieter@voorbeeld.nl") && !page.contains("test address"), "{page}");
        let lost = app.operator().json(&["mail", "list", "--state", "given-up"]);
        assert_eq!(lost["mails"][0]["answer"], "the card is of test mode, and its partner has no test address");
    }

    async fn order_mail_sent_again_adds_no_second_mail_about_the_card(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "again", &[("CARD_ACTIVATION", "operator")]).await;
        let live = app.live().await;
        let gid = card(&live, "1", "pieter@voorbeeld.nl").await;
        app.catch_up();
        app.order(&gid).await;
        let order = app.due_until(&gid, |mails| mails.len() == 2).await.remove(0);
        let page = ordered_page(&live, &gid).await;
        assert!(!page.contains("met de link naar de kaart"), "it waits for the card: {page}");
        app.operator().json(&["mail", "resend", &order.id.to_string()]);
        let is_sent = |mail: &Mail| matches!(mail.state, MailState::Sent(_));
        app.due_until(&gid, |mails| mails.iter().filter(|mail| is_sent(mail)).count() == 2).await;
        app.activate(&gid).await;
        let mails = app.due_until(&gid, |mails| mails.iter().all(is_sent)).await;
        app.mails(3).await;
        let count = |kind| mails.iter().filter(|mail| mail.kind == kind).count();
        assert_eq!((count(MailKind::Order), count(MailKind::CardOnline)), (2, 1));
        let page = ordered_page(&live, &gid).await;
        assert!(page.contains("De e-mail met de link naar de kaart is op "), "{page}");
    }

    async fn invitee_list_shows_which_invitations_were_not_delivered(database: FreshDatabase) {
        let server = SmtpServer::start();
        let app = app_with(&database, &server, "invitations").await;
        let live = app.live().await;
        let gid = card(&live, "1", "pieter@voorbeeld.nl").await;
        app.online(&gid).await;
        let list = format!("/gasten/{}", card_id(&gid));
        let mut browser = Browser::new(&app);
        browser.open(&path_of(&live.link(&gid, "INVITEE_LIST").await)).await;
        let people = [("n", "Aal"), ("e", "aal@voorbeeld.nl"), ("n", "Bep"), ("e", "busy@voorbeeld.nl"), ("n", "Cor"),
                      ("e", "unknown@voorbeeld.nl")];
        let hidden = browser.get(&list).await.hidden_fields();
        browser.post(&format!("{list}/overnemen"), &hidden, &people).await;
        let invite_all = async |browser: &mut Browser| {
            browser.post(&format!("{list}/lijst"), &hidden, &[("allen", "ja")]).await.header("location").map(str::to_owned)
        };
        invite_all(&mut browser).await;
        app.queued_until(&gid, |mails| mails.len() == 4 && mails.iter().all(|mail| match mail.state {
            MailState::Due(_) => app.waits(mail) == Some(1),
            _ => true,
        })).await;
        let page = browser.get(&list).await.text();
        for (name, state) in [
            ("Aal", "<p class=\"state\">Verstuurd op 10 november 2026 om 09.30 uur</p>".to_owned()),
            ("Bep", "<p class=\"state\">De uitnodiging kon nog niet worden verstuurd. Wij proberen het opnieuw.</p>".to_owned()),
            ("Cor", "<p class=\"state failed\">Niet bezorgd op 10 november 2026 om 09.30 uur</p>".to_owned()),
            ("Cor", "Controleer het e-mailadres. Klopt het niet? Wijzig het dan.".to_owned()),
            ("Cor", format!("Antwoord van de mailserver: <q>{ANSWER}</q>")),
        ] {
            let person = page.split("<li>").find(|item| item.contains(&format!(">{name}</h3>"))).expect(name);
            assert!(person.contains(&state), "{name}, {state}: {person}");
        }
        assert_eq!(invite_all(&mut browser).await.as_deref(), Some(format!("{list}?melding=niemand").as_str()));
        let counts = async || {
            let invitees = app.store().invitees_of(card_id(&gid)).await.expect("the store answers");
            // Those that were added in one millisecond are in no order.
            invitees.into_iter().map(|invitee| (invitee.name, invitee.mail_count)).collect::<BTreeMap<_, _>>()
        };
        let counted = |bep: i32| BTreeMap::from([("Aal".to_owned(), 1), ("Bep".to_owned(), bep), ("Cor".to_owned(), 0)]);
        assert_eq!(counts().await, counted(0), "what the server took");
        server.is_free_again();
        app.pass(Duration::from_std(limits::MAIL_RETRY_AFTER[0]).expect("a wait fits"));
        app.queued_until(&gid, |mails| mails.iter().all(|mail| !matches!(mail.state, MailState::Due(_)))).await;
        assert_eq!(counts().await, counted(1));
    }
}
