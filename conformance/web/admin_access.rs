//! Who gets into the administration, and who does not (decisions S11, S12).

use card_service::base::limits::ADMIN_CONNECTIONS_MAX;
use card_service::operation::admin;
use chrono::Duration;
use futures_util::future::join_all;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

use super::safety::assert_sealed;
use crate::app::family::Browser;
use crate::app::{Answer, TestApp, http_client, tamper};

const PAGES: [&str; 9] = [
    "/admin",
    "/admin/cards",
    "/admin/orders",
    "/admin/partners",
    "/admin/subscriptions",
    "/admin/mails",
    "/admin/themes",
    "/admin/checks",
    "/admin/leave",
];

/// Asserts a page that says how to get in and nothing else.
#[track_caller]
fn assert_outside(answer: &Answer) {
    let text = answer.text();
    assert_eq!(answer.status, 403, "{text}");
    assert!(text.contains("card-service admin link --name NAME") && !text.contains("<nav"), "{text}");
    assert_sealed(answer);
}

on_both_databases! {
    async fn link_opens_a_session_once(app: TestApp) {
        let path = app.admin_link("Piet").await;
        let mut browser = Browser::outside_administration(&app);
        assert_outside(&browser.get("/admin").await);
        for (method, header) in [("HEAD", ("accept", "*/*")), ("GET", ("sec-purpose", "prefetch")), ("POST", ("accept", "*/*"))] {
            let request = http_client().request(method.parse().expect("a method"), app.admin_url(&path));
            let refused = request.header(header.0, header.1).send().await.expect("an answer");
            assert_eq!((refused.status().as_u16(), refused.headers().get("set-cookie")), (405, None), "{method}");
        }
        let opened = browser.get(&path).await;
        assert_eq!((opened.status, opened.header("location")), (303, Some("/admin")));
        let cookie = opened.header("set-cookie").expect("a cookie");
        assert!(cookie.starts_with("admin=") && cookie.contains("; Path=/admin; Max-Age=43200; HttpOnly; SameSite=Lax"), "{cookie}");
        let page = browser.get("/admin").await;
        assert!(page.status == 200 && page.text().contains("Signed in as Piet."), "{}", page.text());
        assert_sealed(&page);
        assert_outside(&Browser::outside_administration(&app).get(&path).await);
        assert_eq!(browser.get("/admin").await.status, 200, "the session stays");
        let secrets = [path.rsplit('/').next().expect("a token").to_owned(), browser.cookies["admin"].clone()];
        for row in app.dump().await {
            assert!(!secrets.iter().any(|secret| row.contains(secret)), "only digests are stored: {row}");
        }
    }

    async fn link_that_is_opened_many_times_at_once_opens_one_session(app: TestApp) {
        let path = app.admin_link("Piet").await;
        let opened = join_all((0..8).map(|_| async { Browser::outside_administration(&app).get(&path).await.status })).await;
        assert_eq!(opened.iter().filter(|status| **status == 303).count(), 1, "{opened:?}");
        assert_eq!(opened.iter().filter(|status| **status == 403).count(), 7, "{opened:?}");
    }

    async fn failure_is_a_page_without_its_cause(app: TestApp) {
        let mut browser = Browser::at_administration(&app, "Piet").await;
        tamper(app.database_url(), "ALTER TABLE admin_sessions RENAME TO elsewhere").await;
        let failed = browser.get("/admin").await;
        assert_eq!(failed.status, 503);
        assert!(failed.text().contains("The database failed.") && !failed.text().contains("admin_sessions"));
        assert_sealed(&failed);
        tamper(app.database_url(), "ALTER TABLE elsewhere RENAME TO admin_sessions").await;
        assert_eq!(browser.get("/admin").await.status, 200);
    }

    async fn link_opens_nothing_after_ten_minutes(app: TestApp) {
        let (first, second) = (app.admin_link("Piet").await, app.admin_link("Piet").await);
        app.pass(Duration::seconds(599));
        assert_eq!(Browser::outside_administration(&app).get(&first).await.status, 303);
        app.pass(Duration::seconds(1));
        assert_outside(&Browser::outside_administration(&app).get(&second).await);
        for wrong in ["/admin/open/", "/admin/open/A", "/admin/open/%00"] {
            assert_outside(&Browser::outside_administration(&app).get(wrong).await);
        }
    }

    async fn session_ends_when_idle_or_old(app: TestApp) {
        let (mut idle, mut busy) =
            (Browser::at_administration(&app, "Piet").await, Browser::at_administration(&app, "Els").await);
        for _ in 0..7 {
            app.pass(Duration::minutes(100));
            assert_eq!(busy.get("/admin").await.status, 200);
        }
        assert_outside(&idle.get("/admin").await);
        app.pass(Duration::minutes(20));
        assert_outside(&busy.get("/admin").await);
    }

    async fn signing_out_ends_one_session_and_a_revocation_all_of_a_name(app: TestApp) {
        let (mut one, mut two, mut other) = (
            Browser::at_administration(&app, "Piet").await,
            Browser::at_administration(&app, "Piet").await,
            Browser::at_administration(&app, "Els").await,
        );
        let cookies = one.cookies.clone();
        let hidden = one.get("/admin").await.hidden_fields();
        let left = one.post("/admin/leave", &hidden, &[]).await;
        assert!(left.status == 200 && left.text().contains("You are signed out"), "{}", left.text());
        assert!(left.header("set-cookie").is_some_and(|cookie| cookie.contains("Max-Age=0")));
        one.cookies = cookies;
        assert_outside(&one.get("/admin").await);
        assert_eq!(two.get("/admin").await.status, 200);
        let unused = app.admin_link("Piet").await;
        assert_eq!(admin::revoke(app.services(), "Piet").await.expect("two are there"), 2);
        assert_outside(&two.get("/admin").await);
        assert_outside(&two.get(&unused).await);
        assert_eq!(other.get("/admin").await.status, 200);
    }

    async fn page_is_on_one_listener_only(app: TestApp) {
        let mut browser = Browser::at_administration(&app, "Piet").await;
        let (mut outside, cookie) = (Browser::outside_administration(&app), browser.cookie());
        for page in PAGES.into_iter().chain(["/admin/", "/admin/card/x", "/admin/web/page.css", "/admin/open/x", "//admin"]) {
            let public = app.send_request("GET", page, &[("cookie", &cookie)]).await;
            assert_eq!(public.status, 404, "{page}");
            let public = app.send_request("POST", page, &[("cookie", &cookie)]).await;
            assert_eq!(public.status, 404, "{page}");
        }
        for page in PAGES {
            assert_outside(&outside.get(page).await);
            assert_outside(&outside.post(page, &[], &[("what", "1")]).await);
        }
        for page in ["/docs", "/kaart/x", "/s/x", "/bewerken/x", "/gasten/x", "/web/x", "/graphiql", "/health/live",
            "/health/ready", "/metrics", "/media/theme/x", "/adminx", "//admin", "/partner/api/versions", "/partner/api/2026-10/graphql"] {
            assert_outside(&outside.get(page).await);
            assert_eq!(browser.get(page).await.status, 404, "{page}");
        }
        assert_eq!(browser.get("/admin/media/photo/x").await.status, 404);
        for page in PAGES {
            let (answer, wanted) = (browser.get(page).await, if page == "/admin/leave" { 303 } else { 200 });
            assert_eq!(answer.status, wanted, "{page}");
            assert_sealed(&answer);
        }
    }

    async fn form_of_another_session_or_site_changes_nothing(app: TestApp) {
        let partner = app.partner("Noord").await;
        let path = format!("/admin/partners/{}", partner.id);
        let (mut browser, mut other) =
            (Browser::at_administration(&app, "Piet").await, Browser::at_administration(&app, "Els").await);
        let (right, foreign) = (browser.get(&path).await.hidden_fields(), other.get(&path).await.hidden_fields());
        let issue = [("mode", "test"), ("issue", "1")];
        let token = |value: &str| vec![("form_token".to_owned(), value.to_owned())];
        for hidden in [vec![], token(""), token("A"), foreign] {
            let refused = browser.post(&path, &hidden, &issue).await;
            assert!(refused.status == 403 && refused.text().contains("Nothing was changed."), "{hidden:?}");
        }
        let headers =
            [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "http://evil.example")];
        for (name, value) in headers {
            let body = format!("form_token={}&mode=test&issue=1", right[0].1);
            let request = http_client()
                .post(app.admin_url(&path))
                .header("cookie", browser.cookie())
                .header(name, value)
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body);
            assert_eq!(request.send().await.expect("an answer").status().as_u16(), 403, "{name}: {value}");
        }
        assert!(app.store().keys_of(partner.id).await.expect("the store answers").is_empty());
        assert_eq!(app.audit_records().await, []);
        assert_eq!(browser.post(&path, &right, &issue).await.status, 200);
        assert_eq!(app.store().keys_of(partner.id).await.expect("the store answers").len(), 1);
    }

    async fn full_listener_closes_silent_connections_for_new_ones(app: TestApp) {
        let address = app.admin_url("").strip_prefix("http://").expect("http").to_owned();
        let mut silent = Vec::new();
        for _ in 0..3 * ADMIN_CONNECTIONS_MAX {
            silent.push(TcpStream::connect(&address).await.expect("the listener accepts"));
        }
        assert_outside(&Browser::outside_administration(&app).get("/admin").await);
        let mut count = 0;
        for stream in &mut silent {
            let closed = tokio::time::timeout(std::time::Duration::from_millis(20), stream.read(&mut [0; 1])).await;
            count += usize::from(closed.is_err());
        }
        assert!((1..=ADMIN_CONNECTIONS_MAX).contains(&count), "{count} are open");
    }

    async fn name_of_another_site_that_leads_here_is_refused(app: TestApp) {
        let browser = Browser::at_administration(&app, "Piet").await;
        for (host, status) in [("localhost:8081", 200), ("127.0.0.1", 200), ("[::1]:1", 200), ("evil.example", 400), ("192.0.2.1", 400)] {
            let request = http_client().get(app.admin_url("/admin")).header("host", host).header("cookie", browser.cookie());
            assert_eq!(request.send().await.expect("an answer").status().as_u16(), status, "{host}");
        }
    }
}
