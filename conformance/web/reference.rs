//! The reference of the API at `/docs`: made from the schemas, with the headers of every page, sent once. Its contents are
//! tested with its generator, in `graphql/docs/tests/site.rs`.

use std::collections::{BTreeMap, BTreeSet};

use card_service::http::version_lives;
use card_service::model::Topic;
use card_service::operation::version;
use chrono::Days;
use reqwest::Url;

use crate::app::{PUBLIC_BASE, TestApp, wait_for};

/// The paths below `/docs/` that a page refers to, with the ids of elements.
fn links(page: &str, html: &str) -> BTreeSet<(String, Option<String>)> {
    let page = Url::parse("https://kaarten.example/docs/").and_then(|docs| docs.join(page)).expect("an address");
    let values = [" href=\"", " src=\""].into_iter().flat_map(|start| html.split(start).skip(1));
    let values = values.filter_map(|rest| rest.split('"').next());
    let urls = values.filter(|link| !link.starts_with("https://")).map(|link| page.join(link).expect("a path"));
    urls.map(|url| {
        let page = url.path().strip_prefix("/docs/").expect("a page of the site").to_owned();
        (page, url.fragment().map(str::to_owned))
    })
    .collect()
}

on_both_databases! {
    async fn reference_has_a_page_for_each_version_and_no_dead_link(app: TestApp) {
        assert!(app.get("/").await.text().contains("href=\"/docs\""), "the first page leads to it");
        let start = app.get("/docs").await;
        let latest = version_lives().into_iter().rfind(|life| life.published.is_some()).expect("a published version").name;
        let location = start.header("location").expect("it leads on").to_owned();
        assert_eq!((start.status, location.as_str()), (303, format!("/docs/{latest}/first-card").as_str()));
        assert_eq!(app.get("/docs/").await.header("location"), Some(location.as_str()));

        let (mut seen, mut places) = (BTreeMap::new(), BTreeSet::new());
        let mut open = vec![latest.to_owned()];
        while let Some(page) = open.pop() {
            if seen.contains_key(&page) {
                continue;
            }
            let answer = app.get(&format!("/docs/{page}")).await;
            assert_eq!(answer.status, 200, "/docs/{page}");
            let policy = answer.header("content-security-policy").expect("a policy");
            assert!(policy.contains("script-src 'self'") && policy.contains("style-src 'self'"), "{policy}");
            assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe-"), "{policy}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
            let text = answer.text();
            if answer.header("content-type") == Some("text/html; charset=utf-8") {
                for (to, id) in links(&page, &text) {
                    places.extend(id.map(|id| (to.clone(), id)));
                    open.push(to);
                }
            }
            // A page of a version shows its own addresses.
            if let Some((version, _)) = page.split_once('/').filter(|(_, name)| !name.starts_with("versions")) {
                let all = text.matches("/partner/api/").count();
                assert_eq!(text.matches(&format!("/partner/api/{version}/")).count(), all, "{page}");
            }
            seen.insert(page, text);
        }
        for (page, id) in places {
            assert!(seen[&page].contains(&format!(" id=\"{id}\"")), "/docs/{page} has no {id}");
        }
        assert!(seen["2026-10/webhooks"].matches("webhook-signature").count() >= 5, "it shows five programs");
        assert!(seen["2027-01/webhooks.md"].contains("\"apiVersion\":\"2027-01\""));
        let guide = ["first-card", "changing", "sessions", "webhooks", "errors", "idempotency", "limits", "going-live", "versions"];
        let mut expected: BTreeSet<_> =
            ["versions", "changelog", "changelog.json", "changelog.md", "style.css", "search.js"].map(str::to_owned).into();
        for version in version_lives().into_iter().map(|life| life.name) {
            expected.extend([version.to_owned(), format!("{version}/reference.md")]);
            expected.extend(Topic::ALL.map(|topic| format!("{version}/{}.schema.json", topic.as_str())));
            expected.extend(guide.iter().flat_map(|name| ["", ".md"].map(|end| format!("{version}/{name}{end}"))));
        }
        // A page for each type, which begins with a capital.
        let is_type = |page: &String| page.split_once('/').is_some_and(|(_, name)| name.starts_with(char::is_uppercase) && !name.contains('.'));
        let (types, others): (BTreeSet<_>, _) = seen.into_keys().partition(is_type);
        assert!(types.len() > 60, "{types:?}");
        assert_eq!(others, expected);
        let list = app.get("/llms.txt").await;
        assert_eq!((list.status, list.header("content-type")), (200, Some("text/plain; charset=utf-8")));
        for path in list.text().split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let page = app.get(&format!("/{path}")).await;
            let media = if path.ends_with(".md") { "text/markdown; charset=utf-8" } else { "application/schema+json" };
            assert_eq!((page.status, page.header("content-type")), (200, Some(media)), "{path}");
        }
        assert_eq!(app.get("/docs/2026-10/search.json").await.header("content-type"), Some("application/json"));
        assert!(app.get("/docs/2026-10/Query").await.text().contains("<article id=\"Query.card\">"));

        for nowhere in ["/docs/2031-01", "/docs/2026-10.html", "/docs/2026-10/", "/docs/../docs/x", "/docsx"] {
            assert_eq!(app.get(nowhere).await.status, 404, "{nowhere}");
        }
        assert_eq!(app.send_request("POST", "/docs/2026-10", &[]).await.status, 405);
    }

    async fn page_is_compressed_for_whom_takes_it_and_not_sent_twice(app: TestApp) {
        let plain = app.get("/docs/2026-10").await;
        assert_eq!(plain.header("content-encoding"), None);
        let gzip = app.send_request("GET", "/docs/2026-10", &[("accept-encoding", "br;q=1.0, gzip;q=0.8, *;q=0.1")]).await;
        assert_eq!(gzip.header("content-encoding"), Some("gzip"));
        assert!(gzip.body.len() * 4 < plain.body.len(), "{} of {}", gzip.body.len(), plain.body.len());
        let mut unpacked = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&*gzip.body), &mut unpacked).expect("it is gzip");
        assert_eq!(unpacked, plain.text());
        let refused = app.send_request("GET", "/docs/2026-10", &[("accept-encoding", "gzip;q=0, identity")]).await;
        assert_eq!(refused.header("content-encoding"), None);

        let (etag, other) = (plain.header("etag").expect("a tag"), gzip.header("etag").expect("a tag"));
        assert!(etag != other && !etag.starts_with("W/"), "{etag} {other}");
        assert_eq!(plain.header("vary"), Some("accept-encoding"));
        for (known, status) in [(etag, 304), (other, 200), ("\"x\"", 200)] {
            let again = app.send_request("GET", "/docs/2026-10", &[("if-none-match", known)]).await;
            assert_eq!((again.status, again.header("etag")), (status, Some(etag)), "{known}");
            assert_eq!(again.header("cache-control"), Some("public, no-cache"));
        }
    }

    async fn page_says_at_once_what_the_operator_decides(app: TestApp) {
        assert!(app.get("/docs/2026-10").await.text().contains("Current. Published on"));
        let sunset = app.now().utc().date_naive().checked_add_days(Days::new(400)).expect("a day");
        let decided = version::deprecate(app.services(), version_lives(), "2026-10", sunset, None).await;
        decided.expect("it may be deprecated");
        let text = app.get("/docs/2026-10").await.text();
        assert!(text.contains(&format!("Ends on <time datetime=\"{sunset}\">")), "{sunset}");
        // The headers of the API lead to this page.
        let link = || async { app.get("/partner/api/2026-10/schema.graphql").await.header("link").map(str::to_owned) };
        let link = wait_for("a link is sent", link).await;
        assert!(link.starts_with(&format!("<{PUBLIC_BASE}/docs/2026-10>; rel=\"deprecation\"")), "{link}");
    }
}
