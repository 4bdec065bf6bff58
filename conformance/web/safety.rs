//! Attacks on the pages: forged forms, stolen cookies, stored markup, excessive input (decisions S4).

use card_service::base::limits;
use serde_json::json;

use crate::app::family::{Browser, customizer};
use crate::app::{Answer, TestApp, http_client};

pub(super) const MARKUP: &str = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;{{7*7}}";

pub(super) fn assert_sealed(answer: &Answer) {
    let policy = answer.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe-"), "{policy}");
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert!(answer.header("x-robots-tag").is_some_and(|robots| robots.contains("noindex")));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

on_both_databases! {
    async fn form_without_the_token_of_its_visit_changes_nothing(app: TestApp) {
        let live = app.live().await;
        let (ours, theirs) = (live.draft("1").await, live.draft("2").await);
        let mut browser = Browser::at_customizer(&live, &ours).await;
        let mut other = Browser::at_customizer(&live, &theirs).await;
        let before = app.row(&ours).await;
        let path = customizer(&ours, "overledene");
        let right = browser.get(&path).await.hidden_fields();
        let foreign = other.get(&customizer(&theirs, "overledene")).await.hidden_fields();
        let seen = right.iter().find(|(name, _)| name == "seen").expect("a print").clone();
        let token = |value: &str| vec![("form_token".to_owned(), value.to_owned()), seen.clone()];
        for hidden in [vec![seen.clone()], token(""), token("A"), token(&foreign[0].1)] {
            let refused = browser.post(&path, &hidden, &[("first_name", "Eva")]).await;
            assert_eq!(refused.status, 403, "{hidden:?}");
            assert!(refused.text().contains("Er is niets gewijzigd."), "{}", refused.text());
        }
        assert_eq!(app.row(&ours).await, before);
        assert_eq!(browser.post(&path, &right, &[("first_name", "Eva")]).await.status, 303);
    }

    async fn form_that_another_site_sends_changes_nothing_with_its_token(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "overledene");
        let (name, value) = browser.cookies.iter().next().map(|(name, value)| (name.clone(), value.clone())).expect("a cookie");
        for (from, first_name, status) in
            [("cross-site", "Eva", 403), ("same-site", "Eva", 403), ("same-origin", "Ada", 303), ("none", "Ida", 303)]
        {
            let hidden = browser.get(&path).await.hidden_fields();
            let body = url::form_urlencoded::Serializer::new(String::new())
                .extend_pairs(hidden.iter())
                .append_pair("first_name", first_name)
                .finish();
            let request = http_client()
                .post(app.url(&path))
                .header("cookie", format!("{name}={value}"))
                .header("sec-fetch-site", from)
                .header("content-type", "application/x-www-form-urlencoded")
                .body(body);
            let answer = Answer::read(request.send().await.expect("an answer")).await;
            assert_eq!(answer.status, status, "{from}: {}", answer.text());
            let stored = app.row(&gid).await.deceased.first_name;
            if status == 303 {
                assert_eq!(stored.as_deref(), Some(first_name), "{from}");
            } else {
                assert!(stored.is_none() && !answer.text().contains("Eva"), "{from}: {}", answer.text());
                assert!(answer.text().contains("Vul het formulier opnieuw in"), "{}", answer.text());
            }
        }
    }

    async fn cookie_of_one_card_opens_no_other_card_or_environment(app: TestApp) {
        let live = app.live().await;
        let (ours, theirs) = (live.draft("1").await, live.draft("2").await);
        let browser = Browser::at_customizer(&live, &ours).await;
        let (name, value) = browser.cookies.iter().next().expect("a cookie");
        let id = |gid: &str| customizer(gid, "").replace("/bewerken/", "").replace('-', "");
        let mut thief = Browser::new(&app);
        for stolen in [name.clone(), name.replace(&id(&ours), &id(&theirs))] {
            thief.cookies.insert(stolen, value.clone());
        }
        for page in ["", "thema", "overledene", "voorbeeld", "bestellen", "besteld"] {
            assert_eq!(thief.get(&customizer(&theirs, page)).await.status, 403, "{page}");
        }
        let hidden = browser.clone().get(&customizer(&ours, "overledene")).await.hidden_fields();
        let refused = thief.post(&customizer(&theirs, "overledene"), &hidden, &[("first_name", "Eva")]).await;
        assert_eq!((refused.status, app.row(&theirs).await.deceased.first_name), (403, None));

        // A browser session of the invitee list does not open the customizer, even with its cookie renamed.
        let mut guest = Browser::new(&app);
        let link = live.link(&ours, "INVITEE_LIST").await;
        guest.get(&crate::app::family::path_of(&link)).await;
        let value = guest.cookies.values().next().expect("a cookie").clone();
        guest.cookies.insert(name.clone(), value);
        assert_eq!(guest.get(&customizer(&ours, "overledene")).await.status, 403);
    }

    async fn stored_markup_is_shown_as_it_was_written_on_every_page(app: TestApp) {
        let live = app.live().await;
        let theme = app.theme("zee", 1).await;
        let gid = live.create(json!({
            "externalDossierId": MARKUP, "themeId": theme.number.to_string(),
            "deceased": { "firstName": MARKUP, "lastName": MARKUP },
            "familyContact": { "name": MARKUP, "email": "pieter@voorbeeld.nl" },
            "livestreamUrl": "https://a.example/?\"><script>alert(1)</script>",
        })).await.gid();
        let mut browser = Browser::at_customizer(&live, &gid).await;
        assert_eq!(browser.submit(&customizer(&gid, "tekst"), &[("text", MARKUP)]).await.status, 303);
        let pages = ["", "thema", "overledene", "tekst", "afscheid", "contact", "voorbeeld", "bestellen"];
        for page in pages {
            let answer = browser.get(&customizer(&gid, page)).await;
            let text = answer.text();
            assert_eq!(answer.status, 200, "{page}");
            assert!(!text.contains("<script>") && !text.contains("<img src=x"), "{page}: {text}");
            assert_sealed(&answer);
        }
        let shown = browser.get(&customizer(&gid, "overledene")).await.text();
        assert!(shown.contains("&quot;'&gt;&lt;script&gt;"), "{shown}");
        // An invalid value is escaped too.
        let refused = browser.submit(&customizer(&gid, "contact"), &[("email", MARKUP)]).await;
        assert!(refused.status == 422 && !refused.text().contains("<script>"), "{}", refused.text());
    }

    async fn page_holds_no_inline_script_or_style_and_is_small(app: TestApp) {
        let live = app.live().await;
        for position in 1..20 {
            app.theme(&format!("thema-{position}"), position).await;
        }
        let gid = live.draft("1").await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        for page in ["thema", "overledene", "tekst", "afscheid", "contact", "voorbeeld", "bestellen"] {
            let answer = browser.get(&customizer(&gid, page)).await;
            let text = answer.text();
            assert!(!text.contains(" style=") && !text.contains(" onclick"), "{page}");
            // The policy of a card allows its one style by the digest.
            assert_eq!(text.matches("<style").count(), usize::from(page == "voorbeeld"), "{page}");
            assert!(text.contains("<html lang=\"nl\">") && text.contains("href=\"#inhoud\""), "{page}");
            let mut bytes = answer.body.len();
            for address in assets_of(&text) {
                let asset = Answer::read(http_client().get(app.url(&address)).send().await.expect("an answer")).await;
                assert_eq!(asset.status, 200, "{address}");
                assert_eq!(asset.header("cache-control"), Some("public, max-age=31536000, immutable"));
                bytes += asset.body.len();
                let gzip = app.send_request("GET", &address, &[("accept-encoding", "gzip")]).await;
                assert_eq!((gzip.header("content-encoding"), gzip.header("vary")), (Some("gzip"), Some("accept-encoding")));
                assert!(gzip.body.len() * 2 < asset.body.len(), "{address}");
            }
            assert!(bytes < 60 * 1024, "{page} takes {bytes} bytes with its style and script");
        }
    }

    async fn form_over_the_limit_is_refused_in_dutch(app: TestApp) {
        let (_, gid, mut browser) = app.draft_in_customizer("1").await;
        let path = customizer(&gid, "tekst");
        let hidden = browser.get(&path).await.hidden_fields();
        let refused = browser.post(&path, &hidden, &[("text", &"a".repeat(300 * 1024))]).await;
        assert_eq!(refused.status, 413);
        let again = format!("href=\"{path}\">Terug naar het formulier</a>");
        assert!(refused.text().contains("<html lang=\"nl\">") && refused.text().contains(&again), "{}", refused.text());
        let photo = [&b"\xff\xd8\xff"[..], &vec![0; 60 * 1024 * 1024]].concat();
        let refused = browser.upload(&customizer(&gid, "overledene"), "photo", "groot.jpg", &photo).await;
        assert_eq!(refused.status, 413);
        assert!(refused.text().contains("De foto is te groot.") && refused.text().contains("type=\"file\""), "{}", refused.text());
        let many: Vec<(String, String)> = (0..=limits::FORM_FIELDS_MAX).map(|n| (format!("f{n}"), String::new())).collect();
        assert_eq!(browser.post(&path, &many, &[]).await.status, 400);
        assert_eq!(app.row(&gid).await.text, None);
    }

    async fn body_that_is_no_form_is_refused(app: TestApp) {
        let (live, gid) = app.live_draft("1").await;
        let browser = Browser::at_customizer(&live, &gid).await;
        let (name, value) = browser.cookies.iter().next().expect("a cookie");
        for content_type in ["application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=X"] {
            let request = http_client()
                .post(app.url(&customizer(&gid, "tekst")))
                .header("cookie", format!("{name}={value}"))
                .header("content-type", content_type)
                .body("text=Eva");
            let answer = Answer::read(request.send().await.expect("an answer")).await;
            assert_eq!(answer.status, 400, "{content_type}");
        }
    }
}

/// The addresses of style and script on a page.
fn assets_of(page: &str) -> Vec<String> {
    let starts = page.match_indices("\"/web/").map(|(start, _)| &page[start + 1..]);
    starts.filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
}
