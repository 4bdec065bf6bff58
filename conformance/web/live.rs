//! The card next to the form of a step: as it is stored, and as the form would make it, which stores nothing (decisions S4, S5).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use card_service::base::limits::CARD_TEXT_CHARS_MAX;
use card_service::operation::partner;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::card::full;
use super::safety::{MARKUP, assert_sealed};
use crate::app::family::{Browser, Field, customizer};
use crate::app::picture::flat_png;
use crate::app::{Answer, TestApp, http_client};

/// A step, its fields, and what the card then shows.
type Case<'a> = (&'a str, &'a [Field<'a>], &'a str);

/// The path of the card next to a step.
fn card_at(gid: &str, step: &str) -> String {
    customizer(gid, &format!("{step}/kaart"))
}

/// Asserts that a page of the service may hold the answer in a frame, that nothing in it can be pressed, and that its policy
/// allows its style.
fn assert_framed(answer: &Answer) {
    let (page, policy) = (answer.text(), answer.header("content-security-policy").expect("a policy"));
    assert_eq!((answer.status, answer.header("cache-control")), (200, Some("no-store")), "{page}");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"), "{policy}");
    assert!(page.contains(" inert>") && !page.contains("<script"), "{page}");
    let (style, _) = page.split_once("<style>").and_then(|(_, rest)| rest.split_once("</style>")).expect("a style");
    assert!(policy.contains(&BASE64.encode(Sha256::digest(style))), "{policy}");
}

