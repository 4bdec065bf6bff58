//! From DRAFT over ORDERED to ACTIVE (specification, sections 3 and 5; decisions S8, S9).

use card_service::model::{CardStatus, MailKind, Price};
use card_service::operation::partner::PartnerSetting;
use serde_json::json;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{Caller, FreshDatabase, TestApp};

/// Creates a card with all fields that an order needs.
async fn complete(caller: &Caller, dossier: &str) -> String {
    let theme = match caller.app.store().theme_by_handle("zee").await.expect("the store answers") {
        Some(theme) => theme,
        None => caller.app.theme("zee", 1).await,
    };
    caller
        .create(json!({
            "externalDossierId": dossier, "themeId": theme.number.to_string(),
            "deceased": { "firstName": "Johanna" },
            "familyContact": { "name": "Pieter", "email": "pieter@voorbeeld.nl" },
        }))
        .await
        .gid()
}

on_both_databases! {
    async fn card_goes_from_its_link_to_active(app: TestApp) {
        let live = app.live().await;
        let gid = complete(&live, "1").await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let page = browser.get(&customizer(&gid, "bestellen")).await.text();
        assert!(page.contains("€ 49,50") && page.contains("inclusief btw"), "{page}");
        let ordered = browser.submit(&customizer(&gid, "bestellen"), &[("agree", "ja")]).await;
        assert_eq!(ordered.header("location"), Some(customizer(&gid, "besteld").as_str()), "{}", ordered.text());
        app.until(&gid, "ACTIVE").await;

        let events = app.events(&gid).await;
        let told: Vec<_> = events.iter().map(|e| (e.topic.as_str(), e.actor.as_str(), e.changed_fields.join(","))).collect();
        assert_eq!(told, [
            ("CARDS_CREATE", "PARTNER", String::new()),
            ("CARDS_ORDERED", "FAMILY", "status".to_owned()),
            ("CARDS_ACTIVATED", "SERVICE", "status,cardUrl".to_owned()),
        ]);
        let card = app.row(&gid).await;
        let order = app.store().order_of(card.id).await.expect("the store answers").expect("an order");
        assert_eq!((order.price, order.actor.as_str(), order.test), (Price::DEFAULT, "FAMILY", false));
        assert_eq!((order.partner_id, order.ordered_at), (card.partner_id, app.now()));
        let customer = order.customer.expect("a customer");
        assert_eq!((customer.email.as_str(), customer.name.as_deref()), ("pieter@voorbeeld.nl", Some("Pieter")));
        let mails = app.store().mails_of(card.id).await.expect("the store answers");
        assert!(mails.iter().any(|mail| mail.kind == MailKind::Order), "{mails:?}");
        let due = app.store().activations_due(app.now(), 10).await.expect("the store answers");
        assert_eq!(due, [], "the job is done");

        let done = browser.get(&customizer(&gid, "besteld")).await.text();
        assert!(done.contains(order.number.as_str()), "{done}");
        let shown = live.card(&gid).await;
        let url = shown["cardUrl"].as_str().expect("an address");
        assert!(done.contains(&format!("href=\"{}\"", path_of(url))), "{done}");
    }

    async fn order_lacks_what_the_family_has_yet_to_fill_in(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "bestellen");
        let page = browser.get(&path).await.text();
        for step in ["thema", "overledene", "contact"] {
            assert!(page.contains(&format!("href=\"{}\"", customizer(&gid, step))), "{step}: {page}");
        }
        assert!(!page.contains("<form"), "{page}");
        // The form is sent anyway, with the token of another page.
        let hidden = browser.get(&customizer(&gid, "contact")).await.hidden_fields();
        assert_eq!(browser.post(&path, &hidden, &[("agree", "ja"), ("price", "4950")]).await.status, 422);
        assert_eq!(app.row(&gid).await.status, CardStatus::Draft);
    }

    async fn order_without_consent_to_its_price_and_card_is_refused(app: TestApp) {
        let live = app.live().await;
        let gid = complete(&live, "1").await;
        let path = customizer(&gid, "bestellen");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let refused = browser.submit(&path, &[]).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains("Geef aan dat u akkoord gaat met de prijs."), "{}", refused.text());

        let before = browser.get(&path).await.hidden_fields();
        app.set("Uitvaart Noord", PartnerSetting::Price("1250,00")).await;
        let dearer = browser.post(&path, &before, &[("agree", "ja")]).await;
        assert_eq!(dearer.status, 422);
        assert!(dearer.text().contains("€ 1.250,00") && dearer.text().contains("is gewijzigd"), "{}", dearer.text());

        let before = browser.get(&path).await.hidden_fields();
        live.update(&gid, json!({ "deceased": { "firstName": "Hanna" } })).await.gid();
        let other = browser.post(&path, &before, &[("agree", "ja")]).await;
        assert!(other.status == 422 && other.text().contains("Hanna"), "{}", other.text());

        assert_eq!(app.row(&gid).await.status, CardStatus::Draft);
        assert_eq!(browser.submit(&path, &[("agree", "ja")]).await.status, 303);
        let order = app.store().order_of(app.row(&gid).await.id).await.expect("the store answers").expect("an order");
        assert_eq!(order.price.to_string(), "€ 1.250,00");
    }

    async fn order_with_another_value_of_the_box_is_refused_with_the_price(app: TestApp) {
        let live = app.live().await;
        let gid = complete(&live, "1").await;
        let path = customizer(&gid, "bestellen");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let hidden = browser.get(&path).await.hidden_fields();
        let others: [&[(&str, &str)]; 8] = [
            &[("agree", "")], &[("agree", "nee")], &[("agree", "on")], &[("agree", "JA")], &[("agree", " ja ")],
            &[("agree", "ja\0")], &[("agree", "nee"), ("agree", "ja")], &[("agree", "ja"), ("agree", "nee")],
        ];
        for fields in others {
            let refused = browser.post(&path, &hidden, fields).await;
            assert_eq!(refused.status, 422, "{fields:?}");
            let page = refused.text();
            assert!(page.contains("Geef aan dat u akkoord gaat met de prijs.") && page.contains("€ 49,50"), "{page}");
        }
        assert_eq!(app.row(&gid).await.status, CardStatus::Draft);
        assert_eq!(app.topics(&gid).await, ["CARDS_CREATE"]);
    }

    async fn order_that_is_sent_many_times_at_once_is_placed_once(app: TestApp) {
        let live = app.live().await;
        let gid = complete(&live, "1").await;
        let path = customizer(&gid, "bestellen");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let hidden = browser.get(&path).await.hidden_fields();
        let sent = (0..6).map(|_| {
            let (mut browser, hidden, path) = (browser.clone(), hidden.clone(), path.clone());
            async move { browser.post(&path, &hidden, &[("agree", "ja")]).await }
        });
        for answer in futures_util::future::join_all(sent).await {
            assert_eq!(answer.header("location"), Some(customizer(&gid, "besteld").as_str()), "{}", answer.text());
        }
        app.until(&gid, "ACTIVE").await;
        assert_eq!(app.topics(&gid).await, ["CARDS_CREATE", "CARDS_ORDERED", "CARDS_ACTIVATED"]);
        let again = browser.post(&path, &hidden, &[("agree", "ja")]).await;
        assert_eq!(again.status, 303, "an order that is placed stays placed");
    }

    async fn test_card_needs_a_test_address_which_gets_all_mail(app: TestApp) {
        let account = app.partner("Noord").await;
        let test = account.test().await;
        let gid = complete(&test, "1").await;
        let path = customizer(&gid, "bestellen");
        let mut browser = Browser::at_customizer(&test, &gid).await;
        let told = "<p class=\"said\">Er is nog geen testadres ingesteld. Daarom kan deze testkaart niet worden besteld.</p>";
        let page = browser.get(&path).await.text();
        assert!(page.contains(told) && !page.contains("<form") && !page.contains("<dt>E-mail naar"), "{page}");
        // The form is sent anyway, with the token of another page.
        let hidden = browser.get(&customizer(&gid, "contact")).await.hidden_fields();
        let refused = browser.post(&path, &hidden, &[("agree", "ja"), ("price", "4950")]).await;
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains(told), "{}", refused.text());
        assert_eq!(app.row(&gid).await.status, CardStatus::Draft);

        app.set("Noord", PartnerSetting::TestAddress(Some("test@noord.example"))).await;
        let page = browser.get(&path).await.text();
        assert!(page.contains("<dt>E-mail naar</dt><dd>test@noord.example</dd>"), "{page}");
        assert_eq!(browser.submit(&path, &[("agree", "ja")]).await.status, 303);
        let order = app.store().order_of(app.row(&gid).await.id).await.expect("the store answers").expect("an order");
        assert_eq!((order.test, order.customer.expect("a customer").email.as_str()), (true, "test@noord.example"));
    }

    async fn test_order_says_on_every_page_and_in_its_mail_that_nothing_is_charged(database: FreshDatabase) {
        let app = TestApp::start_with(&database, "test_order", &[("CARD_ACTIVATION", "operator")]).await;
        let account = app.partner("Noord").await;
        app.set("Noord", PartnerSetting::TestAddress(Some("test@noord.example"))).await;
        for (caller, is_test) in [(account.test().await, true), (account.live().await, false)] {
            let gid = complete(&caller, if is_test { "1" } else { "2" }).await;
            let mut browser = Browser::at_customizer(&caller, &gid).await;
            let path = customizer(&gid, "bestellen");
            let page = browser.get(&path).await.text();
            let button = if is_test { "Testbestelling plaatsen</button>" } else { "Bestellen met betalingsverplichting</button>" };
            assert!(page.contains(button) && page.contains("€ 49,50"), "{page}");
            assert_eq!(page.contains("betalingsverplichting"), !is_test, "{page}");
            assert_eq!(browser.submit(&path, &[("agree", "ja")]).await.status, 303);
            app.goes_online(&gid).await;
            let mail = app.mails(if is_test { 1 } else { 2 }).await.pop().expect("a mail");
            let receipt = browser.get(&customizer(&gid, "besteld")).await.text();
            for text in [&page, &receipt, &mail.text, &mail.html] {
                assert_eq!(text.contains("Dit is een test: er wordt niets in rekening gebracht."), is_test, "{text}");
                assert_eq!(text.contains("Noord brengt dit bedrag in rekening."), !is_test, "{text}");
            }
        }
    }

    async fn customer_of_two_orders_is_one_customer(app: TestApp) {
        let live = app.live().await;
        let mut customers = Vec::new();
        for dossier in ["1", "2"] {
            let gid = complete(&live, dossier).await;
            let mut browser = Browser::at_customizer(&live, &gid).await;
            assert_eq!(browser.submit(&customizer(&gid, "bestellen"), &[("agree", "ja")]).await.status, 303);
            let order = app.store().order_of(app.row(&gid).await.id).await.expect("the store answers");
            let order = order.expect("an order");
            customers.push((order.customer.expect("a customer").id, order.number));
        }
        assert_eq!(customers[0].0, customers[1].0);
        assert_ne!(customers[0].1, customers[1].1);
    }

    async fn ordered_card_keeps_its_theme_and_takes_other_changes(app: TestApp) {
        let live = app.live().await;
        let gid = complete(&live, "1").await;
        let other = app.theme("bos", 2).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let before = browser.get(&customizer(&gid, "thema")).await.hidden_fields();
        assert_eq!(browser.submit(&customizer(&gid, "bestellen"), &[("agree", "ja")]).await.status, 303);
        let theme = format!("gid://service/Theme/{}", other.id);
        browser.post(&customizer(&gid, "thema"), &before, &[("theme", &theme)]).await;
        assert_ne!(app.row(&gid).await.theme_id, Some(other.id));
        let page = browser.get(&customizer(&gid, "thema")).await.text();
        assert!(page.contains("kan niet meer worden gewijzigd") && !page.contains("name=\"theme\"") && page.contains("name=\"layout\""), "{page}");
        let saved = browser.submit(&customizer(&gid, "afscheid"), &[("livestream", "https://live.example/")]).await;
        let overview = customizer(&gid, "");
        assert_eq!(saved.header("location"), Some(format!("{overview}?opgeslagen=afscheid").as_str()));
        let page = browser.open(saved.header("location").expect("a way on")).await.text();
        assert!(page.contains("Uw wijziging is opgeslagen."), "{page}");
        assert_eq!(live.card(&gid).await["livestreamUrl"], "https://live.example/");
    }
}
