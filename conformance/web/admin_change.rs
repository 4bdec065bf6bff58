//! The pages of the administration: what they show, and that each change equals the command with the same name, with
//! its audit record (decisions S11).

use card_service::base::limits::TIMELINE_ROWS_MAX;
use card_service::model::{Actor, Card, DeliveryState, EventDraft, MailStateKind, Topic};
use card_service::services::CHECKS;
use card_service::store::CardScope;
use chrono::Duration;
use serde_json::{Value, json};

use super::safety::MARKUP;
use crate::app::family::Browser;
use crate::app::mock_server::Reply;
use crate::app::{TestApp, card_id, wait_for};

fn card_page(gid: &str) -> String {
    format!("/admin/card/{}", card_id(gid))
}

/// An audit record as the log has it.
fn record(command: &str, subject: &str, fields: &[&str]) -> (String, String, String, Vec<String>) {
    let fields = fields.iter().map(|field| (*field).to_owned()).collect();
    ("Piet".to_owned(), command.to_owned(), subject.to_owned(), fields)
}

on_both_databases! {
    async fn card_is_found_by_its_numbers_and_its_address(app: TestApp) {
        let live = app.live().await;
        let other = app.partner("Zuid").await.live().await;
        let (gid, _) = (live.draft("A-1").await, live.draft("B-2").await);
        other.draft("B-2").await;
        app.online(&gid).await;
        let number = app.store().order_of(card_id(&gid)).await.expect("the store answers").expect("an order").number.to_string();
        let slug = app.row(&gid).await.slug.expect("it is online");
        let mut browser = Browser::at_administration(&app, "Piet").await;
        for what in ["A-1", &gid, &card_id(&gid).to_string(), &number, &number.to_lowercase(), &format!("https://kaarten.example/kaart/{slug}")] {
            let found = browser.submit("/admin", &[("what", what)]).await;
            assert_eq!((found.status, found.header("location")), (303, Some(card_page(&gid).as_str())), "{what}");
        }
        let both = browser.submit("/admin", &[("what", "B-2")]).await;
        assert_eq!((both.status, both.text().matches("href=\"/admin/card/").count()), (200, 2), "{}", both.text());
        for what in ["C-3", "Johanna", "%", "\0", "https://kaarten.example/kaart/"] {
            let none = browser.submit("/admin", &[("what", what)]).await;
            assert!(none.status == 422 && none.text().contains("No card is known by"), "{what:?}: {}", none.text());
        }
        for page in ["/admin/card/x", "/admin/card/00000000-0000-7000-8000-000000000000", "/admin/card"] {
            assert_eq!(browser.get(page).await.status, 404, "{page}");
        }
        assert_eq!(app.audit_records().await, [], "to look is no change");
    }

    async fn mail_is_sent_again_by_the_operator(app: TestApp) {
        let live = app.live().await;
        let (gid, other) = (live.draft("1").await, live.draft("2").await);
        app.online(&gid).await;
        let is_sent = |mails: &[card_service::model::Mail]| mails.iter().all(|mail| mail.state.kind() == MailStateKind::Sent);
        let mail = app.queued_until(&gid, is_sent).await.remove(0).id.to_string();
        let mut browser = Browser::at_administration(&app, "Piet").await;
        let page = browser.get(&card_page(&gid)).await.text();
        for piece in ["Mail ORDER", "SENT", "Event 1 CARDS_CREATE", "by PARTNER", "CARDS_ACTIVATED", "Uitvaart Noord", &mail] {
            assert!(page.contains(piece), "{piece}: {page}");
        }
        assert!(!page.contains("familie@voorbeeld.nl") && !page.contains("Johanna"), "{page}");
        let refused = browser.submit(&card_page(&other), &[("mail", &mail)]).await;
        assert_eq!(refused.status, 422, "a mail of another card");
        assert_eq!(app.audit_records().await, []);
        let sent = browser.submit(&card_page(&gid), &[("mail", &mail)]).await;
        assert_eq!((sent.status, sent.header("location")), (303, Some(format!("{}?done=mail", card_page(&gid)).as_str())));
        assert_eq!(app.queued_until(&gid, |mails| mails.len() == 2).await[1].kind.as_str(), "ORDER");
        assert_eq!(app.audit_records().await, [record("mail resend", &mail, &[])]);
        let page = browser.get(&format!("{}?done=mail", card_page(&gid))).await.text();
        assert!(page.contains("role=\"status\">The mail is queued again."), "{page}");
    }

    async fn markup_is_shown_as_it_was_written(app: TestApp) {
        let partner = app.partner(MARKUP).await;
        let gid = partner.live().await.draft(MARKUP).await;
        let mut browser = Browser::at_administration(&app, MARKUP).await;
        let card = browser.submit("/admin", &[("what", MARKUP)]).await;
        assert_eq!(card.header("location"), Some(card_page(&gid).as_str()));
        let pages = ["/admin", "/admin/partners", &card_page(&gid), &format!("/admin/partners/{}", partner.id)];
        for page in pages {
            let answer = browser.get(page).await.text();
            assert!(answer.contains("&lt;script&gt;") && !answer.contains("<script>"), "{page}: {answer}");
        }
        let none = browser.submit("/admin", &[("what", &format!("{MARKUP}{MARKUP}"))]).await.text();
        assert!(none.contains("&lt;script&gt;") && !none.contains("<script>"), "{none}");
    }

    async fn timeline_shows_the_newest_rows(app: TestApp) {
        let gid = app.live().await.draft("1").await;
        for number in 0..TIMELINE_ROWS_MAX + 2 {
            let id = app.services().entropy.uuid(app.now());
            let event = EventDraft { id, topic: Topic::CardsUpdate, actor: Actor::Partner, changed_fields: vec![] };
            let change = move |card: &mut Card| {
                card.deceased.first_name = Some(number.to_string());
                Ok::<_, ()>(vec![event])
            };
            let scope = CardScope::Any { id: card_id(&gid) };
            app.store().change_card(scope, app.now(), change).await.expect("the store answers").expect("a card");
        }
        let page = Browser::at_administration(&app, "Piet").await.get(&card_page(&gid)).await.text();
        assert!(page.contains("3 older rows are not shown."), "{page}");
        assert_eq!(page.matches("<td>Event ").count(), TIMELINE_ROWS_MAX);
        assert!(page.contains(&format!("<td>Event {} ", TIMELINE_ROWS_MAX + 3)) && !page.contains("<td>Event 3 "));
    }

    async fn session_of_a_family_is_ended_by_the_operator(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let mut family = Browser::at_customizer(&live, &gid).await;
        let mut browser = Browser::at_administration(&app, "Piet").await;
        let page = browser.get(&card_page(&gid)).await.text();
        assert!(page.contains("Session (browser) CUSTOMIZER"), "{page}");
        let id = page.split("name=\"session\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id").to_owned();
        assert_eq!(browser.submit(&card_page(&gid), &[("session", &id)]).await.status, 303);
        assert_eq!(family.get(&crate::app::family::customizer(&gid, "")).await.status, 403);
        assert_eq!(app.audit_records().await, [record("session revoke", &id, &[])]);
        assert_eq!(browser.submit(&card_page(&gid), &[("session", &id)]).await.status, 422, "it is over");
        assert_eq!(app.audit_records().await.len(), 1);
    }

    async fn subscription_is_resumed_and_a_notification_sent_again(app: TestApp) {
        let caller = app.live().await;
        let subscription = caller.subscribe("CARDS_CREATE", &app.mock_server().secure_url("/hook")).await;
        app.mock_server().play("/hook", [Reply::Status(410), Reply::Status(200)]);
        let gid = caller.draft("1").await;
        let mut browser = Browser::at_administration(&app, "Piet").await;
        wait_for("the subscription is paused", || {
            let mut browser = browser.clone();
            async move { browser.get("/admin/subscriptions").await.text().contains("paused (GONE)").then_some(()) }
        })
        .await;
        let page = browser.get("/admin/subscriptions").await.text();
        assert!(page.contains("Resume and send 1") && page.contains("/hook"), "{page}");
        let resumed = browser.submit("/admin/subscriptions", &[("resume", &subscription)]).await;
        assert_eq!(resumed.status, 303, "{}", resumed.text());
        let delivered = async || {
            let page = browser.clone().get(&card_page(&gid)).await.text();
            (page.contains("Notification of event 1") && page.contains(DeliveryState::Delivered.as_str())).then_some(page)
        };
        let page = wait_for("the notification is delivered", delivered).await;
        let id = page.split("name=\"delivery\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("an id").to_owned();
        app.pass(Duration::seconds(1));
        assert_eq!(browser.submit(&card_page(&gid), &[("delivery", &id)]).await.status, 303);
        let audited = [record("webhook resume", &subscription, &["pausedAt"]), record("webhook replay", &id, &[])];
        assert_eq!(app.audit_records().await, audited);
        for wrong in ["", "x", "gid://service/WebhookSubscription/00000000-0000-7000-8000-000000000000"] {
            assert_eq!(browser.submit("/admin/subscriptions", &[("resume", wrong)]).await.status, 422, "{wrong}");
        }
        assert_eq!(app.audit_records().await.len(), 2);
    }

    async fn key_is_issued_and_shown_once_and_revoked(app: TestApp) {
        let (partner, other) = (app.partner("Noord").await, app.partner("Zuid").await);
        let path = format!("/admin/partners/{}", partner.id);
        let mut browser = Browser::at_administration(&app, "Piet").await;
        for wrong in [
            &[("issue", "1")][..],
            &[("issue", "1"), ("mode", "demo")],
            &[("issue", "1"), ("mode", "live"), ("days", "0")],
            &[("issue", "1"), ("mode", "live"), ("days", "many")],
            &[("issue", "1"), ("mode", "live"), ("label", "a\u{1b}b")],
        ] {
            assert_eq!(browser.submit(&path, wrong).await.status, 422, "{wrong:?}");
        }
        assert_eq!(app.audit_records().await, [], "what was refused leaves no record");
        let fields = [("issue", "1"), ("mode", "test"), ("label", "kassa"), ("days", "30")];
        let issued = browser.submit(&path, &fields).await;
        assert_eq!((issued.status, issued.header("cache-control")), (200, Some("no-store")));
        let text = issued.text();
        let token = text.split("id=\"token\">").nth(1).and_then(|rest| rest.split('<').next()).expect("a token").to_owned();
        assert!(token.starts_with("pcs_test_"), "{token}");
        let caller = crate::app::Caller::new(app.clone(), &token);
        assert_eq!(caller.data("{ __typename }", Value::Null).await, json!({ "__typename": "Query" }));
        let page = browser.get(&path).await.text();
        assert!(page.contains("kassa") && page.contains("Revoke …") && !page.contains(&token), "{page}");
        for row in app.dump().await {
            assert!(!row.contains(&token), "{row}");
        }
        let key = app.store().keys_of(partner.id).await.expect("the store answers").remove(0);
        let id = key.id.to_string();
        let foreign = browser.submit(&format!("/admin/partners/{}", other.id), &[("revoke", &id)]).await;
        assert_eq!(foreign.status, 422, "a key of another partner");
        app.pass(Duration::seconds(1));
        assert_eq!(browser.submit(&path, &[("revoke", &id)]).await.status, 303);
        let revoked = app.store().keys_of(partner.id).await.expect("the store answers").remove(0);
        assert_eq!(revoked.revoked_at, Some(app.now()));
        let words = ["mode", "label", "expiresAt"];
        assert_eq!(app.audit_records().await, [record("key issue", "Noord", &words), record("key revoke", &id, &["revokedAt"])]);
    }

    async fn page_lists_orders_partners_themes_and_checks(app: TestApp) {
        let live = app.live().await;
        let theme = app.theme("linde", 1).await;
        let gid = live.draft("1").await;
        app.order(&gid).await;
        let mut browser = Browser::at_administration(&app, "Piet").await;
        let orders = browser.get("/admin/orders").await.text();
        for piece in ["<td>2026-11</td>", "<td>Uitvaart Noord</td>", "<td>1</td>", "<td>€ 49,50</td>"] {
            assert!(orders.contains(piece), "{piece}: {orders}");
        }
        let first = browser.get("/admin").await.text();
        assert!(first.contains("Newest orders") && first.contains("<td>€ 49,50</td>") && first.contains(">10 Nov 2026 "), "{first}");
        let before = browser.get("/admin/orders?from=2026-01&to=2026-10").await.text();
        assert!(before.contains("None.") && before.contains("value=\"2026-10\""), "{before}");
        for query in ["from=x&to=", "from=2026-11&to=2026-01", "from=0000-01&to=9999-12", "from=9999-12", "to=%00"] {
            assert_eq!(browser.get(&format!("/admin/orders?{query}")).await.status, 200, "{query}");
        }
        assert!(browser.get("/admin/partners").await.text().contains("Uitvaart Noord"));
        let themes = browser.get("/admin/themes").await.text();
        let preview = format!("/admin/themes/{}", theme.number);
        assert!(themes.contains(&preview) && themes.contains("Thema linde") && themes.contains("/admin/media/theme/linde/voor.svg"), "{themes}");
        let preview = browser.get(&preview).await;
        let text = preview.text();
        assert!(preview.status == 200 && text.contains("Johanna van der Meer"), "{text}");
        assert!(text.contains("/admin/media/theme/linde/voor.svg") && text.contains("url(\"/admin/web/eb-garamond-400-"), "{text}");
        assert_eq!(browser.get("/admin/themes/99").await.status, 404);
        let checks = browser.get("/admin/checks").await.text();
        for check in CHECKS {
            assert!(checks.contains(&format!("<td>{}</td>", check.name)), "{}: {checks}", check.name);
        }
        for style in checks.split("/admin/web/").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert_eq!(browser.get(&format!("/admin/web/{style}")).await.status, 200, "{style}");
        }
    }
}
