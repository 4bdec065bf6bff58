//! Session links are opened, once (specification, sections 2.7 and 7.3; decisions S1 to S3).

use card_service::operation::partner;
use chrono::Duration;
use sha2::{Digest as _, Sha256};

use crate::app::family::{Browser, customizer, path_of};
use crate::app::{Caller, TestApp};

const REFRESH: &str = "https://uitvaart.example/kaart?bron=a";

async fn with_refresh(app: &TestApp) -> Caller {
    let account = app.partner("Noord").await;
    partner::set_refresh_address(app.services(), "Noord", Some(REFRESH)).await.expect("an address");
    account.live().await
}

on_both_databases! {
    async fn link_opens_its_environment_once_and_gives_a_cookie(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let opened = app.send_request("GET", &path, &[]).await;
        assert_eq!((opened.status, opened.header("location")), (303, Some(customizer(&gid, "").as_str())));
        assert_eq!(opened.header("cache-control"), Some("no-store"));
        let cookie = opened.header("set-cookie").expect("a cookie").to_owned();
        let (name, rest) = cookie.split_once('=').expect("a cookie");
        assert!(name.starts_with("__Host-"), "{cookie}");
        let (value, attributes) = rest.split_once("; ").expect("attributes");
        assert_eq!(attributes, "Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure");
        assert_eq!(value.len(), 43);

        let mut browser = Browser::new(&app);
        browser.cookies.insert(name.to_owned(), value.to_owned());
        assert_eq!(browser.open(&customizer(&gid, "")).await.status, 200);
        let second = app.send_request("GET", &path, &[]).await;
        assert_eq!(second.status, 410);
        assert!(second.header("set-cookie").is_none());
        assert!(second.text().contains("Deze link is al gebruikt"), "{}", second.text());
    }

    async fn link_is_not_used_up_by_what_only_looks_ahead(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = path_of(&live.link(&gid, "CUSTOMIZER").await);
        for (method, headers, status) in [
            ("HEAD", &[][..], 200),
            ("OPTIONS", &[], 204),
            ("GET", &[("sec-purpose", "prefetch")], 503),
            ("GET", &[("sec-purpose", "prefetch;prerender")], 503),
            ("GET", &[("purpose", "prefetch")], 503),
            ("POST", &[], 405),
            ("DELETE", &[], 405),
        ] {
            let answer = app.send_request(method, &path, headers).await;
            assert_eq!(answer.status, status, "{method} {headers:?}");
            assert!(answer.header("set-cookie").is_none(), "{method} {headers:?}");
        }
        assert_eq!(app.send_request("GET", &path, &[]).await.status, 303);
        assert_eq!(app.send_request("HEAD", &path, &[]).await.status, 410);
    }

    async fn link_opened_by_many_at_once_opens_for_one(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let all = futures_util::future::join_all((0..8).map(|_| app.send_request("GET", &path, &[]))).await;
        let opened = all.iter().filter(|answer| answer.status == 303).count();
        assert_eq!((opened, all.iter().filter(|answer| answer.status == 410).count()), (1, 7));
    }

    async fn used_or_expired_link_leads_to_the_partner(app: TestApp) {
        let live = with_refresh(&app).await;
        let gid = live.draft("1").await;
        let used = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let old = path_of(&live.link(&gid, "INVITEE_LIST").await);
        assert_eq!(app.send_request("GET", &used, &[]).await.status, 303);
        app.pass(Duration::minutes(10));
        for (path, title, target, code) in [
            (&used, "Deze link is al gebruikt", "CUSTOMIZER", "SESSION_LINK_USED"),
            (&old, "Deze link is verlopen", "INVITEE_LIST", "SESSION_LINK_EXPIRED"),
        ] {
            let page = app.send_request("GET", path, &[("accept", "text/html")]).await;
            let text = page.text();
            assert_eq!(page.status, 410);
            assert!(text.contains(">Nieuwe link aanvragen</a>"), "{text}");
            assert_eq!(text.matches(title).count(), 2, "in the title of the tab and of the page: {text}");
            let card = gid.replace(':', "%3A").replace('/', "%2F");
            let link = format!("https://uitvaart.example/kaart?bron=a&amp;card={card}&amp;target={target}");
            assert!(text.contains(&link), "{text}");
            let machine = app.send_request("GET", path, &[("accept", "application/json")]).await;
            let error = machine.expect_error(410, code);
            assert!(error["extensions"]["detail"].is_string(), "{error}");
        }
    }

    async fn used_link_without_refresh_address_names_the_sender(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = path_of(&live.link(&gid, "CUSTOMIZER").await);
        app.send_request("GET", &path, &[]).await;
        let text = app.send_request("GET", &path, &[]).await.text();
        assert!(text.contains("vraag daar een nieuwe link") && !text.contains("aanvragen</a>"), "{text}");
    }

    async fn link_that_is_unknown_is_not_found(app: TestApp) {
        for token in ["", "a", &"A".repeat(43), &"é".repeat(3), &"a".repeat(5_000)] {
            let answer = app.send_request("GET", &format!("/s/{token}"), &[]).await;
            assert_eq!(answer.status, 404, "{token}");
            assert!(answer.text().contains("<html lang=\"nl\">"), "{token}");
        }
        let unknown = format!("/s/{}", "A".repeat(43));
        let machine = app.send_request("GET", &unknown, &[("accept", "application/json")]).await;
        let error = machine.expect_error(404, "SESSION_LINK_UNKNOWN");
        assert_eq!(error["extensions"]["detail"], "There is no such session link.");
    }

    async fn used_link_in_the_browser_that_opened_it_offers_to_go_on(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let mut browser = Browser::new(&app);
        assert_eq!(browser.get(&path).await.status, 303);
        let again = browser.get(&path).await;
        assert_eq!(again.status, 410);
        assert!(again.text().contains(&format!("href=\"{}\"", customizer(&gid, ""))), "{}", again.text());
        app.pass(Duration::hours(2));
        assert!(!browser.get(&path).await.text().contains("Verdergaan"), "the visit has ended");
    }

    async fn visit_ends_after_two_idle_hours_and_after_twelve_in_all(app: TestApp) {
        let live = with_refresh(&app).await;
        let gid = live.draft("1").await;
        let page = customizer(&gid, "overledene");
        let mut browser = Browser::at_customizer(&live, &gid).await;
        for _ in 0..6 {
            app.pass(Duration::minutes(119));
            assert_eq!(browser.get(&page).await.status, 200, "used within two hours");
        }
        app.pass(Duration::minutes(6));
        let ended = browser.get(&page).await;
        assert_eq!(ended.status, 403, "twelve hours are over");
        assert!(ended.text().contains("Nieuwe link aanvragen"), "{}", ended.text());
        let mut browser = Browser::at_customizer(&live, &gid).await;
        app.pass(Duration::hours(2));
        assert_eq!(browser.get(&page).await.status, 403, "two hours idle");
    }

    async fn database_holds_neither_link_nor_cookie(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let path = path_of(&live.link(&gid, "CUSTOMIZER").await);
        let mut browser = Browser::new(&app);
        browser.get(&path).await;
        let cookie = browser.cookies.values().next().expect("a cookie").clone();
        let digest = |text: &str| -> [u8; 32] { Sha256::digest(text).into() };
        let visit = app.store().browser_session(&digest(&cookie)).await.expect("the store answers");
        assert_eq!(visit.expect("found by its digest").created_at, app.now());
        let token = path.strip_prefix("/s/").expect("a link");
        let session = app.store().session_link(&digest(token)).await.expect("the store answers");
        assert_eq!(session.expect("found by its digest").used_at, Some(app.now()));
        let dump = app.dump().await;
        for table in ["sessions: ", "visits: "] {
            assert!(dump.iter().any(|line| line.starts_with(table)), "the dump holds the rows of {table}");
        }
        for secret in [token, &cookie] {
            let found: Vec<_> = dump.iter().filter(|line| line.contains(secret)).collect();
            assert!(found.is_empty(), "{found:?}");
        }
    }
}
