//! The order mail: contents, time and recipient (specification, sections 2.5 and 5; decisions S8, S10).

use card_service::base::limits;
use card_service::model::{Mail, MailKind, MailState, Visibility};
use card_service::operation::invitee;
use card_service::operation::partner::PartnerSetting;
use chrono::Duration;
use serde_json::json;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::mail::Sent;
use crate::app::picture::size_of;
use crate::app::{Caller, FreshDatabase, PUBLIC_BASE, TestApp, card_id, tamper};

/// Creates a card with a family contact.
async fn card(caller: &Caller, dossier: &str) -> String {
    let input = json!({
        "externalDossierId": dossier,
        "deceased": { "firstName": "Johanna", "lastName": "van der Meer" },
        "familyContact": { "name": "Pieter van der Meer", "email": "pieter@voorbeeld.nl" },
    });
    caller.create(input).await.gid()
}

/// Returns whether the worker has postponed the mail because its card is not online. Tests wait for it before they advance the
/// clock: a worker that still holds the mail would postpone it from the later time.
fn is_postponed(mail: &Mail) -> bool {
    mail.attempts == 0 && matches!(mail.state, MailState::Due(due) if due > mail.created_at)
}

on_both_databases! {
    async fn order_mail_goes_to_the_family_with_both_links(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        app.online(&gid).await;
        let mail = app.mails(1).await.remove(0);
        app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::Sent(_))).await;
        assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"written\"}").await, 1.0, "there is no mail server");
        assert_eq!(app.mail_figure("total{kind=\"ORDER\",outcome=\"sent\"}").await, 0.0);
        assert!(app.is_warned("SMTP_URL is not set while live keys exist").await);
        assert_eq!((mail.to.as_str(), mail.subject.as_str()),
            ("pieter@voorbeeld.nl", "Uw bestelling van de gedenkkaart voor Johanna van der Meer"));
        let card_url = live.card(&gid).await["cardUrl"].as_str().expect("an address").to_owned();
        assert_eq!(mail.link(&format!("{PUBLIC_BASE}/kaart/")), card_url);
        let order = app.store().order_of(card_id(&gid)).await.expect("the store answers").expect("an order");
        let number = format!("Uw bestelnummer is {}.", order.number);
        assert!(mail.text.contains(&number) && mail.html.contains(&number), "{number}\n{}", mail.text);

        for words in [
            "één gedenkkaart besteld bij Uitvaart Noord.",
            "inclusief btw. Uitvaart Noord brengt dit bedrag in rekening.",
            &format!("De prijs is {}", order.price.to_string().replace(' ', "\u{a0}")),
            "U hebt op 10 november 2026",
        ] {
            assert!(mail.text.contains(words) && mail.html.contains(words), "{words}\n{}", mail.text);
        }

        let link = path_of(&mail.link(&format!("{PUBLIC_BASE}/gasten/open/")));
        for _ in 0..2 {
            let mut browser = Browser::new(&app);
            let list = browser.open(&link).await;
            assert!(list.status == 200 && list.text().contains("Lijst van genodigden"), "{}", list.text());
            // It opens the list, and not the customizer.
            assert_eq!(browser.get(&format!("/bewerken/{}", card_id(&gid))).await.status, 403);
        }
        app.pass(Duration::days(91));
        let expired = Browser::new(&app).get(&link).await;
        assert!(expired.status == 410 && expired.text().contains("verlopen"), "{}", expired.text());
        assert_eq!(Browser::new(&app).get("/gasten/open/onbekend").await.status, 404);
    }

    async fn mails_show_cover_and_name_and_an_invitation_is_from_the_family(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        live.update(&gid, json!({ "deceased": { "dateOfBirth": "1938-04-12", "dateOfDeath": "2026-11-07" } })).await.gid();
        app.online(&gid).await;
        let order = app.mails(1).await.remove(0);
        let mut list = Browser::new(&app);
        list.open(&path_of(&order.link(&format!("{PUBLIC_BASE}/gasten/open/")))).await;
        let (name, email) = ("Aal", Some("aal@voorbeeld.nl".to_owned()));
        let person = invitee::NewInvitee { name: name.to_owned(), email };
        invitee::add(app.services(), card_id(&gid), vec![person]).await.expect("the store answers");
        let person = app.store().invitees_of(card_id(&gid)).await.expect("the store answers").remove(0);
        invitee::invite(app.services(), card_id(&gid), person.id).await.expect("the store answers");
        let invitation = app.mails(2).await.remove(1);
        assert_eq!(order.from.0.as_deref(), Some("Gedenkkaart"));
        assert_eq!(invitation.from, (Some("Pieter van der Meer via Gedenkkaart".to_owned()), order.from.1.clone()));
        assert!(invitation.subject.starts_with("In herinnering aan Johanna"), "{}", invitation.subject);
        for mail in [order, invitation] {
            let [(id, picture)] = &mail.pictures[..] else { panic!("{} has one picture", mail.subject) };
            assert_eq!((id.as_str(), size_of(picture)), ("omslag", (1_200, 630)));
            assert!(mail.html.contains("src=\"cid:omslag\"") && mail.html.contains("Werkt de knop niet?"), "{}", mail.html);
            for part in [&mail.text, &mail.html] {
                assert!(part.contains("Johanna van der Meer") && part.contains("12 april 1938 – 7 november 2026"), "{part}");
            }
        }
    }

    async fn order_mail_of_a_test_card_goes_to_the_test_address_alone(app: TestApp) {
        let account = app.partner("Noord").await;
        app.set("Noord", PartnerSetting::TestAddress(Some("test@noord.example"))).await;
        let test = account.test().await;
        let gid = card(&test, "1").await;
        app.online(&gid).await;
        let mail = app.mails(1).await.remove(0);
        assert_eq!(mail.to, "test@noord.example");
        assert!(mail.subject.starts_with("[Test] "), "{}", mail.subject);
        assert!(mail.text.contains("testkaart") && !mail.text.contains("pieter@voorbeeld.nl"), "{}", mail.text);
    }

    async fn order_mail_of_a_test_card_needs_a_test_address(app: TestApp) {
        let test = app.partner("Noord").await.test().await;
        let gid = card(&test, "1").await;
        app.order(&gid).await;
        app.set("Noord", PartnerSetting::TestAddress(None)).await;
        app.goes_online(&gid).await;
        app.queued_until(&gid, |mails| matches!(mails[0].state, MailState::GivenUp(_))).await;
        app.mails(0).await;
    }

    async fn order_mail_waits_briefly_for_the_card_to_be_online(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        app.order(&gid).await;
        app.store().signals().notify_all();
        let queued = app.queued_until(&gid, |mails| is_postponed(&mails[0])).await;
        app.pass(Duration::seconds(10));
        app.queued_until(&gid, |mails| mails[0].state != queued[0].state && is_postponed(&mails[0])).await;
        app.mails(0).await;

        app.pass(Duration::minutes(3));
        let mail = app.mails(1).await.remove(0);
        assert!(mail.text.contains("nog niet online") && !mail.text.contains("/kaart/"), "{}", mail.text);
        let queued = app.queued_until(&gid, |mails| mails.len() == 2 && is_postponed(&mails[1])).await;
        assert_eq!(queued.iter().map(|mail| mail.kind).collect::<Vec<_>>(), [MailKind::Order, MailKind::CardOnline]);

        app.activate(&gid).await;
        app.pass(Duration::minutes(6));
        let mail = app.mails(2).await.remove(1);
        assert!(mail.subject.contains("staat online"), "{}", mail.subject);
        let card_url = live.card(&gid).await["cardUrl"].as_str().expect("an address").to_owned();
        assert_eq!(mail.link(&format!("{PUBLIC_BASE}/kaart/")), card_url);
    }

    async fn order_mail_of_a_card_by_invitation_tells_how_it_is_seen(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        app.set_visibility(&gid, Visibility::Invitation).await;
        app.online(&gid).await;
        let mail = app.mails(1).await.remove(0);
        assert!(mail.text.contains("persoonlijke link"), "{}", mail.text);
        let mut browser = Browser::new(&app);
        let card_path = path_of(&mail.link(&format!("{PUBLIC_BASE}/kaart/")));
        assert!(!browser.get(&card_path).await.text().contains("Johanna"));
        browser.open(&path_of(&mail.link(&format!("{PUBLIC_BASE}/gasten/open/")))).await;
        let card = browser.get(&card_path).await;
        assert!(card.status == 200 && card.text().contains("Johanna"), "who manages the list sees the card");
    }

    async fn order_mails_go_to_the_contact_or_to_the_address_of_the_order(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "contact", &[("CARD_ACTIVATION", "operator")]).await;
        let live = app.live().await;
        let mut gids = Vec::new();
        for (dossier, becomes) in [
            ("1", Some(json!({ "familyContact": null }))),
            ("2", Some(json!({ "familyContact": { "name": "Ander", "email": "ander@voorbeeld.nl" } }))),
            ("3", None), // the family clears it
        ] {
            let gid = card(&live, dossier).await;
            app.complete(&gid).await;
            let mut browser = Browser::at_customizer(&live, &gid).await;
            let ordered = browser.submit(&customizer(&gid, "bestellen"), &[("agree", "ja")]).await;
            assert_eq!(ordered.status, 303, "{}", ordered.text());
            app.queued_until(&gid, |mails| is_postponed(&mails[0])).await;
            tamper(app.database_url(), "UPDATE mails SET attempts = 3, answer = '452 4.2.2' WHERE attempts = 0").await;
            match becomes {
                Some(change) => drop(live.update(&gid, change).await.gid()),
                None => {
                    let cleared = [("contact_name", ""), ("email", "")];
                    let answer = browser.submit(&customizer(&gid, "contact"), &cleared).await;
                    assert_eq!(answer.status, 303, "{}", answer.text());
                }
            }
            assert_ne!(live.card(&gid).await["familyContact"]["email"], "pieter@voorbeeld.nl");
            // The mail that waits stays the only one. Another address has not failed yet.
            let answer = if dossier == "2" { None } else { Some("452 4.2.2") };
            let attempts = if dossier == "2" { 0 } else { 3 };
            let expected = |mails: &[Mail]| (mails[0].attempts, mails[0].answer.as_deref()) == (attempts, answer);
            assert_eq!(app.queued_until(&gid, expected).await.len(), 1);
            gids.push(gid);
        }
        app.pass(Duration::minutes(3));
        let recipients = |mails: &[Sent]| {
            let mut all: Vec<_> = mails.iter().map(|mail| mail.to.clone()).collect();
            all.sort();
            all
        };
        let expected = ["ander@voorbeeld.nl", "pieter@voorbeeld.nl", "pieter@voorbeeld.nl"];
        let mails = app.mails(3).await;
        assert_eq!(recipients(&mails), expected);
        for mail in mails {
            let greeting = if mail.to.starts_with("ander") { "Beste Ander," } else { "Geachte heer, mevrouw," };
            assert!(mail.subject.starts_with("Uw bestelling") && mail.text.lines().any(|line| line == greeting), "{mail:?}");
        }
        for gid in &gids {
            app.queued_until(gid, |mails| mails.len() == 2 && is_postponed(&mails[1])).await;
            app.activate(gid).await;
        }
        app.pass(Duration::minutes(6));
        let online = app.mails(6).await.split_off(3);
        assert_eq!(recipients(&online), expected);
        assert!(online.iter().all(|mail| mail.subject.contains("staat online")), "{online:?}");
    }

    async fn corrected_address_gets_the_order_mail_a_few_times_a_day(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live, "1").await;
        app.online(&gid).await;
        let (first, card_url) = (app.mails(1).await.remove(0), live.card(&gid).await["cardUrl"].clone());
        assert_eq!(first.to, "pieter@voorbeeld.nl");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let (contact, ordered) = (customizer(&gid, "contact"), customizer(&gid, "besteld"));
        for _ in 0..2 {
            assert_eq!(browser.submit(&contact, &[("email", "els@voorbeeld.nl")]).await.status, 303);
        }
        let again = app.mails(2).await.remove(1);
        assert_eq!((again.to.as_str(), &again.subject), ("els@voorbeeld.nl", &first.subject));
        assert_eq!(again.link(&format!("{PUBLIC_BASE}/kaart/")), card_url);
        again.link(&format!("{PUBLIC_BASE}/gasten/open/"));
        assert_eq!(app.events(&gid).await.pop().expect("an event").changed_fields, ["familyContact.email"]);
        let page = browser.get(&ordered).await.text();
        let link = format!("Klopt dit adres niet? <a href=\"{contact}\">");
        assert!(page.contains("els@voorbeeld.nl") && !page.contains("pieter@voorbeeld.nl") && page.contains(&link), "{page}");
        // Another name, and no address, are no reason for a mail.
        live.update(&gid, json!({ "familyContact": { "name": "Els" } })).await.gid();
        live.update(&gid, json!({ "familyContact": { "email": null } })).await.gid();

        let changed = |number: usize| json!({ "familyContact": { "email": format!("els{number}@voorbeeld.nl") } });
        for number in 3..=limits::ORDER_ADDRESS_CHANGES_MAX {
            live.update(&gid, changed(number)).await.gid();
            assert_eq!(app.mails(number).await[number - 1].to, format!("els{number}@voorbeeld.nl"));
        }
        let (row, events) = (app.row(&gid).await, app.events(&gid).await.len());
        let refused = live.update(&gid, changed(9)).await;
        let message = refused.fault("INVALID", "input.familyContact.email");
        assert!(message.contains("Probeer het morgen opnieuw."), "{message}");
        let page = browser.submit(&contact, &[("email", "els9@voorbeeld.nl")]).await;
        assert!(page.status == 422 && page.text().contains(&format!("<a href=\"#email\">{message}")), "{}", page.text());
        assert_eq!((app.row(&gid).await, app.events(&gid).await.len()), (row, events));
        let orders = app.queued_mails(&gid).await.iter().filter(|mail| mail.kind == MailKind::Order).count();
        assert_eq!(orders, limits::ORDER_ADDRESS_CHANGES_MAX);
        app.pass(Duration::hours(25));
        live.update(&gid, changed(9)).await.gid();
        assert_eq!(app.mails(limits::ORDER_ADDRESS_CHANGES_MAX + 1).await.pop().expect("a mail").to, "els9@voorbeeld.nl");
    }

    async fn test_card_with_another_contact_gets_no_other_mail(app: TestApp) {
        let account = app.partner("Noord").await;
        app.set("Noord", PartnerSetting::TestAddress(Some("test@noord.example"))).await;
        let test = account.test().await;
        let gid = card(&test, "1").await;
        app.online(&gid).await;
        for number in 0..=limits::ORDER_ADDRESS_CHANGES_MAX {
            test.update(&gid, json!({ "familyContact": { "email": format!("els{number}@voorbeeld.nl") } })).await.gid();
        }
        assert_eq!(app.queued_mails(&gid).await.len(), 1);
        let mut browser = Browser::at_customizer(&test, &gid).await;
        let page = browser.get(&customizer(&gid, "besteld")).await.text();
        assert!(page.contains("test@noord.example") && !page.contains("Klopt dit adres niet?"), "{page}");
    }
}