on_both_databases! {
    async fn stored_card_is_shown_in_a_frame_of_its_family_only(app: TestApp) {
        let live = app.live().await;
        let (gid, other) = (full(&live, "1", "zee").await, live.draft("2").await);
        let mut browser = Browser::at_customizer(&live, &gid).await;
        for step in ["thema", "overledene", "tekst", "afscheid", "contact", "bestellen"] {
            let page = browser.get(&customizer(&gid, step)).await;
            let frame = format!("<iframe src=\"{}\"", card_at(&gid, step));
            assert!(page.text().contains(&frame), "{step}: {}", page.text());
            assert_sealed(&page);
            let card = browser.get(&card_at(&gid, step)).await;
            assert_framed(&card);
            assert!(card.text().contains(">Johanna <span"), "{step}: {}", card.text());
        }
        for path in [card_at(&gid, "voorbeeld"), card_at(&gid, "onbekend"), card_at(&gid, "tekst") + "/", customizer(&gid, "kaart")] {
            assert_eq!(browser.get(&path).await.status, 404, "{path}");
        }
        for path in [card_at(&other, "tekst"), card_at("gid://service/Card/00000000-0000-7000-8000-000000000000", "tekst")] {
            let refused = browser.get(&path).await;
            assert_eq!(refused.status, 403, "{path}");
            assert_sealed(&refused);
        }
        let outside = Browser::new(&app).get(&card_at(&gid, "tekst")).await;
        assert!(outside.status == 403 && !outside.text().contains("Johanna"), "{}", outside.text());
        // Other pages have buttons, so no site may frame them.
        assert_sealed(&browser.get(&customizer(&gid, "")).await);
        let preview = browser.get(&customizer(&gid, "voorbeeld")).await;
        assert!(!preview.text().contains(" inert"));
        assert_sealed(&preview);
    }

    async fn form_shows_the_card_that_it_would_make_and_stores_nothing(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        let avondrood = format!("gid://service/Theme/{}", app.theme("avondrood", 2).await.id);
        let mut browser = Browser::at_customizer(&live, &gid).await;
        assert_eq!(browser.upload(&customizer(&gid, "overledene"), "photo", "oma.png", &flat_png(1_200, 500)).await.status, 303);
        let (before, events) = (app.row(&gid).await, app.events(&gid).await.len());
        let cases: [Case<'_>; 14] = [
            ("thema", &[("theme", &avondrood)], "content=\"#241c2c\""),
            ("thema", &[], "content=\"#e6edf1\""),
            ("thema", &[("layout", "TEXT")], "class=\"layout-text"),
            ("overledene", &[("photo_shown", "blob:http://x/1"), ("photo_size", "3600x800"), ("focal_point", "9,5")], "class=\"fx100 fy50 wide\" src=\"blob:http://x/1\""),
            ("overledene", &[("photo_shown", "https://x/1"), ("photo_size", "3600x800")], "/media/rendition/"),
            ("overledene", &[("first_name", "Anna"), ("last_name", "de Vries")], ">Anna <span class=\"whole\">de Vries</span>"),
            ("overledene", &[("birth_day", "1"), ("birth_month", "mei"), ("birth_year", "1940")], "1 mei 1940"),
            ("overledene", &[("focal_point", "9,5")], "class=\"fx100 fy50 wide\""),
            ("overledene", &[("photo_remove", "ja")], "class=\"portrait ornament\""),
            ("tekst", &[("text", " Eerste\r\n\r\nTweede ")], "<p dir=\"auto\">Eerste</p><p dir=\"auto\">Tweede</p>"),
            ("tekst", &[("text", MARKUP)], "&quot;'&gt;&lt;script&gt;alert(1)"),
            ("afscheid", &[("farewell_note", "Geen bloemen."), ("farewell_place", "De Nieuwe Ooster")], ">De Nieuwe Ooster</p>"),
            ("afscheid", &[("livestream", "kerk.example/live")], "href=\"https://kerk.example/live\""),
            ("contact", &[("email", "anna@voorbeeld.nl")], "In herinnering aan"),
        ];
        for (step, fields, expected) in cases {
            let hidden = browser.get(&customizer(&gid, step)).await.hidden_fields();
            let card = browser.post(&card_at(&gid, step), &hidden, fields).await;
            assert_eq!(card.status, 200, "{step}: {fields:?}");
            assert_framed(&card);
            assert!(card.text().contains(expected), "{step}: {}", card.text());
            let stored = browser.get(&card_at(&gid, step)).await;
            let is_as_stored = fields.is_empty() || step == "contact" || expected.starts_with("/media");
            assert_eq!(stored.text().contains(expected), is_as_stored, "{step}: {fields:?}");
        }
        assert_eq!((app.row(&gid).await, app.events(&gid).await.len()), (before, events));
    }

    async fn form_that_would_be_refused_shows_nothing(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let long = "a".repeat(CARD_TEXT_CHARS_MAX + 1);
        let before = app.row(&gid).await;
        let cases: [(&str, &[Field<'_>]); 5] = [
            ("thema", &[("theme", "gid://service/Theme/00000000-0000-7000-8000-000000000000")]),
            ("overledene", &[("last_name", "via https://betaal.example")]),
            ("overledene", &[("birth_day", "31"), ("birth_month", "2"), ("birth_year", "1938")]),
            ("tekst", &[("text", &long)]),
            ("afscheid", &[("livestream", "morgen")]),
        ];
        for (step, fields) in cases {
            let hidden = browser.get(&customizer(&gid, step)).await.hidden_fields();
            let nothing = browser.post(&card_at(&gid, step), &hidden, fields).await;
            assert_eq!((nothing.status, nothing.body.len()), (204, 0), "{step}");
        }
        let hidden = browser.get(&customizer(&gid, "tekst")).await.hidden_fields();
        let path = card_at(&gid, "tekst");
        assert_eq!(browser.post(&path, &hidden, &[("text", &"a".repeat(300 * 1024))]).await.status, 413);
        let without_token: Vec<_> = hidden.iter().filter(|(name, _)| name != "form_token").cloned().collect();
        assert_eq!(browser.post(&path, &without_token, &[("text", "Rust zacht.")]).await.status, 403);
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(hidden.iter()).append_pair("text", "Rust zacht.").finish();
        let foreign = http_client()
            .post(app.url(&path))
            .header("cookie", browser.cookie())
            .header("sec-fetch-site", "cross-site")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body);
        let foreign = Answer::read(foreign.send().await.expect("an answer")).await;
        assert!(foreign.status == 403 && !foreign.text().contains("Rust zacht."), "{}", foreign.text());
        assert_eq!(Browser::new(&app).post(&path, &hidden, &[("text", "Rust zacht.")]).await.status, 403);
        assert_eq!(app.row(&gid).await, before);
        app.order(&gid).await;
        let eik = format!("gid://service/Theme/{}", app.theme("eik", 2).await.id);
        let fixed = browser.post(&card_at(&gid, "thema"), &hidden, &[("theme", &eik)]).await;
        assert_eq!(fixed.status, 204, "the theme of an ordered card is fixed");
    }

    async fn blocked_partner_has_the_stored_card_only(app: TestApp) {
        let live = app.partner("Uitvaart Noord").await.live().await;
        let gid = live.create(json!({ "externalDossierId": "1", "deceased": { "firstName": "Aal" } })).await.gid();
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let form = browser.get(&customizer(&gid, "tekst")).await;
        assert!(form.text().contains("data-pause=\"400\""), "the script sends what is typed: {}", form.text());
        partner::set_blocked(app.services(), "Uitvaart Noord", true).await.expect("the partner is there");
        assert!(!browser.get(&customizer(&gid, "tekst")).await.text().contains("data-pause"));
        assert_framed(&browser.get(&card_at(&gid, "tekst")).await);
        assert_eq!(browser.post(&card_at(&gid, "tekst"), &form.hidden_fields(), &[("text", "Rust zacht.")]).await.status, 403);
    }
}
