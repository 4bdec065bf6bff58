//! The card page: public, or for invitees (decisions S6, S7).

use card_service::model::Visibility;
use chrono::Duration;
use serde_json::{Value, json};

use crate::app::family::{Browser, path_of};
use crate::app::{Caller, PUBLIC_BASE, TestApp, card_id};

/// The header of a browser that navigates to a page.
const PERSON: [(&str, &str); 2] = [("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];

/// A card with everything on it, in the theme with this handle.
pub(super) async fn full(live: &Caller, dossier: &str, theme: &str) -> String {
    let theme = live.app.theme(theme, 1).await;
    let input = json!({
        "externalDossierId": dossier, "themeId": theme.number.to_string(),
        "deceased": {
            "firstName": "Johanna", "lastName": "van der Meer",
            "dateOfBirth": "1938-04-12", "dateOfDeath": "2026-11-07",
        },
        "livestreamUrl": "https://uitvaart.example/live?a=1&b=2",
        "familyContact": { "name": "Pieter", "email": "pieter@voorbeeld.nl" },
    });
    live.create(input).await.gid()
}

pub(super) async fn public_path(live: &Caller, gid: &str) -> String {
    path_of(live.card(gid).await["cardUrl"].as_str().expect("an address"))
}

/// An invitee of the card, and the path of the personal link.
async fn invited(app: &TestApp, gid: &str, name: &str) -> String {
    let person = card_service::operation::invitee::NewInvitee { name: name.to_owned(), email: None };
    card_service::operation::invitee::add(app.services(), card_id(gid), vec![person]).await.expect("the store answers");
    let all = app.store().invitees_of(card_id(gid)).await.expect("the store answers");
    let one = all.into_iter().find(|invitee| invitee.name == name).expect("the invitee");
    format!("/kaart/voor/{}", one.token)
}

async fn seen(app: &TestApp, gid: &str) -> Vec<bool> {
    let all = app.store().invitees_of(card_id(gid)).await.expect("the store answers");
    all.into_iter().map(|invitee| invitee.seen_at.is_some()).collect()
}

on_both_databases! {
    async fn card_page_exists_when_online_and_shows_its_contents(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        assert_eq!(live.card(&gid).await["cardUrl"], Value::Null);
        app.online(&gid).await;
        let path = public_path(&live, &gid).await;
        let card = app.get(&path).await;
        assert_eq!((card.status, card.header("content-type")), (200, Some("text/html; charset=utf-8")));
        let page = card.text();
        for piece in [
            "<html lang=\"nl\">",
            "In herinnering aan",
            ">Johanna <span class=\"whole\">van der Meer</span></h1>",
            "<time datetime=\"1938-04-12\">12 april 1938</time>",
            "7 november 2026",
            "href=\"https://uitvaart.example/live?a=1&amp;b=2\"",
            "alt=\"De voorkant\"",
            "url(\"/web/jost-300-",
        ] {
            assert!(page.contains(piece), "{piece}: {page}");
        }
        assert!(!page.contains("pieter@voorbeeld.nl") && !page.contains("Pieter"), "the contact is not on the card");
        assert!(page.len() < 60 * 1024 && !page.contains("<script"), "{}", page.len());
        assert_eq!(card.header("x-robots-tag"), Some("noindex, nofollow"));
        assert_eq!(card.header("referrer-policy"), Some("no-referrer"));
        for unknown in ["/kaart/", "/kaart/onbekend", "/kaart/voor/onbekend", "/kaart/a/b"] {
            assert_eq!(app.get(unknown).await.status, 404, "{unknown}");
        }
    }

    async fn card_of_little_or_much_holds(app: TestApp) {
        let live = app.live().await;
        let evil = "<script>alert(1)</script>\"'&";
        let long = "Wilhelmina Catharina Elisabeth Anna Maria van Oldenbarnevelt-Schimmelpenninck 🌷".to_owned();
        for (dossier, deceased, heading) in [
            ("none", json!(null), ">In liefdevolle herinnering</h1>"),
            ("first", json!({ "firstName": "  Jo " }), ">Jo</h1>"),
            ("evil", json!({ "firstName": evil, "lastName": evil }), "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("long", json!({ "firstName": long, "lastName": "A".repeat(255) }), "class=\"longest\""),
            ("emoji", json!({ "firstName": "👵🏽❤️‍🔥" }), "👵🏽❤️‍🔥"),
            ("arabic", json!({ "firstName": "فاطمة", "dateOfDeath": "2026-11-07" }), "Overleden op "),
        ] {
            let input = json!({
                "externalDossierId": dossier, "deceased": deceased.clone(),
                "familyContact": { "email": "a@voorbeeld.nl" },
            });
            let gid = live.create(input).await.gid();
            app.online(&gid).await;
            // An order needs a name, which can be removed afterwards.
            live.update(&gid, json!({ "deceased": deceased })).await.gid();
            let page = app.get(&public_path(&live, &gid).await).await.text();
            assert!(page.contains(heading), "{dossier}: {page}");
            assert!(!page.contains("<script>"), "{dossier}: {page}");
        }
    }

    async fn preview_names_an_open_card_and_hides_an_invitation_card(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        app.online(&gid).await;
        let path = public_path(&live, &gid).await;
        let open = app.get(&path).await.text();
        for piece in [
            "<title>In herinnering aan Johanna van der Meer</title>",
            "property=\"og:title\" content=\"In herinnering aan Johanna van der Meer\"",
            "property=\"og:description\" content=\"12 april 1938 – 7 november 2026\"",
            &format!("property=\"og:url\" content=\"{PUBLIC_BASE}{path}\""),
        ] {
            assert!(open.contains(piece), "{piece}: {open}");
        }

        app.set_visibility(&gid, Visibility::Invitation).await;
        let closed = app.get(&path).await;
        assert_eq!(closed.status, 200);
        let page = closed.text();
        assert!(page.contains("alleen voor genodigden"), "{page}");
        for personal in ["Johanna", "Meer", "1938", "november", "uitvaart.example", "/media/rendition/", "/media/photo/"] {
            assert!(!page.contains(personal), "{personal}: {page}");
        }
        // A personal link shows the card. Its preview holds nothing of it.
        let shown = app.get(&invited(&app, &gid, "Aal").await).await;
        assert_eq!(shown.status, 200);
        let page = shown.text();
        let (head, body) = page.split_once("</head>").expect("a head");
        assert!(body.contains(">van der Meer</span></h1>"), "{body}");
        for personal in ["Johanna", "Meer", "1938", "november", "/media/rendition/"] {
            assert!(!head.contains(personal), "{personal}: {head}");
        }
    }

    async fn first_time_that_a_person_opens_a_personal_link_is_kept(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        let link = invited(&app, &gid, "Aal").await;
        let early = app.send_request("GET", &link, &PERSON).await;
        assert!(early.status == 404 && early.text().contains("nog niet online"), "{}", early.text());
        app.online(&gid).await;
        // Requests without a reader: a program, a messenger, a prefetch, a script.
        for headers in [
            &[][..],
            &[("user-agent", "WhatsApp/2.23")],
            &[PERSON[0], PERSON[1], ("sec-purpose", "prefetch")],
            &[("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "empty")],
        ] {
            assert_eq!(app.send_request("GET", &link, headers).await.status, 200, "{headers:?}");
        }
        assert_eq!(app.send_request("HEAD", &link, &PERSON).await.status, 200);
        assert_eq!(seen(&app, &gid).await, [false]);

        let first = app.now();
        assert_eq!(app.send_request("GET", &link, &PERSON).await.status, 200);
        app.pass(Duration::hours(5));
        assert_eq!(app.send_request("GET", &link, &PERSON).await.status, 200);
        let invitee = app.store().invitees_of(card_id(&gid)).await.expect("the store answers").remove(0);
        assert_eq!(invitee.seen_at, Some(first));
    }

    async fn visit_by_an_old_browser_is_recognised_by_its_image_request(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        let link = invited(&app, &gid, "Aal").await;
        let asked = format!("{link}/gezien");
        assert_eq!(app.get(&asked).await.status, 404, "the card is not online");
        app.online(&gid).await;
        let page = app.get(&link).await;
        assert!(page.text().contains(&format!("src=\"{asked}\"")), "{}", page.text());
        assert_eq!(page.headers.get_all("set-cookie").iter().count(), 0);
        // Neither a prefetch, nor a browser with Fetch Metadata, nor a session of the family counts.
        for headers in [&[("purpose", "prefetch")][..], &[("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")]] {
            assert_eq!(app.send_request("GET", &asked, headers).await.status, 204, "{headers:?}");
        }
        let mut family = Browser::new(&app);
        family.get(&path_of(&live.link(&gid, "CUSTOMIZER").await)).await;
        assert_eq!(family.get(&asked).await.status, 204);
        assert_eq!(seen(&app, &gid).await, [false]);
        assert_eq!(app.get(&asked).await.status, 204);
        assert_eq!(seen(&app, &gid).await, [true]);
        // A page for a browser with Fetch Metadata has no such image.
        assert!(!app.send_request("GET", &link, &PERSON).await.text().contains("gezien"));
        assert_eq!(app.get("/kaart/voor/onbekend/gezien").await.status, 404);
    }

    async fn family_sees_its_closed_card_and_is_none_of_its_invitees(app: TestApp) {
        let live = app.live().await;
        let gid = full(&live, "1", "zee").await;
        app.online(&gid).await;
        app.set_visibility(&gid, Visibility::Invitation).await;
        let path = public_path(&live, &gid).await;
        let link = invited(&app, &gid, "Aal").await;
        for target in ["CUSTOMIZER", "INVITEE_LIST"] {
            let mut browser = Browser::new(&app);
            browser.get(&path_of(&live.link(&gid, target).await)).await;
            assert_eq!(browser.get(&path).await.status, 200, "{target}");
            let cookies: Vec<_> = browser.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let tried = app.send_request("GET", &link, &[PERSON[0], PERSON[1], ("cookie", &cookies.join("; "))]).await;
            assert_eq!(tried.status, 200);
        }
        assert_eq!(seen(&app, &gid).await, [false]);
        // A session of another card is no session of the family.
        let other = full(&live, "2", "zee").await;
        let mut browser = Browser::new(&app);
        browser.get(&path_of(&live.link(&other, "CUSTOMIZER").await)).await;
        assert!(browser.get(&path).await.text().contains("alleen voor genodigden"));
    }
}
