//! Choosing and finishing: the overview with its values, and the page after the order, which leads on to sharing or inviting.

use std::collections::HashSet;

use card_service::operation::invitee::{self, NewInvitee};
use serde_json::json;

use crate::app::family::{Browser, customizer, path_of};
use crate::app::picture::photo;
use crate::app::{Caller, PUBLIC_BASE, TestApp, card_id};

/// The side of a drawn module of a QR code, in pixels.
const MODULE_PIXELS: usize = 4;

async fn card(live: &Caller) -> String {
    let theme = live.app.theme("zee", 1).await;
    let input = json!({
        "externalDossierId": "1", "themeId": theme.number.to_string(),
        "deceased": { "firstName": "Johanna", "lastName": "van der Meer", "dateOfBirth": "1938-04-12" },
        "familyContact": { "name": "Pieter", "email": "pieter@voorbeeld.nl" },
    });
    live.create(input).await.gid()
}

fn row(page: &str, gid: &str, step: &str) -> String {
    let link = format!("href=\"{}\"", customizer(gid, step));
    let row = page.split("<dt>").skip(1).find(|row| row.contains(&link)).unwrap_or_else(|| panic!("{step}: {page}"));
    row.to_owned()
}

on_both_databases! {
    async fn overview_shows_values_and_what_may_stay_empty(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let long = "Lieve mama. ".repeat(20);
        assert_eq!(browser.submit(&customizer(&gid, "tekst"), &[("text", &long)]).await.status, 303);
        assert_eq!(browser.upload(&customizer(&gid, "overledene"), "photo", "a.jpeg", &photo("jpeg")).await.status, 303);
        let page = browser.get(&customizer(&gid, "")).await.text();
        for (step, parts) in [
            ("thema", ["Thema, indeling en wie de kaart ziet</dt>", "Thema zee\nFoto bovenaan\nIedereen met de link", "Wijzigen"]),
            ("overledene", ["Naam, datums en foto</dt>", "Johanna van der Meer\nGeboren op 12 april 1938", "<img class=\"thumb\""]),
            ("tekst", ["Tekst</dt>", "Lieve mama. Lieve mama.", "…"]),
            ("afscheid", ["Afscheid</dt>", "Optioneel", "Invullen"]),
            ("contact", ["Uw gegevens</dt>", "pieter@voorbeeld.nl", "Wijzigen"]),
        ] {
            let row = row(&page, &gid, step);
            for part in parts {
                assert!(row.contains(part), "{step} lacks {part}: {row}");
            }
        }
        let bare = live.draft("2").await;
        let mut browser = Browser::at_customizer(&live, &bare).await;
        let page = browser.get(&format!("{}?opgeslagen=thema", customizer(&bare, ""))).await.text();
        for step in ["thema", "overledene", "contact"] {
            assert!(row(&page, &bare, step).contains("Nog niet ingevuld"), "{step}: {page}");
        }
    }

    async fn receipt_of_an_open_card_shares_it_and_opens_the_list(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let early = browser.get(&customizer(&gid, "genodigden")).await;
        assert_eq!(early.header("location"), Some(customizer(&gid, "besteld").as_str()));
        let hidden = browser.get(&customizer(&gid, "contact")).await.hidden_fields();
        let refused = browser.post(&customizer(&gid, "genodigden"), &hidden, &[]).await;
        assert!(refused.status == 303 && !refused.headers.contains_key("set-cookie"), "not before the order");
        app.advance(&gid, "ORDERED").await;
        app.activate(&gid).await;
        let path = path_of(live.card(&gid).await["cardUrl"].as_str().expect("an address"));
        let receipt = browser.get(&customizer(&gid, "besteld")).await;
        let page = receipt.text();
        let encoded: String = url::form_urlencoded::byte_serialize(format!("{PUBLIC_BASE}{path}").as_bytes()).collect();
        for part in [
            format!("<code class=\"address\" data-copy=\"Adres kopiëren\" data-copied=\"Gekopieerd\">{PUBLIC_BASE}{path}</code>"),
            format!("href=\"https://wa.me/?text=In%20herinnering%20aan%20Johanna%20van%20der%20Meer%0A{encoded}\""),
            format!("data-share=\"Delen\" data-url=\"{PUBLIC_BASE}{path}\""),
            format!("<iframe src=\"{}\"", customizer(&gid, "bestellen/kaart")),
        ] {
            assert!(page.contains(&part), "{part}: {page}");
        }
        let opened = browser.post(&customizer(&gid, "genodigden"), &receipt.hidden_fields(), &[]).await;
        let list = format!("/gasten/{}", card_id(&gid));
        assert_eq!((opened.status, opened.header("location")), (303, Some(list.as_str())), "{}", opened.text());
        assert_eq!(browser.get(&list).await.status, 200);
        assert_eq!(app.get(&list).await.status, 403, "in that browser only");
        let strange = Browser::new(&app).post(&customizer(&gid, "genodigden"), &receipt.hidden_fields(), &[]).await;
        assert_eq!(strange.status, 403, "without a session");
        let address = format!("{PUBLIC_BASE}{path}");
        assert_eq!(qr_text(&page), address);
        let public = app.get(&path).await.text();
        let (_, printed) = public.split_once("<div class=\"on-paper\">").expect("the code on paper");
        assert_eq!(qr_text(printed), address);
    }

    async fn receipt_by_invitation_says_to_invite_first(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live).await;
        let mut browser = Browser::at_customizer(&live, &gid).await;
        let closed = browser.submit(&customizer(&gid, "thema"), &[("visibility", "INVITATION")]).await;
        assert_eq!(closed.status, 303);
        app.advance(&gid, "ORDERED").await;
        app.activate(&gid).await;
        let page = browser.get(&customizer(&gid, "besteld")).await.text();
        assert!(page.contains("zodra u hen met een persoonlijke link uitnodigt") && page.contains("Mensen uitnodigen"), "{page}");
        assert!(!page.contains("wa.me") && !page.contains("class=\"qr\"") && !page.contains("data-share"), "{page}");
        let path = path_of(live.card(&gid).await["cardUrl"].as_str().expect("an address"));
        assert!(!browser.get(&path).await.text().contains("<div class=\"on-paper\">"));
    }

    async fn long_list_is_searched_by_name_and_address(app: TestApp) {
        let live = app.live().await;
        let gid = card(&live).await;
        let mut browser = Browser::new(&app);
        browser.open(&path_of(&live.link(&gid, "INVITEE_LIST").await)).await;
        let list = format!("/gasten/{}", card_id(&gid));
        let person = |name: String, email: Option<String>| NewInvitee { name, email };
        let first = vec![person("Zoë de Vries".to_owned(), Some("zoe@elders.example".to_owned()))];
        invitee::add(app.services(), card_id(&gid), first).await.expect("the store answers");
        let short = browser.get(&list).await.text();
        assert!(!short.contains("role=\"search\"") && short.contains("<details class=\"many\"><summary>Iemand toevoegen"), "{short}");
        let people = (0..60).map(|n| person(format!("Gast {n:02}"), None)).collect();
        invitee::add(app.services(), card_id(&gid), people).await.expect("the store answers");
        assert!(browser.get(&list).await.text().contains("role=\"search\""));
        for (query, found, absent) in [("zo%C3%AB", "Zoë de Vries", "Gast 01"), ("ELDERS", "Zoë de Vries", "Gast 01"), ("gast 4", "Gast 42", "Gast 31")] {
            let page = browser.get(&format!("{list}?zoek={}", query.replace(' ', "+"))).await.text();
            assert!(page.contains(&format!(">{found}</h3>")) && !page.contains(&format!(">{absent}</h3>")), "{query}: {page}");
        }
        let page = browser.get(&format!("{list}?zoek=gast&pagina=2")).await.text();
        assert!(page.contains("Pagina 2 van 3") && page.contains("?pagina=3&amp;zoek=gast#genodigden"), "{page}");
        let none = browser.get(&format!("{list}?zoek=%3Cniemand%3E")).await.text();
        assert!(none.contains("Er staat niemand op de lijst met &quot;&lt;niemand&gt;&quot;") && none.contains("De hele lijst tonen"), "{none}");
    }
}

/// Decodes the first QR code of a page, as a camera would: from its drawn modules.
fn qr_text(page: &str) -> String {
    let (_, code) = page.split_once("<svg class=\"qr\" viewBox=\"0 0 ").expect("a code");
    let side: usize = code.split(' ').next().and_then(|side| side.parse().ok()).expect("its width in modules");
    let (_, path) = code.split_once("<path d=\"M").expect("its modules");
    let modules: HashSet<(usize, usize)> = path[..path.find('"').expect("an end")]
        .split('M')
        .map(|module| {
            let (x, y) = module.strip_suffix("h1v1h-1z").and_then(|at| at.split_once(' ')).expect("a module");
            (x.parse().expect("a column"), y.parse().expect("a row"))
        })
        .collect();
    let quiet = 4..side - 4;
    assert!(modules.iter().all(|(x, y)| quiet.contains(x) && quiet.contains(y)), "the margin of a code is empty");
    let pixels = side * MODULE_PIXELS;
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(pixels, pixels, |x, y| {
        if modules.contains(&(x / MODULE_PIXELS, y / MODULE_PIXELS)) { 0 } else { 255 }
    });
    let codes = image.detect_grids();
    assert_eq!(codes.len(), 1);
    codes[0].decode().expect("a readable code").1
}
