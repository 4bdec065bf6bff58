//! Sessions end with the key that opened them, and families of a blocked partner can read and not change (decisions K3).

use card_service::model::{CardStatus, KeyMode, MailKind};
use card_service::operation::{key, partner};
use serde_json::json;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{Answer, Caller, PUBLIC_BASE, TestApp, card_id};

/// Creates a card with all fields that an order needs.
async fn card(app: &TestApp, caller: &Caller, dossier: &str) -> String {
    let theme = app.theme(&format!("thema-{dossier}"), 1).await.number.to_string();
    let input = json!({
        "externalDossierId": dossier, "themeId": theme, "deceased": { "firstName": "Johanna" },
        "familyContact": { "name": "Pieter", "email": "pieter@voorbeeld.nl" },
    });
    caller.create(input).await.gid()
}

/// Submits an order form that was loaded earlier.
async fn order(browser: &mut Browser, gid: &str, form: &Answer) -> Answer {
    browser.post(&customizer(gid, "bestellen"), &form.hidden_fields(), &[("agree", "ja")]).await
}

async fn revoke(app: &TestApp, id: uuid::Uuid) {
    key::revoke(app.services(), &id.to_string()).await.expect("the key is there");
}

on_both_databases! {
    async fn revoked_keys_browser_sessions_read_and_write_nothing(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let (id, leaked) = account.caller(KeyMode::Live, None).await;
        let other = account.live().await;
        let gid = card(&app, &leaked, "1").await;
        let mut browser = Browser::at_customizer(&leaked, &gid).await;
        let mut list = Browser::new(&app);
        list.get(&path_of(&leaked.link(&gid, "INVITEE_LIST").await)).await;
        let mut family = Browser::at_customizer(&other, &gid).await;
        let names = browser.get(&customizer(&gid, "overledene")).await;
        let ordering = browser.get(&customizer(&gid, "bestellen")).await;
        let before = app.row(&gid).await;

        revoke(&app, id).await;
        for page in ["", "overledene", "voorbeeld", "bestellen"] {
            let ended = browser.get(&customizer(&gid, page)).await;
            assert_eq!(ended.status, 403, "{page}");
            let text = ended.text();
            assert!(text.contains("Uw toegang is verlopen") && !text.contains("Johanna"), "{text}");
        }
        let fields = [("first_name", "Sanne"), ("last_name", "")];
        let ended = browser.post(&customizer(&gid, "overledene"), &names.hidden_fields(), &fields).await;
        // The input is given back, as after every session that has ended.
        assert!(ended.status == 403 && ended.text().contains("Sanne"), "{}", ended.text());
        assert_eq!(order(&mut browser, &gid, &ordering).await.status, 403);
        let guests = format!("/gasten/{}", card_id(&gid));
        assert_eq!(list.get(&guests).await.status, 403);
        assert_eq!(list.post(&format!("{guests}/toevoegen"), &[], &[("naam", "Aal")]).await.status, 403);
        assert_eq!(app.row(&gid).await, before);

        // A session of another key stays valid, and that key can ask for a new link.
        assert_eq!(family.get(&customizer(&gid, "overledene")).await.status, 200);
        assert_eq!(family.submit(&customizer(&gid, "overledene"), &fields).await.status, 303);
        Browser::at_customizer(&other, &gid).await;
    }

    async fn revoked_keys_unused_links_are_revoked(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let (id, leaked) = account.caller(KeyMode::Live, None).await;
        let gid = leaked.draft("1").await;
        let path = path_of(&leaked.link(&gid, "CUSTOMIZER").await);
        let others = path_of(&account.live().await.link(&gid, "CUSTOMIZER").await);
        let head = async |path: &str| app.http().head(app.url(path)).send().await.expect("an answer").status().as_u16();
        assert_eq!(head(&path).await, 200);
        revoke(&app, id).await;
        assert_eq!(head(&path).await, 410);
        let mut browser = Browser::new(&app);
        let refused = browser.get(&path).await;
        assert!(refused.status == 410 && refused.text().contains("Deze link is ingetrokken"), "{}", refused.text());
        assert!(refused.header("set-cookie").is_none());
        let request = app.http().get(app.url(&path)).header("accept", "application/json");
        Answer::read(request.send().await.expect("an answer")).await.expect_error(410, "SESSION_LINK_REVOKED");
        assert_eq!((head(&others).await, browser.get(&others).await.status), (200, 303));
    }

    async fn used_link_of_a_revoked_key_offers_no_way_on(app: TestApp) {
        let (id, leaked) = app.partner("Uitvaart Noord").await.caller(KeyMode::Live, None).await;
        let gid = leaked.draft("1").await;
        let path = path_of(&leaked.link(&gid, "CUSTOMIZER").await);
        let mut browser = Browser::new(&app);
        assert_eq!(browser.get(&path).await.status, 303);
        assert!(browser.get(&path).await.text().contains("Verdergaan"));
        revoke(&app, id).await;
        let again = browser.get(&path).await;
        assert!(again.status == 410 && !again.text().contains("Verdergaan"), "{}", again.text());
    }

    async fn family_of_a_blocked_partner_can_only_read(app: TestApp) {
        let live = app.partner("Uitvaart Noord").await.live().await;
        let gid = card(&app, &live, "1").await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let unused = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let names = browser.get(&customizer(&gid, "overledene")).await;
        let ordering = browser.get(&customizer(&gid, "bestellen")).await;
        let before = app.row(&gid).await;
        let told = "Neem contact op met Uitvaart Noord.";
        assert!(!names.text().contains(told));

        partner::set_blocked(app.services(), "Uitvaart Noord", true).await.expect("the partner is there");
        for page in ["?alles", "overledene", "contact", "bestellen"] {
            let path = if page.starts_with('?') { customizer(&gid, "") + page } else { customizer(&gid, page) };
            let shown = browser.get(&path).await;
            assert!(shown.status == 200 && shown.text().contains(told), "{page}: {}", shown.text());
            assert!(!shown.text().contains("<button>"), "{page} has nothing to press: {}", shown.text());
        }
        let preview = browser.get(&customizer(&gid, "voorbeeld")).await;
        assert!(preview.status == 200 && preview.text().contains(told), "{}", preview.text());
        let fields = [("first_name", "Sanne"), ("last_name", "")];
        let refused = browser.post(&customizer(&gid, "overledene"), &names.hidden_fields(), &fields).await;
        let text = refused.text();
        assert!(refused.status == 403 && text.contains(told) && text.contains("Sanne"), "{text}");
        let refused = order(&mut browser, &gid, &ordering).await;
        assert!(refused.status == 403 && refused.text().contains(told), "{}", refused.text());
        assert_eq!(app.row(&gid).await, before);
        assert_eq!(before.status, CardStatus::Draft);
        // An unused link still opens a session, for reading.
        assert_eq!(Browser::new(&app).open(&unused).await.status, 200);

        partner::set_blocked(app.services(), "Uitvaart Noord", false).await.expect("the partner is there");
        assert!(!browser.get(&customizer(&gid, "overledene")).await.text().contains(told));
        assert_eq!(order(&mut browser, &gid, &ordering).await.status, 303);
        app.until(&gid, "ACTIVE").await;
    }

    async fn list_link_outlives_its_key_and_is_read_only_if_blocked(app: TestApp) {
        let account = app.partner("Uitvaart Noord").await;
        let (id, live) = account.caller(KeyMode::Live, None).await;
        let gid = card(&app, &live, "1").await;
        app.online(&gid).await;
        let mail = app.mails(1).await.remove(0);
        let link = path_of(&mail.link(&format!("{PUBLIC_BASE}/gasten/open/")));
        let guests = format!("/gasten/{}", card_id(&gid));
        let mut browser = Browser::new(&app);
        assert_eq!(browser.open(&link).await.status, 200);
        let add = format!("{guests}/toevoegen");
        let form = browser.get(&guests).await;
        revoke(&app, id).await;
        assert_eq!(browser.post(&add, &form.hidden_fields(), &[("naam", "Aal"), ("email", "aal@voorbeeld.nl")]).await.status, 303);
        assert_eq!(Browser::new(&app).open(&link).await.status, 200);

        partner::set_blocked(app.services(), "Uitvaart Noord", true).await.expect("the partner is there");
        let mut later = Browser::new(&app);
        let shown = later.open(&link).await;
        assert!(shown.text().contains("Aal") && shown.text().contains("Neem contact op met"), "{}", shown.text());
        assert!(!shown.text().contains("<button>"), "{}", shown.text());
        for (path, fields) in [(&add, [("naam", "Ben")]), (&format!("{guests}/lijst"), [("allen", "ja")])] {
            let refused = browser.post(path, &form.hidden_fields(), &fields).await;
            assert!(refused.status == 403 && refused.text().contains("Neem contact op met"), "{}", refused.text());
        }
        assert_eq!(app.store().invitees_of(card_id(&gid)).await.expect("the store answers").len(), 1);
        let queued = app.queued_mails(&gid).await;
        assert!(queued.iter().all(|mail| mail.kind != MailKind::Invitation), "{queued:?}");
    }
}
